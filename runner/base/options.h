/* Options that own their texts: one list says where these are, for copying and for freeing. */
#ifndef RUNNER_BASE_OPTIONS_H
#define RUNNER_BASE_OPTIONS_H

#include <stddef.h>

/* Where in a struct a text is, or a NULL-terminated array of texts. */
struct options_text {
    size_t offset;
    enum { OPTIONS_TEXT, OPTIONS_TEXTS } kind;
};

/* Puts copies in the place of all texts that are not NULL. */
void options_own(void *options, const struct options_text *texts, size_t count);

/* Frees them again. */
void options_free(void *options, const struct options_text *texts, size_t count);

#endif
