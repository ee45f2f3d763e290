#include "runner/snapshot/dom/style.h"

#include "runner/base/unicode.h"

#include <stdlib.h>
#include <string.h>

const char *const snapshot_styles[] = {
    "display",
    "visibility",
    "content",
    "text-transform",
    "overlay",
    "cursor",
    "pointer-events",
    "overflow",
    "position",
    "clip-path",
    "opacity",
    "-webkit-text-security",
    "content-visibility",
    NULL,
};

const char *const snapshot_frame_styles[] = {
    "border-left-width", "border-top-width", "padding-left", "padding-top", NULL,
};

static bool is_text(const char *value, const char *text)
{
    return value && strcmp(value, text) == 0;
}

static bool begins_with(const char *value, const char *text)
{
    return value && strncmp(value, text, strlen(text)) == 0;
}

static enum snapshot_display display_of(const char *value)
{
    if (begins_with(value, "inline")) {
        return strcmp(value, "inline") == 0 ? DISPLAY_INLINE : DISPLAY_INLINE_BLOCK;
    }
    if (begins_with(value, "ruby")) {
        return DISPLAY_INLINE;
    }
    return is_text(value, "table-cell") ? DISPLAY_TABLE_CELL : DISPLAY_BLOCK;
}

static enum snapshot_transform transform_of(const char *value)
{
    static const struct {
        const char *name;
        enum snapshot_transform transform;
    } known[] = {
        { "uppercase", TRANSFORM_UPPER },
        { "lowercase", TRANSFORM_LOWER },
        { "capitalize", TRANSFORM_CAPITALIZE },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (is_text(value, known[i].name)) {
            return known[i].transform;
        }
    }
    return TRANSFORM_NONE;
}

static float pixels(const char *value)
{
    return value ? strtof(value, NULL) : 0;
}

/* The value is "hidden", or "hidden auto" if the two axes differ. */
static void fill_overflow(struct snapshot_layout *layout, const char *value)
{
    const char *x = value ? value : "visible";
    const char *space = strchr(x, ' ');
    const char *y = space ? space + 1 : x;
    layout->clips_x = !begins_with(x, "visible");
    layout->clips_y = !begins_with(y, "visible");
    layout->scrolls_x = begins_with(x, "auto") || begins_with(x, "scroll");
    layout->scrolls_y = begins_with(y, "auto") || begins_with(y, "scroll");
}

void style_apply(struct snapshot_layout *layout, const char *const styles[STYLE_COUNT])
{
    const char *content = styles[STYLE_CONTENT];
    layout->display = display_of(styles[STYLE_DISPLAY]);
    layout->transform = transform_of(styles[STYLE_TEXT_TRANSFORM]);
    layout->content = is_text(content, "normal") || is_text(content, "none") ? NULL : content;
    layout->is_invisible = !is_text(styles[STYLE_VISIBILITY], "visible");
    layout->is_transparent = is_text(styles[STYLE_OPACITY], "0");
    layout->has_pointer = is_text(styles[STYLE_CURSOR], "pointer");
    layout->takes_no_pointer = is_text(styles[STYLE_POINTER_EVENTS], "none");
    fill_overflow(layout, styles[STYLE_OVERFLOW]);
    layout->is_fixed = is_text(styles[STYLE_POSITION], "fixed");
    layout->is_absolute = is_text(styles[STYLE_POSITION], "absolute");
    layout->is_positioned = !is_text(styles[STYLE_POSITION], "static");
    layout->is_in_top_layer = is_text(styles[STYLE_OVERLAY], "auto");
    layout->skips_content =
        layout->display != DISPLAY_INLINE && is_text(styles[STYLE_CONTENT_VISIBILITY], "hidden");
    layout->may_skip_content = is_text(styles[STYLE_CONTENT_VISIBILITY], "auto");
    layout->has_clip_path = !is_text(styles[STYLE_CLIP_PATH], "none");
    layout->has_dots = styles[STYLE_TEXT_SECURITY] && !is_text(styles[STYLE_TEXT_SECURITY], "none");
    float border_left = pixels(styles[STYLE_BORDER_LEFT]);
    float border_top = pixels(styles[STYLE_BORDER_TOP]);
    layout->has_border = border_left > 0 || border_top > 0;
    layout->inset_left = border_left + pixels(styles[STYLE_PADDING_LEFT]);
    layout->inset_top = border_top + pixels(styles[STYLE_PADDING_TOP]);
}

enum { SHARP_S = 0xDF }; /* the only Latin letter whose upper case is two letters */

static void add(struct strbuf *out, uint32_t character, enum snapshot_transform transform,
                bool begins_word)
{
    bool is_capital =
        transform == TRANSFORM_UPPER || (transform == TRANSFORM_CAPITALIZE && begins_word);
    if (is_capital && character == SHARP_S) {
        strbuf_add_string(out, transform == TRANSFORM_UPPER ? "SS" : "Ss");
    } else {
        unicode_encode(out, is_capital                     ? unicode_upper(character)
                            : transform == TRANSFORM_LOWER ? unicode_lower(character)
                                                           : character);
    }
}

void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word)
{
    for (const char *at = text; at < text + length;) {
        uint32_t character = unicode_decode(&at);
        add(out, character, transform, begins_word);
        begins_word = !unicode_is_word(character) && character != '\'';
    }
}
