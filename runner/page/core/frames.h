/*
 * The frames of a page, in its own process and in others, and the sessions of those.
 */
#ifndef RUNNER_PAGE_CORE_FRAMES_H
#define RUNNER_PAGE_CORE_FRAMES_H

#include "runner/base/clock.h"
#include "runner/page/core/frame.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

/* What a process that joins the page runs. */
enum frames_process {
    PROCESS_FRAME,
    PROCESS_WORKER, /* or whatever else */
};

/*
 * Is called for each process that joins, before it may go on: whoever has something to tell it does
 * so, without waiting. One that is not kept is none of the page's frames and workers.
 */
typedef void frames_on_process(struct page *page, const char *session_id,
                               enum frames_process process, bool is_kept);

/* With `holds` processes that join wait until they were told of what holds for the page. */
void frames_init(struct page *page, frames_on_process *on_process, bool holds);

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

/* Asks for the frames again if some came or went: only this moves them. */
bool frames_update(struct page *page, struct br_error *err);

/* Some may have come, gone or moved. */
void frames_touch(struct page *page);

/* The frames in the order of their documents, the main one first; there is always one of an open
 * page. Borrowed until the next frames_update(), as is each. */
size_t frames_count(const struct page *page);
struct frame *frame_at(const struct page *page, size_t index);
struct frame *frame_main(const struct page *page);

/* The sessions of the page's other processes, a frame's or a worker's each; NULL behind the last.
 */
const char *frames_session(const struct page *page, size_t index, bool *ret_is_frame);

/* The id of the world of the page's own scripts there (a text); NULL: there is none. Borrowed. */
json_t *frame_context(const struct page *page, const struct frame *frame);

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

/* A command to the frame's session; takes ownership of params. */
bool frame_command(struct page *page, const struct frame *frame, const char *method, json_t *params,
                   json_t **ret_result, struct br_error *err);

/*
 * The document that a frame shows, by Chrome's id of what fetched it; NULL when the frame has gone.
 * Borrowed.
 */
const char *page_frame_loader(struct page *page, const char *frame_id);

#endif
