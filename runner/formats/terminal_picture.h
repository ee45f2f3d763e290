/* Draws pictures in terminals that can show them. */
#ifndef RUNNER_FORMATS_TERMINAL_PICTURE_H
#define RUNNER_FORMATS_TERMINAL_PICTURE_H

#include "runner/base/strbuf.h"

#include <browser_runner/error.h>
#include <browser_runner/image.h>

enum terminal_picture_kind {
    TERMINAL_PICTURE_NONE,  /* none that is supported */
    TERMINAL_PICTURE_KITTY, /* kitty's graphics protocol: PNG */
    TERMINAL_PICTURE_ITERM, /* iTerm2's inline images: unchanged files */
    TERMINAL_PICTURE_SIXEL,
};

/* The environment variables with these names in upper case; NULL: not set. */
struct terminal_environment {
    const char *term, *term_program, *lc_terminal;
    const char *kitty_window_id, *konsole_version;
    const char *tmux, *sty; /* set by tmux and screen */
};

/* Decides by the environment only. tmux and screen do not pass pictures on: NONE. */
enum terminal_picture_kind terminal_picture_kind(const struct terminal_environment *environment);

/*
 * Convert a kind to its name, "none", "kitty", "iterm" or "sixel", and back. False: unknown name.
 */
const char *terminal_picture_name(enum terminal_picture_kind kind);
bool terminal_picture_from_name(const char *name, enum terminal_picture_kind *ret_kind);

/* The space for a picture in the terminal; 0: unknown, or no limit. */
struct terminal_space {
    int columns;       /* characters in a line; unknown: 80 */
    int width, height; /* pixels; an unknown width is 8 for each column */
};

/*
 * Adds the sequences that draw a JPEG or PNG at the cursor, scaled down to the space, and a
 * newline; nothing for NONE. Fails with the decoder's error, having added nothing.
 */
bool terminal_picture_add(enum terminal_picture_kind kind, const struct terminal_space *space,
                          const void *bytes, size_t size, struct strbuf *text,
                          struct br_error *err);

/*
 * Adds the picture as one sequence with at most 256 colours. LIMIT_EXCEEDED if memory is exhausted.
 * Source: VT330/VT340 Programmer Reference Manual, chapter 14.
 */
bool sixel_add(const struct br_image *image, struct strbuf *text, struct br_error *err);

#endif
