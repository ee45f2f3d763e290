#include "runner/formats/terminal_picture.h"

#include "imaging/base64.h"
#include "imaging/decode.h"
#include "imaging/shrink.h"
#include "runner/base/error.h"

#include <string.h>

enum {
    CHUNK = 4096, /* characters of base64 in one of kitty's sequences */
    USUAL_COLUMNS = 80,
    USUAL_CELL = 8, /* width of a character in pixels */
};

static const char *const names[] = {
    [TERMINAL_PICTURE_NONE] = "none",
    [TERMINAL_PICTURE_KITTY] = "kitty",
    [TERMINAL_PICTURE_ITERM] = "iterm",
    [TERMINAL_PICTURE_SIXEL] = "sixel",
};

/* Terminals by the beginning of TERM, or by TERM_PROGRAM. */
static const struct known {
    const char *term, *program;
    enum terminal_picture_kind kind;
} terminals[] = {
    { "xterm-kitty", "kitty", TERMINAL_PICTURE_KITTY },
    { "xterm-ghostty", "ghostty", TERMINAL_PICTURE_KITTY },
    { NULL, "iTerm.app", TERMINAL_PICTURE_ITERM },
    { "wezterm", "WezTerm", TERMINAL_PICTURE_ITERM },
    { "mintty", "mintty", TERMINAL_PICTURE_ITERM },
    { "foot", "foot", TERMINAL_PICTURE_SIXEL },
    { "mlterm", "mlterm", TERMINAL_PICTURE_SIXEL },
    { "contour", "contour", TERMINAL_PICTURE_SIXEL },
    { "yaft", NULL, TERMINAL_PICTURE_SIXEL },
    { "vt340", NULL, TERMINAL_PICTURE_SIXEL },
};

static bool is_set(const char *variable)
{
    return variable && *variable;
}

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Whether tmux or screen is between the program and the terminal. */
static bool is_inside(const struct terminal_environment *environment)
{
    const char *term = environment->term ? environment->term : "";
    return is_set(environment->tmux) || is_set(environment->sty) || begins_with(term, "tmux") ||
           begins_with(term, "screen");
}

enum terminal_picture_kind terminal_picture_kind(const struct terminal_environment *environment)
{
    const char *term = environment->term ? environment->term : "";
    const char *program = environment->term_program ? environment->term_program : "";
    if (!*term || strcmp(term, "dumb") == 0 || is_inside(environment)) {
        return TERMINAL_PICTURE_NONE;
    }
    for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++) {
        const struct known *known = &terminals[i];
        if ((known->term && begins_with(term, known->term)) ||
            (known->program && strcmp(program, known->program) == 0)) {
            return known->kind;
        }
    }
    /*
     * These variables are inherited by other terminals, or kept over ssh: use them only if none
     * above matches.
     */
    if (is_set(environment->kitty_window_id)) {
        return TERMINAL_PICTURE_KITTY;
    }
    if (environment->lc_terminal && strcmp(environment->lc_terminal, "iTerm2") == 0) {
        return TERMINAL_PICTURE_ITERM;
    }
    bool is_konsole =
        environment->konsole_version && strtol(environment->konsole_version, NULL, 10) >= 220400;
    return is_konsole || strstr(term, "sixel") ? TERMINAL_PICTURE_SIXEL : TERMINAL_PICTURE_NONE;
}

const char *terminal_picture_name(enum terminal_picture_kind kind)
{
    return names[kind];
}

bool terminal_picture_from_name(const char *name, enum terminal_picture_kind *ret_kind)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0) {
            *ret_kind = (enum terminal_picture_kind)i;
            return true;
        }
    }
    return false;
}

/* A picture file, and the size at which it is drawn. */
struct drawing {
    const void *bytes;
    size_t size;
    int width, height;
    bool is_scaled;
};

static int limit_width(const struct terminal_space *space)
{
    int columns = space->columns > 0 ? space->columns : USUAL_COLUMNS;
    return space->width > 0 ? space->width : columns * USUAL_CELL;
}

/* The length scaled by to / from; at least 1. */
static int scaled(int length, int to, int from)
{
    int64_t part = ((int64_t)length * to + from / 2) / from;
    return part > 0 ? (int)part : 1;
}

