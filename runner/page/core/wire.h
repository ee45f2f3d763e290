/* Commands to the page and its browser, deadlines, and checks whether they respond. */
#ifndef RUNNER_PAGE_CORE_WIRE_H
#define RUNNER_PAGE_CORE_WIRE_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;

/* Sets the deadline of all waits of the page. */
void page_set_deadline(struct page *page, struct deadline deadline);
struct deadline page_deadline(const struct page *page);

/* Ends the current wait and all later ones. May be called from any thread. */
void page_interrupt(struct page *page);

/* Ends waits with CANCELLED until page_resume(). */
void page_cancel(struct page *page);
void page_resume(struct page *page);

/* Sets an eventfd that becomes readable when there are events to process; -1: none. */
void page_watch(struct page *page, int fd);

/*
 * Returns the width and height of the viewport, CSS pixels of the page. A page on a phone decides
 * itself how large it is laid out: by <meta name="viewport">, or by its widest content.
 */
void wire_viewport(struct page *page, double *ret_width, double *ret_height);

/* Returns whether its browser and its process are alive, according to events. */
bool page_is_alive(struct page *page);

/* As page_is_alive(), with the reason as error. */
bool page_check_alive(struct page *page, struct br_error *err);

/* Checks whether the browser responds to a command within `ms`; this also notices its end. */
bool wire_ping_browser(struct page *page, int64_t ms);

/*
 * Sends a question to the browser, before the commands that follow. Chrome handles commands in
 * their order: a page whose end it reports before it answers has received none of them.
 */
void wire_send_fence(struct page *page);

/* Waits at most 300 ms for the answer. After the reply to a later command it is there already. */
void wire_await_fence(struct page *page);

/* Returns whether the page ended before the browser answered the last wire_send_fence(). */
bool wire_is_untouched(const struct page *page);

/* Returns when the page's scripts last responded, on the monotonic clock; 0: never. */
int64_t page_answered_at_ms(const struct page *page);

/*
 * Kills the process of a stuck page, or closes the tab if the browser would not survive the kill.
 * The page is not alive afterwards.
 */
void page_crash(struct page *page);

/* Returns the id of its tab; NULL before it is open. Borrowed. */
const char *page_target_id(const struct page *page);

/* Closes another tab without waiting. */
void page_close_target(struct page *page, const char *target_id);

/* Only waits, for actions that request a pause. */
bool page_pause(struct page *page, int64_t ms, struct br_error *err);

/* Sends a command to the page's session; takes ownership of params. */
bool page_command(struct page *page, const char *method, json_t *params, json_t **ret_result,
                  struct br_error *err);

/*
 * Limits the parameters (an object, or NULL) of a browser command to the page's browser context.
 * Takes ownership, and returns it.
 */
json_t *page_in_context(const struct page *page, json_t *params);

/* Returns whether a target is a tab in the same browser context. */
bool page_is_in_context(const struct page *page, const json_t *target);

/* Marks the page as ended: every wait fails with PAGE_CRASHED and this reason. */
void wire_break(struct page *page, const char *reason);

/* Returns whether a call failed because its document was replaced: repeating it will work. */
static inline bool page_was_left(const struct br_error *err)
{
    return err->code == BR_STALE_NODE || err->code == BR_UNKNOWN_ERROR;
}

void wire_init(struct page *page, const char *context_id);
void wire_finish(struct page *page);

/* Makes the tab the page. */
void wire_enter_tab(struct page *page, const char *target_id, const char *session_id);

/* Return the session of the page's tab, and its main frame; NULL before it is open. Borrowed. */
const char *page_session(const struct page *page);
const char *page_frame_id(const struct page *page);

/* Returns whether it is the session of the page's tab. */
bool wire_is_own(const struct page *page, const char *session_id);

/* Returns whether its cookies and storage are separate from the profile's. */
bool wire_has_context(const struct page *page);

/* Records Chrome's id of the profile's context when it is first reported. */
void wire_learn_context(struct page *page, const char *home_id);

/* Records that the page's scripts have just run. */
void wire_note_answer(struct page *page);

/* Records a failed capture of the tab: unless Chrome refused it, it may still be in progress. */
void wire_note_unanswered(struct page *page, const struct br_error *err);

/* Undoes wire_break(), to continue in another tab. */
void wire_mend(struct page *page);

/*
 * The first half of page_command(), and a command whose reply is ignored; as cdp_send() and
 * cdp_post().
 */
int64_t page_send(struct page *page, const char *method, json_t *params, struct br_error *err);
void page_post(struct page *page, const char *method, json_t *params);

#endif
