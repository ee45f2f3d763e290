/* Scripts of users, run in the page or in a frame of it. */
#ifndef RUNNER_PAGE_ELEMENT_EVALUATE_H
#define RUNNER_PAGE_ELEMENT_EVALUATE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/*
 * Runs a script in the page, or in the frame of it that this names (as page_target does; NULL:
 * none). *ret_value is its JSON value (null for undefined, and for a promise that is not waited
 * for), the caller's to decref. What is no script by itself may await, return or be an object in
 * braces. EVAL_ERROR for what it throws, and for a value that JSON cannot hold.
 */
bool page_evaluate(struct page *page, const char *frame, const char *expression, bool await_promise,
                   json_t **ret_value, struct br_error *err);

/* Whether the value of an expression is true in the sense of JavaScript; a promise is awaited. */
bool page_is_true(struct page *page, const char *expression, bool *ret_is_true,
                  struct br_error *err);

#endif
