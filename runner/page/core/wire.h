/* Commands to the page and its browser, deadlines, and signs of life. */
#ifndef RUNNER_PAGE_CORE_WIRE_H
#define RUNNER_PAGE_CORE_WIRE_H

#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;

/* No wait of the page's goes beyond this. */
void page_set_deadline(struct page *page, struct deadline deadline);
struct deadline page_deadline(const struct page *page);

/* Ends the wait that goes on and all later ones. From any thread. */
void page_interrupt(struct page *page);

/* The same with CANCELLED, until page_resume(): there can be waited again. */
void page_cancel(struct page *page);
void page_resume(struct page *page);

/* Makes this eventfd readable when there is something to catch up with; -1: none. */
void page_watch(struct page *page, int fd);

/* Whether its browser and its process live, as far as events told. */
bool page_is_alive(struct page *page);

/* The same, with the reason why an action cannot even begin. */
bool page_check_alive(struct page *page, struct br_error *err);

/*
 * Whether the browser is there: asks it for a sign of life and waits so long for it. Its end is
 * noticed by that.
 */
bool page_ping_browser(struct page *page, int64_t ms);

/* When the page's scripts last gave a sign of life, on the monotonic clock; 0: never. */
int64_t page_answered_at_ms(const struct page *page);

/*
 * Ends the process of a page that is stuck, or has it end with the tab where the browser would not
 * survive that. The page is not alive any more.
 */
void page_crash(struct page *page);

/* The id of its tab; NULL before it is open. Borrowed. */
const char *page_target_id(const struct page *page);

/* Closes another tab, without waiting for it. */
void page_close_target(struct page *page, const char *target_id);

/* Waits without doing anything else, as an action's definition asks for. */
bool page_pause(struct page *page, int64_t ms, struct br_error *err);

/* A command to the page's session; takes ownership of params. */
bool page_command(struct page *page, const char *method, json_t *params, json_t **ret_result,
                  struct br_error *err);

/*
 * The parameters (an object, or NULL for none) of a command to the browser, limited to what the
 * page shares cookies and storage with. Takes ownership, and gives it.
 */
json_t *page_in_context(const struct page *page, json_t *params);

/* Whether what the browser tells of a target is of a tab that shares these. */
bool page_is_in_context(const struct page *page, const json_t *target);

/* The page has ended: every wait ends with PAGE_CRASHED and this reason. */
void wire_break(struct page *page, const char *reason);

/* Whether a call failed because its document went away under it: the next one has its answer. */
static inline bool page_was_left(const struct br_error *err)
{
    return err->code == BR_STALE_NODE || err->code == BR_UNKNOWN_ERROR;
}

void wire_init(struct page *page, const char *context_id);
void wire_finish(struct page *page);

/* The tab is the page from now on. */
void wire_enter_tab(struct page *page, const char *target_id, const char *session_id);

/* The session of the page's tab, and its main frame; NULL before it is open. Borrowed. */
const char *page_session(const struct page *page);
const char *page_frame_id(const struct page *page);

/* Whether it is the session of the page's tab. */
bool wire_is_own(const struct page *page, const char *session_id);

/* Whether its cookies and storage are others than the profile's. */
bool wire_has_context(const struct page *page);

/* What Chrome calls the context, the first time that it says so. */
void wire_learn_context(struct page *page, const char *home_id);

/* The page's scripts have just run. */
void wire_note_answer(struct page *page);

/* A capture of the tab has failed so: unless that was Chrome's refusal, it may still be made. */
void wire_note_unanswered(struct page *page, const struct br_error *err);

/* What wire_break() has ended goes on in another tab. */
void wire_mend(struct page *page);

/* The halves of page_command(), and one that nobody waits for; as cdp_send() and cdp_post(). */
int64_t page_send(struct page *page, const char *method, json_t *params, struct br_error *err);
void page_post(struct page *page, const char *method, json_t *params);

#endif
