/* Names for files that somebody else has named. */
#ifndef RUNNER_PAGE_WORLD_FILE_NAME_H
#define RUNNER_PAGE_WORLD_FILE_NAME_H

/*
 * What is left of a name as that of a file in one directory: its last part, without dots and spaces
 * at its ends and without what is no text; "download" when nothing is left. Caller frees.
 */
char *file_name_clean(const char *name);

/* "name.ext" for number 0, "name (1).ext" for number 1 and so on. Caller frees. */
char *file_name_numbered(const char *name, unsigned number);

#endif
