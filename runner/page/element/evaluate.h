/* Runs users' scripts in the page or in a frame. */
#ifndef RUNNER_PAGE_ELEMENT_EVALUATE_H
#define RUNNER_PAGE_ELEMENT_EVALUATE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

struct page_script {
    const char *text;
    const char *frame;   /* the frame to run it in, named as in page_target; NULL: the page */
    bool awaits_promise; /* wait for a promise and use its value */
    json_t *args;        /* an array: the script is a function to be called with these; borrowed;
                            NULL: no call */
    bool is_typed;       /* return a description of the value */
    /* Called once when the script was sent, to send more commands after it. NULL: none. */
    void (*on_sent)(struct page *page);
    bool was_promise;   /* set by page_evaluate() if is_typed: a promise was awaited */
    bool has_followers; /* set by page_evaluate(): further scripts were run to get the value */
};

/*
 * Runs a script. *ret_value is its JSON value (null for undefined, and for a promise that is not
 * awaited); the caller decrefs. A text that is not a valid script may use await or return, or be an
 * object in braces. EVAL_ERROR for an exception, for a value that JSON cannot express unless
 * is_typed, and for arguments to something that is not a function.
 */
bool page_evaluate(struct page *page, struct page_script *script, json_t **ret_value,
                   struct br_error *err);

/* Returns whether the value of an expression is truthy in JavaScript; awaits a promise. */
bool page_is_true(struct page *page, const char *expression, bool *ret_is_true,
                  struct br_error *err);

#endif
