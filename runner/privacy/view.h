/* A decoded text that records for each byte where it was in the original. */
#ifndef RUNNER_PRIVACY_VIEW_H
#define RUNNER_PRIVACY_VIEW_H

#include <stdbool.h>
#include <stddef.h>

struct view {
    char *bytes;           /* NUL-terminated; contains no other NUL */
    size_t *starts, *ends; /* for each byte: the range of the original text that it stands for */
    size_t length;
    bool is_grouped; /* groups of digits were joined: only numbers are meaningful in it */
};

/*
 * Percent encoding, form encoding, JSON escapes, HTML references, the base64 alphabet for URLs
 * instead of the usual one, and digits in groups.
 */
enum { VIEW_ENCODINGS = 6 };

/* Initialises the view with the text unchanged. */
void view_init(struct view *view, const char *text);
void view_finish(struct view *view);

/*
 * Decodes one more encoding, a number below VIEW_ENCODINGS. Returns false if the view does not
 * contain it.
 */
bool view_undo(const struct view *from, size_t encoding, struct view *ret_view);

/* Decodes percent encoding; other text is unchanged, and NUL is removed. Caller frees. */
char *view_percent_decoded(const char *text, size_t length);

#define CLEANUP_VIEW CLEANUP(view_finish)

#endif
