/* A highlight drawn by Chrome over the page, which the page cannot detect. */
#ifndef RUNNER_PAGE_ELEMENT_HIGHLIGHT_H
#define RUNNER_PAGE_ELEMENT_HIGHLIGHT_H

#include "runner/base/clock.h"
#include "runner/page/core/box.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

struct page_highlight {
    struct page_box box; /* in the viewport, if the target is not an element */
    unsigned color;      /* 0xRRGGBB */
    int64_t ms;          /* duration */
    bool is_captured;    /* visible in pictures */
};

/*
 * Highlights the element, following it, or the box; replaces an earlier highlight. Does not scroll:
 * TARGET_NOT_VISIBLE if no part is in the viewport. *ret_drawn is { x, y, width, height, element },
 * the part in the viewport; the caller decrefs.
 */
bool page_highlight(struct page *page, const struct page_target *target,
                    const struct page_highlight *options, json_t **ret_drawn, struct br_error *err);

/* Removes a highlight whose time is over, without waiting; returns when the next one ends. */
struct deadline highlight_tend(struct page *page);

/*
 * Hides it from pictures until highlight_again(), unless pictures may show it. Returns false if
 * there is nothing to hide.
 */
bool highlight_hide(struct page *page, bool may_show);
void highlight_again(struct page *page);

void highlight_init(struct page *page);
void highlight_finish(struct page *page);

#endif