static bool measure(const struct terminal_space *space, struct drawing *drawing,
                    struct br_error *err)
{
    if (!image_decode_size(drawing->bytes, drawing->size, &drawing->width, &drawing->height, err)) {
        return false;
    }
    int widest = limit_width(space);
    if (drawing->width > widest) {
        drawing->height = scaled(drawing->height, widest, drawing->width);
        drawing->width = widest;
        drawing->is_scaled = true;
    }
    if (space->height > 0 && drawing->height > space->height) {
        drawing->width = scaled(drawing->width, space->height, drawing->height);
        drawing->height = space->height;
        drawing->is_scaled = true;
    }
    return true;
}

static bool decode(const struct drawing *drawing, struct br_image *ret_image, struct br_error *err)
{
    return drawing->is_scaled ? image_decode_scaled(drawing->bytes, drawing->size, drawing->width,
                                                    drawing->height, ret_image, err)
                              : image_decode(drawing->bytes, drawing->size, ret_image, err);
}

/* Caller frees. */
static char *encoded(const void *bytes, size_t size, size_t *ret_length)
{
    *ret_length = base64_encoded_size(size);
    char *text = xmalloc(*ret_length + 1);
    base64_encode(bytes, size, text);
    return text;
}

/*
 * a=T: draw at once; f=100: a PNG; q=2: send no answers, which would not be read; m=1: more
 * follows.
 */
static void add_kitty_png(const void *bytes, size_t size, struct strbuf *text)
{
    size_t length;
    CLEANUP_FREE char *data = encoded(bytes, size, &length);
    for (size_t at = 0; at < length; at += CHUNK) {
        size_t part = length - at < CHUNK ? length - at : CHUNK;
        strbuf_add_format(text, "\033_G%sm=%d;", at == 0 ? "a=T,f=100,q=2," : "q=2,",
                          at + part < length);
        strbuf_add(text, data + at, part);
        strbuf_add_string(text, "\033\\");
    }
}

/* Sends a PNG that fits unchanged. */
static bool add_kitty(const struct drawing *drawing, struct strbuf *text, struct br_error *err)
{
    struct br_image image = { 0 };
    unsigned char *bytes = NULL;
    size_t size = 0;
    if (!drawing->is_scaled && !image_is_jpeg(drawing->bytes, drawing->size)) {
        add_kitty_png(drawing->bytes, drawing->size, text);
        return true;
    }
    bool is_done = decode(drawing, &image, err) && br_png_encode(&image, &bytes, &size, err);
    if (is_done) {
        add_kitty_png(bytes, size, text);
    }
    br_image_finish(&image);
    free(bytes);
    return is_done;
}

/* Sends the file unchanged: iTerm2 decodes JPEG and PNG, and scales. */
static bool add_iterm(const struct drawing *drawing, struct strbuf *text, struct br_error *err)
{
    (void)err;
    size_t length;
    CLEANUP_FREE char *data = encoded(drawing->bytes, drawing->size, &length);
    strbuf_add_format(text,
                      "\033]1337;File=inline=1;size=%zu;width=%dpx;height=%dpx;"
                      "preserveAspectRatio=1:",
                      drawing->size, drawing->width, drawing->height);
    strbuf_add(text, data, length);
    strbuf_add_string(text, "\a");
    return true;
}

static bool add_sixel(const struct drawing *drawing, struct strbuf *text, struct br_error *err)
{
    struct br_image image = { 0 };
    bool is_done = decode(drawing, &image, err) && sixel_add(&image, text, err);
    br_image_finish(&image);
    return is_done;
}

bool terminal_picture_add(enum terminal_picture_kind kind, const struct terminal_space *space,
                          const void *bytes, size_t size, struct strbuf *text, struct br_error *err)
{
    static bool (*const ways[])(const struct drawing *, struct strbuf *, struct br_error *) = {
        [TERMINAL_PICTURE_KITTY] = add_kitty,
        [TERMINAL_PICTURE_ITERM] = add_iterm,
        [TERMINAL_PICTURE_SIXEL] = add_sixel,
    };
    struct drawing drawing = { .bytes = bytes, .size = size };
    if (kind == TERMINAL_PICTURE_NONE) {
        return true;
    }
    if (!measure(space, &drawing, err) || !ways[kind](&drawing, text, err)) {
        return false;
    }
    strbuf_add_string(text, "\n");
    return true;
}
