/* Scripts of users, run in the page or in a frame of it. */
#ifndef RUNNER_PAGE_ELEMENT_EVALUATE_H
#define RUNNER_PAGE_ELEMENT_EVALUATE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

struct page_script {
    const char *text;
    const char *frame;   /* the one that it is run in, named as by page_target; NULL: the page */
    bool awaits_promise; /* its value is that of a promise */
    json_t *args;        /* an array: a function is called with these; borrowed; NULL: no call */
    bool is_typed;       /* the result is a description of the value */
    /* Called once when the script is on its way, to send more behind it. NULL: nothing is. */
    void (*on_sent)(struct page *page);
    bool was_promise;   /* set by page_evaluate() if it is_typed: a promise was awaited */
    bool has_followers; /* set by page_evaluate(): more scripts were run for the value */
};

/*
 * Runs a script. *ret_value is its JSON value (null for undefined, and for a promise that is not
 * waited for), the caller's to decref. What is no script by itself may await, return or be an
 * object in braces. EVAL_ERROR for what it throws, and for a value that JSON cannot hold, unless
 * it is_typed; and for arguments of what is no function.
 */
bool page_evaluate(struct page *page, struct page_script *script, json_t **ret_value,
                   struct br_error *err);

/* Whether the value of an expression is true in the sense of JavaScript; a promise is awaited. */
bool page_is_true(struct page *page, const char *expression, bool *ret_is_true,
                  struct br_error *err);

#endif
