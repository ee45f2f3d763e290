/* A mark over the page, which Chrome draws: the page has no part in it, and hears nothing of it. */
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
    struct page_box box; /* of the viewport, where the target names no element */
    unsigned color;      /* 0xRRGGBB */
    int64_t ms;          /* until it is gone */
    bool is_captured;    /* pictures show it */
};

/*
 * Marks the element, which the mark follows, or the box, in the place of what was marked before.
 * Nothing is scrolled: TARGET_NOT_VISIBLE where nothing of it is in the viewport. *ret_drawn is
 * { x, y, width, height, element }, as far as it is in the viewport, the caller's to decref.
 */
bool page_highlight(struct page *page, const struct page_target *target,
                    const struct page_highlight *options, json_t **ret_drawn, struct br_error *err);

/* Ends a mark whose time is over, without waiting; returns when the next one is. */
struct deadline highlight_tend(struct page *page);

/*
 * Until highlight_again() a picture does not show it, unless it may. False when there is nothing
 * to hide.
 */
bool highlight_hide(struct page *page, bool may_show);
void highlight_again(struct page *page);

void highlight_init(struct page *page);
void highlight_finish(struct page *page);

#endif
