/* Calls our functions in an isolated world, which the page's scripts cannot tamper with. */
#ifndef RUNNER_PAGE_CORE_CALL_H
#define RUNNER_PAGE_CORE_CALL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct frame;
struct page;

/* Create the execution context of our scripts in this frame; the last two are its halves. */
bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err);
int64_t frame_send_world(struct page *page, struct frame *frame, struct br_error *err);
bool frame_receive_world(struct page *page, struct frame *frame, int64_t id, struct br_error *err);

/*
 * As page_call_function(), in this frame, with objects (ids) as further arguments, which may be
 * NULL. Both stay the caller's. Use element_take() for the result of a job. TARGET_NOT_FOUND if a
 * frame other than the main one no longer exists.
 */
bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err);

/*
 * The two halves of a call in the frame's existing world, for questions about its present document.
 * Each sent call must be received. The argument, which may be NULL, stays the caller's.
 */
int64_t frame_send_call(struct page *page, struct frame *frame, const char *function,
                        json_t *argument, struct br_error *err);
int64_t frame_send_call_on(struct page *page, struct frame *frame, const char *function,
                           json_t *argument, const json_t *objects, struct br_error *err);
bool frame_receive_call(struct page *page, struct frame *frame, int64_t id, json_t **ret_value,
                        struct br_error *err);

/* Sends a call whose reply is ignored; as cdp_post(). */
void frame_post_call(struct page *page, struct frame *frame, const char *function,
                     json_t *argument);

/*
 * Gets the object that a function returns, as an id for page_command(); NULL for none. The caller
 * frees the id, and releases the object with frame_release().
 */
bool frame_get_object(struct page *page, struct frame *frame, const char *function,
                      char **ret_object_id, struct br_error *err);

/*
 * Returns whether a call failed because the frame's document no longer exists: the action has
 * navigated it away. False for a timeout or a crash.
 */
bool frame_has_gone(struct page *page, const struct br_error *err);

/* Sets the error for a subframe that may have disappeared; always false. */
bool frame_explain_gone(struct page *page, const struct frame *frame, struct br_error *err);

/* The protocol's object group for objects that are returned by id; they are released together. */
extern const char *const frame_object_group;

/* The object group of elements found by jobs: see element/element.h. */
extern const char *const frame_element_group;

/* Releases all objects of the frame's process that were returned by id. */
void frame_release(struct page *page, const struct frame *frame);

/*
 * Calls our function (its source text) in the main frame. Takes ownership of argument, its only
 * argument.
 */
bool page_call_function(struct page *page, const char *function, json_t *argument,
                        json_t **ret_value, struct br_error *err);

/*
 * Extracts the value from the result of Runtime.evaluate or Runtime.callFunctionOn; an exception is
 * EVAL_ERROR. The caller decrefs.
 */
bool call_take_value(json_t *reply, json_t **ret_value, struct br_error *err);

/* Sets EVAL_ERROR with the exception that a script threw; always false. */
bool call_script_error(const json_t *details, struct br_error *err);

/* Returns false with an error if our script returned { code, message, hint }. */
bool call_answer_is_fine(const json_t *answer, struct br_error *err);

/* Checks whether the page's scripts run, by a call that may take `ms`. */
bool page_answers(struct page *page, int64_t ms);

#endif
