/* The mouse, for the files of this folder. */
#ifndef RUNNER_PAGE_ELEMENT_INPUT_H
#define RUNNER_PAGE_ELEMENT_INPUT_H

#include "runner/page/core/state.h"

/* As page_hover(), for what has more to show of it. */
bool input_hover(struct page *page, const struct page_target *target,
                 const struct page_click *options, struct br_error *err);

/* Clicks where input_hover() has moved the mouse for this target; see page_click(). */
bool input_click_here(struct page *page, const struct page_target *target,
                      const struct page_click *options, struct br_error *err);

/*
 * Where an element is put when it is scrolled into view, for locate.js: another way at each attempt
 * after one that found it covered, since headers and bars stick to the edges.
 */
const char *input_alignment(int attempt, bool was_covered);

/*
 * As target_locate() in a mode that operates a control where a person could: what covers the frame
 * that it is in, or one around it, is TARGET_OBSCURED. Takes ownership of more.
 */
bool input_operate(struct page *page, const struct page_target *target, const char *mode,
                   json_t *more, json_t **ret_answer, struct br_error *err);

/* Whether the place that the target names is inside the viewport; otherwise TARGET_NOT_VISIBLE. */
bool input_check_place(const struct page *page, const struct page_target *target,
                       struct br_error *err);

#endif
