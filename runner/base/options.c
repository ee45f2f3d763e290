#include "runner/base/options.h"

#include "runner/base/memory.h"

/* Caller frees; NULL for NULL. */
static char **copy_texts(char *const *texts)
{
    size_t count = 0;
    while (texts && texts[count]) {
        count++;
    }
    char **copies = texts ? xcalloc(count + 1, sizeof(*copies)) : NULL;
    for (size_t i = 0; i < count; i++) {
        copies[i] = xstrdup(texts[i]);
    }
    return copies;
}

static void free_texts(char **texts)
{
    for (size_t i = 0; texts && texts[i]; i++) {
        free(texts[i]);
    }
    free(texts);
}

void options_own(void *options, const struct options_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *at = (char *)options + texts[i].offset;
        if (texts[i].kind == OPTIONS_TEXT) {
            *(char **)at = xstrdup(*(char **)at);
        } else {
            *(char ***)at = copy_texts(*(char ***)at);
        }
    }
}

void options_free(void *options, const struct options_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *at = (char *)options + texts[i].offset;
        if (texts[i].kind == OPTIONS_TEXT) {
            free(*(char **)at);
            *(char **)at = NULL;
        } else {
            free_texts(*(char ***)at);
            *(char ***)at = NULL;
        }
    }
}
