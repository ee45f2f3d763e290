/* Pictures in a terminal, as far as it can draw them. */
#ifndef RUNNER_FORMATS_TERMINAL_PICTURE_H
#define RUNNER_FORMATS_TERMINAL_PICTURE_H

#include "runner/base/strbuf.h"

#include <browser_runner/error.h>

enum terminal_picture_kind {
    TERMINAL_PICTURE_NONE,  /* it is not known that it draws any */
    TERMINAL_PICTURE_KITTY, /* the graphics protocol of kitty: PNG */
    TERMINAL_PICTURE_ITERM, /* the inline images of iTerm2: files as they are */
    TERMINAL_PICTURE_SIXEL,
};

/* What the environment says of the terminal: the variables of these names; NULL: not set. */
struct terminal_environment {
    const char *term, *term_program, *lc_terminal;
    const char *kitty_window_id, *konsole_version;
    const char *tmux, *sty; /* of what stands between: tmux, screen */
};

/* Nothing is asked of the terminal. What stands between it and us lets no pictures through. */
enum terminal_picture_kind terminal_picture_kind(const struct terminal_environment *environment);

/* The name of a kind, "none", "kitty", "iterm", "sixel", and back: false for another. */
const char *terminal_picture_name(enum terminal_picture_kind kind);
bool terminal_picture_from_name(const char *name, enum terminal_picture_kind *ret_kind);

/* How much of the terminal a picture may take; 0: not known, or as much as it likes. */
struct terminal_space {
    int columns;       /* characters of a line; not known: 80 */
    int width, height; /* pixels; a width that is not known is taken as 8 a column */
};

/*
 * Adds the sequences that draw a JPEG or PNG where the cursor is, scaled down to the space, and a
 * newline; nothing for NONE. The picture's errors, with nothing added.
 */
bool terminal_picture_add(enum terminal_picture_kind kind, const struct terminal_space *space,
                          const void *bytes, size_t size, struct strbuf *text,
                          struct br_error *err);

#endif
