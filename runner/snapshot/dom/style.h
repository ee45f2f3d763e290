/* The computed styles that a reply comes with. */
#ifndef RUNNER_SNAPSHOT_DOM_STYLE_H
#define RUNNER_SNAPSHOT_DOM_STYLE_H

#include "runner/snapshot/dom/tree.h"

/* In the order of snapshot_styles, and of those of frames behind them. */
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

/* The styles to ask for, in this order, and behind them those of pages with frames: each costs
 * Chrome about 2 %. Both end with NULL. */
extern const char *const snapshot_styles[];
extern const char *const snapshot_frame_styles[];

/* What the values of these styles say; those of frames are NULL where they were not asked for. */
void style_apply(struct snapshot_layout *layout, const char *const styles[STYLE_COUNT]);

#endif
