/* A text with encodings undone, of which each byte still says where it stood. */
#ifndef RUNNER_PRIVACY_VIEW_H
#define RUNNER_PRIVACY_VIEW_H

#include <stdbool.h>
#include <stddef.h>

struct view {
    char *bytes;           /* NUL-terminated, and without NUL otherwise */
    size_t *starts, *ends; /* of each byte: what it stands for in the first text */
    size_t length;
    bool is_grouped; /* groups of digits were joined: nothing else is right in it */
};

/*
 * Percent encoding, that of forms, the escapes of JSON, the entities of HTML, base64 for URLs in
 * the place of the other one, and digits in groups.
 */
enum { VIEW_ENCODINGS = 6 };

/* As the text is. */
void view_init(struct view *view, const char *text);
void view_finish(struct view *view);

/* The view without one more encoding, a number below VIEW_ENCODINGS. False: there is none of it. */
bool view_undo(const struct view *from, size_t encoding, struct view *ret_view);

/* Percent encoding undone; what is no such stays, and NUL is left out. Caller frees. */
char *view_percent_decoded(const char *text, size_t length);

#define CLEANUP_VIEW CLEANUP(view_finish)

#endif
