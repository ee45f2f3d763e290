/* Option structs that own their texts: one table says where these are, for copying and freeing. */
#ifndef RUNNER_BASE_OPTIONS_H
#define RUNNER_BASE_OPTIONS_H

#include <stddef.h>

/* The offset of a text, or of a NULL-terminated array of texts, in a struct. */
struct options_text {
    size_t offset;
    enum { OPTIONS_TEXT, OPTIONS_TEXTS } kind;
};

/* Replaces all texts that are not NULL by copies. */
void options_own(void *options, const struct options_text *texts, size_t count);

/* Frees the copies. */
void options_free(void *options, const struct options_text *texts, size_t count);

#endif
