/* Waiting for conditions that a user names. */
#ifndef RUNNER_PAGE_ELEMENT_WAIT_H
#define RUNNER_PAGE_ELEMENT_WAIT_H

#include <stdbool.h>

struct br_error;
struct page;
struct page_target;

enum page_element_state {
    PAGE_VISIBLE,
    PAGE_HIDDEN, /* absent, or not visible */
    PAGE_ATTACHED,
    PAGE_DETACHED,
};

bool page_wait_element(struct page *page, const struct page_target *target,
                       enum page_element_state state, struct br_error *err);
bool page_wait_text(struct page *page, const char *text, struct br_error *err);

/* pattern: a glob with *, or without one a part of the URL. */
bool page_wait_url(struct page *page, const char *pattern, struct br_error *err);
bool page_wait_expression(struct page *page, const char *expression, struct br_error *err);

#endif
