/* The mouse, for the files of this folder. */
#ifndef RUNNER_PAGE_INPUT_H
#define RUNNER_PAGE_INPUT_H

#include "runner/page/state.h"

/* As page_hover(), for what has more to show of it. */
bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct br_error *err);

/* Clicks where input_hover() has moved the mouse for this target; see page_click(). */
bool input_click_here(struct page *page, const struct page_target *target,
                      const struct page_click *options, struct br_error *err);

/* Whether the place that the target names is inside the viewport; otherwise TARGET_NOT_VISIBLE. */
bool input_check_place(const struct page *page, const struct page_target *target,
                       struct br_error *err);

#endif
