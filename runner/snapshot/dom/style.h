/* The computed styles requested with a snapshot. */
#ifndef RUNNER_SNAPSHOT_DOM_STYLE_H
#define RUNNER_SNAPSHOT_DOM_STYLE_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

/* In the order of snapshot_styles, followed by those of snapshot_frame_styles. */
enum style {
    STYLE_DISPLAY,
    STYLE_VISIBILITY,
    STYLE_CONTENT,
    STYLE_TEXT_TRANSFORM,
    STYLE_OVERLAY,
    STYLE_CURSOR,
    STYLE_POINTER_EVENTS,
    STYLE_OVERFLOW,
    STYLE_POSITION,
    STYLE_CLIP_PATH,
    STYLE_OPACITY,
    STYLE_TEXT_SECURITY,
    STYLE_CONTENT_VISIBILITY,
    STYLE_BORDER_LEFT,
    STYLE_BORDER_TOP,
    STYLE_PADDING_LEFT,
    STYLE_PADDING_TOP,
    STYLE_COUNT,
};

/*
 * The styles to request, in this order; the second list follows for pages with frames. Each style
 * costs Chrome about 2 %. Both end with NULL.
 */
extern const char *const snapshot_styles[];
extern const char *const snapshot_frame_styles[];

/* Sets the layout's fields from the style values; frame styles are NULL if not requested. */
void style_apply(struct snapshot_layout *layout, const char *const styles[STYLE_COUNT]);

/*
 * Adds the text as rendered; changes the case of Latin, Greek and Cyrillic letters. begins_word:
 * the text does not continue a word.
 */
void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word);

#endif
