/*
 * The frames of a page, in its own process and in others, and the sessions of those; for the files
 * of this folder.
 */
#ifndef RUNNER_PAGE_CORE_FRAMES_H
#define RUNNER_PAGE_CORE_FRAMES_H

#include "runner/page/core/state.h"

/* Forgets all frames but the main one, which lives in the page's own session. */
void frames_reset(struct page *page);
void frames_finish(struct page *page);

/* Parameters of Target.setAutoAttach: a session for each process that the page uses. */
json_t *frames_auto_attach(const struct page *page);

/* New processes wait from now on until they were told of the settings. */
bool frames_hold(struct page *page, struct br_error *err);

/*
 * Applies an event of one of the page's sessions that tells of frames, or of another process that
 * the page uses. Never the last one to be interested in it.
 */
void frames_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

/* Whether the session is of a frame or of a worker of this page. */
bool frames_has_session(const struct page *page, const char *session_id);

/* Asks for the frames again if some came or went: only this moves those in page->frames. */
bool frames_update(struct page *page, struct br_error *err);

/* NULL when it is gone. Borrowed until the next frames_update(). */
struct frame *frame_find(struct page *page, const char *frame_id);

/*
 * Around calls to a frame that nobody named: each may take a second, and a process that did not
 * answer by then is left out for a while. `err` NULL: it answered. frame_is_silent() says that.
 */
bool frame_is_silent(const struct page *page, const struct frame *frame);
struct deadline frame_begin(struct page *page);
void frame_end(struct page *page, const struct frame *frame, struct deadline before,
               const struct br_error *err);

/* The frame in which the last element was found; the main one before. */
struct frame *frame_acting(struct page *page);
void frame_set_acting(struct page *page, const struct frame *frame);

/* The frame that has the focus. */
bool frame_follow_focus(struct page *page, struct frame **ret_frame, struct br_error *err);

/*
 * The only frame whose name is this, or whose URL matches (a glob with `*`, or a part of it), or
 * whose element the selector finds. TARGET_NOT_FOUND, TARGET_AMBIGUOUS.
 */
bool frame_resolve(struct page *page, const char *wanted, struct frame **ret_frame,
                   struct br_error *err);

/* A point of a frame's viewport, CSS pixels. */
struct frame_point {
    double x, y;
    double scale;              /* of the frame in the page */
    double scroll_x, scroll_y; /* of the page */
};

/*
 * Where a point of the frame is in the page's viewport. With is_input it is scrolled into view and
 * has to be hit there: TARGET_NOT_VISIBLE, TARGET_OBSCURED otherwise.
 */
bool frame_to_page(struct page *page, struct frame *frame, struct frame_point *point, bool is_input,
                   struct br_error *err);

/* One step of it, from a frame that has a parent. */
bool frame_to_parent(struct page *page, const struct frame *frame, struct frame_point *point,
                     bool is_input, struct frame **ret_parent, struct br_error *err);

/* Of what it shows of its document, in pixels of its own. */
bool frame_get_size(struct page *page, const struct frame *frame, double *ret_width,
                    double *ret_height, struct br_error *err);

/* POLICY_DENIED where data-no-ai is on the frame's element, or on what is around it. */
bool frame_check_policy(struct page *page, struct frame *frame, struct br_error *err);

/* frame_call.c */

/* The context of our scripts in this frame. */
bool frame_ensure_world(struct page *page, struct frame *frame, struct br_error *err);

/* The same for all frames at once, as far as they answer. */
void frames_ensure_worlds(struct page *page);

/*
 * As page_call_function(), in this frame and with objects (ids) as further arguments, which may be
 * NULL. Both stay the caller's. TARGET_NOT_FOUND when a frame other than the main one has gone.
 */
bool frame_call(struct page *page, struct frame *frame, const char *function, json_t *argument,
                const json_t *objects, json_t **ret_value, struct br_error *err);

/* What one of several frames is asked, and what it said. */
struct frame_question {
    struct frame *frame;
    json_t *objects;  /* as frame_call() has them, of this frame; NULL: none */
    bool is_left_out; /* it is not asked; `err` says why */
    bool is_answered;
    json_t *answer;
    struct br_error err; /* where it did not answer: as of frame_call(), TIMEOUT if it is silent */
    int64_t call_id;     /* while it is asked */
};

/* One for each frame of the page, in their order; for as long as no frames_update() moves them. */
struct frame_question *frame_questions_create(struct page *page);
void frame_questions_destroy(struct frame_question *questions, size_t count);

/*
 * Calls the function in the frames of these questions, in all of them at once. Of those inside of
 * the page each may take a second once the others have answered, see frame_begin(); silent ones are
 * left out. The argument stays the caller's.
 */
void frames_ask(struct page *page, const char *function, json_t *argument,
                struct frame_question *questions, size_t count);

/*
 * The same in each frame but the main one, of those that the last frames_update() found; what has
 * gone, or does not answer soon, is passed over. The argument stays the caller's.
 */
void frames_call_others(struct page *page, const char *function, json_t *argument);

/*
 * The two halves of a call in the world that the frame has by now: for what only its present
 * document can tell. Each that is sent is received. The argument, which may be NULL, stays the
 * caller's.
 */
int64_t frame_send_call(struct page *page, struct frame *frame, const char *function,
                        json_t *argument, struct br_error *err);
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

/* The same of the element that locate.js has kept last in this frame. */
bool frame_get_kept(struct page *page, struct frame *frame, char **ret_object_id,
                    struct br_error *err);

/*
 * Whether a call to a frame failed because its document had gone by then: what was done to it has
 * led elsewhere, and it has no more to say. A timeout, or a page that crashed, is no such thing.
 */
bool frame_has_gone(struct page *page, const struct br_error *err);

/* Of the objects that are asked for by id: the protocol's name for what is let go together. */
extern const char *const frame_object_group;

/* Lets go of all objects of the frame's process that were asked for. */
void frame_release(struct page *page, const struct frame *frame);

/* A command to the frame's session; takes ownership of params. */
bool frame_command(struct page *page, const struct frame *frame, const char *method, json_t *params,
                   json_t **ret_result, struct br_error *err);

#endif
