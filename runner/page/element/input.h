/* The mouse. */
#ifndef RUNNER_PAGE_ELEMENT_INPUT_H
#define RUNNER_PAGE_ELEMENT_INPUT_H

#include "runner/page/element/reach.h"

#include <stdbool.h>

struct br_error;
struct element;
struct job;
struct page;
struct page_target;

/*
 * As page_hover(), for what has more to do with the element; of a place *ret_element stays empty.
 * element_finish() is the caller's to call.
 */
bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct element *ret_element,
                 struct br_error *err);

/* Clicks where input_hover() has moved the mouse for this element, or place; see page_click(). */
bool input_click_here(struct page *page, const struct element *element,
                      const struct page_click *options, struct br_error *err);

/*
 * As target_locate() of a job that operates a control where a person could: what covers the frame
 * that it is in, or one around it, is TARGET_OBSCURED. What was found before is finished first.
 */
bool input_operate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err);

/*
 * Clicks with trusted input events: on an element, or in the middle of the place. An element is
 * scrolled into view, has to stand still, be enabled and receive the hit; otherwise
 * TARGET_NOT_FOUND, TARGET_AMBIGUOUS, TARGET_NOT_VISIBLE, TARGET_DISABLED or TARGET_OBSCURED,
 * whichever stayed true to the end of the patience.
 */
bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

/* Moves the mouse to where page_click() would click, and leaves it there. */
bool page_hover(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

/* Gives an element the focus. With is_editable it has to take text; with is_cleared it is emptied.
 */
bool page_focus(struct page *page, const struct page_target *target, bool is_editable,
                bool is_cleared, struct br_error *err);

#endif
