/* The frames of a page, in its own and other processes, and the sessions of these processes. */
#ifndef RUNNER_PAGE_CORE_FRAMES_H
#define RUNNER_PAGE_CORE_FRAMES_H

#include "runner/base/clock.h"
#include "runner/page/core/frame.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

/* The kind of a process that joins the page. */
enum frames_process {
    PROCESS_FRAME,
    PROCESS_WORKER, /* or any other kind */
};

/*
 * Called for each process that joins, before it is resumed: sends it the settings without waiting
 * for replies. is_kept is false if the process does not belong to the page's frames and workers.
 */
typedef void frames_on_process(struct page *page, const char *session_id,
                               enum frames_process process, bool is_kept);

/* With `holds`, new processes are paused until they have received the page's settings. */
void frames_init(struct page *page, frames_on_process *on_process, bool holds);

/* Forgets all frames except the main one, which is in the page's own session. */
void frames_reset(struct page *page);
void frames_finish(struct page *page);

/*
 * Returns the parameters of Target.setAutoAttach, which makes a session for each process of the
 * page.
 */
json_t *frames_auto_attach(const struct page *page);

/* Pauses new processes from now on until they have received the settings. */
bool frames_hold(struct page *page, struct br_error *err);

/*
 * Handles an event of one of the page's sessions about frames or further processes. Other parts
 * have to see the event, too.
 */
void frames_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

/* Returns whether the session belongs to a frame or worker of this page. */
bool frames_has_session(const struct page *page, const char *session_id);

/*
 * Requests the list of frames again if it has changed; only this function moves frames in memory.
 */
bool frames_update(struct page *page, struct br_error *err);

/* Marks the list of frames as outdated. */
void frames_touch(struct page *page);

/*
 * The frames in document order, the main one first; an open page always has one. Borrowed until the
 * next frames_update(), as is each frame.
 */
size_t frames_count(const struct page *page);
struct frame *frame_at(const struct page *page, size_t index);
struct frame *frame_main(const struct page *page);

/*
 * Returns the sessions of the page's other processes, one for each frame or worker; NULL after the
 * last one.
 */
const char *frames_session(const struct page *page, size_t index, bool *ret_is_frame);

/* Returns the id of the page's main world there (a text); NULL: none. Borrowed. */
json_t *frame_context(const struct page *page, const struct frame *frame);

/* Returns NULL if it no longer exists. Borrowed until the next frames_update(). */
struct frame *frame_find(struct page *page, const char *frame_id);

/*
 * For calls to a frame that the user has not named: between begin and end each call may take a
 * second. A process that did not reply by then is skipped for a while: frame_is_silent(). `err`
 * NULL: it replied.
 */
bool frame_is_silent(const struct page *page, const struct frame *frame);
struct deadline frame_begin(struct page *page);
void frame_end(struct page *page, const struct frame *frame, struct deadline before,
               const struct br_error *err);

/* Sends a command to the frame's session; takes ownership of params. */
bool frame_command(struct page *page, const struct frame *frame, const char *method, json_t *params,
                   json_t **ret_result, struct br_error *err);

/*
 * Returns the loader id of the document in a frame; NULL if the frame no longer exists. Borrowed.
 */
const char *page_frame_loader(struct page *page, const char *frame_id);

#endif
