/* File names from untrusted names. */
#ifndef RUNNER_PAGE_WORLD_FILE_NAME_H
#define RUNNER_PAGE_WORLD_FILE_NAME_H

/*
 * Returns a safe name for a file in one directory: the last part of the name, without dots and
 * spaces at its ends and without invalid characters; "download" if nothing is left. Caller frees.
 */
char *file_name_clean(const char *name);

/* Returns "name.ext" for number 0, "name (1).ext" for number 1 and so on. Caller frees. */
char *file_name_numbered(const char *name, unsigned number);

#endif
