/* Mouse input. */
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
 * As page_hover(), and returns the element for further use; *ret_element is empty for a place. The
 * caller calls element_finish().
 */
bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct element *ret_element,
                 struct br_error *err);

/* Clicks where input_hover() has moved the mouse for this element or place; see page_click(). */
bool input_click_here(struct page *page, const struct element *element,
                      const struct page_click *options, struct br_error *err);

/*
 * As target_locate(), for a job that operates a control: TARGET_OBSCURED if its frame, or an
 * enclosing one, is covered. *ret_element is finished before it is set again.
 */
bool input_operate(struct page *page, const struct page_target *target, const struct job *job,
                   struct element *ret_element, struct br_error *err);

/*
 * Clicks with trusted input events: on an element, or in the middle of the place. Scrolls the
 * element into view and requires it to be stable, enabled and hit by the click; otherwise
 * TARGET_NOT_FOUND, TARGET_AMBIGUOUS, TARGET_NOT_VISIBLE, TARGET_DISABLED or TARGET_OBSCURED,
 * whichever applied when the patience ended. If the page replaces the element between press and
 * release, and listens to neither, its replacement is clicked: STALE_NODE if that does not help.
 */
bool page_click(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

/* Moves the mouse to where page_click() would click. */
bool page_hover(struct page *page, const struct page_target *target,
                const struct page_click *options, struct br_error *err);

/* Focuses an element. With is_editable it must accept text; with is_cleared it is emptied. */
bool page_focus(struct page *page, const struct page_target *target, bool is_editable,
                bool is_cleared, struct br_error *err);

#endif
