/* Functions of ours, called in the world that the page's scripts cannot tamper with. */
#ifndef RUNNER_PAGE_CORE_CALL_H
#define RUNNER_PAGE_CORE_CALL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct frame;
struct page;

/* The context of our scripts in this frame; the two halves of asking for another one. */
bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err);
int64_t frame_send_world(struct page *page, struct frame *frame, struct br_error *err);
bool frame_receive_world(struct page *page, struct frame *frame, int64_t id, struct br_error *err);

/*
 * As page_call_function(), in this frame and with objects (ids) as further arguments, which may be
 * NULL. Both stay the caller's. What a job has found is for element_take(). TARGET_NOT_FOUND when a
 * frame other than the main one has gone.
 */
bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err);

/*
 * The two halves of a call in the world that the frame has by now: for what only its present
 * document can tell. Each that is sent is received. The argument, which may be NULL, stays the
 * caller's.
 */
int64_t frame_send_call(struct page *page, struct frame *frame, const char *function,
                        json_t *argument, struct br_error *err);
int64_t frame_send_call_on(struct page *page, struct frame *frame, const char *function,
                           json_t *argument, const json_t *objects, struct br_error *err);
bool frame_receive_call(struct page *page, struct frame *frame, int64_t id, json_t **ret_value,
                        struct br_error *err);

/* The first half alone, of a call that nobody waits for; as cdp_post(). */
void frame_post_call(struct page *page, struct frame *frame, const char *function,
                     json_t *argument);

/*
 * The object that a function returns, by the id that page_command() knows it by; NULL for none. The
 * caller frees the id, and the object by frame_release().
 */
bool frame_get_object(struct page *page, struct frame *frame, const char *function,
                      char **ret_object_id, struct br_error *err);

/*
 * Whether a call to a frame failed because its document had gone by then: what was done to it has
 * led elsewhere, and it has no more to say. A timeout, or a page that crashed, is no such thing.
 */
bool frame_has_gone(struct page *page, const struct br_error *err);

/* Says so of a frame inside the page, which may go at any time; always false. */
bool frame_explain_gone(struct page *page, const struct frame *frame, struct br_error *err);

/* Of the objects that are asked for by id: the protocol's name for what is let go together. */
extern const char *const frame_object_group;

/* The same of what jobs have found: see element/element.h. */
extern const char *const frame_element_group;

/* Lets go of all objects of the frame's process that were asked for. */
void frame_release(struct page *page, const struct frame *frame);

/*
 * Calls a function of ours (its source text) in the main frame. Takes ownership of argument, which
 * becomes its only argument.
 */
bool page_call_function(struct page *page, const char *function, json_t *argument,
                        json_t **ret_value, struct br_error *err);

/*
 * Takes the value out of the result of Runtime.evaluate or Runtime.callFunctionOn; an exception of
 * the script is EVAL_ERROR. The caller decrefs.
 */
bool call_take_value(json_t *reply, json_t **ret_value, struct br_error *err);

/* EVAL_ERROR with what a script threw; always false. */
bool call_script_error(const json_t *details, struct br_error *err);

/* False with the error when a script of ours answered { code, message, hint }. */
bool call_answer_is_fine(const json_t *answer, struct br_error *err);

/* Whether the page's scripts run: asks for a sign of life and waits so long for it. */
bool page_answers(struct page *page, int64_t ms);

#endif
