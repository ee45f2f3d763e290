/*
 * The rules of the session (runner/base/policy.h) where the browser asks for things: every request
 * of the page, of its frames, workers and windows stops until it was judged, from the first one on.
 * For the files of this folder.
 */
#ifndef RUNNER_PAGE_WORLD_GUARD_H
#define RUNNER_PAGE_WORLD_GUARD_H

#include "runner/page/core/navigation.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* What sessions are of, as far as it matters here. */
enum guard_kind {
    GUARD_TAB,
    GUARD_FRAME,
    GUARD_WORKER,
};

/* Whether there are rules about URLs. New targets wait then until guard_tell(). */
bool guard_is_on(const struct page *page);

/* Puts the tab that has just become the page under the rules, before it goes anywhere. */
bool guard_begin(struct page *page, struct br_error *err);

/* The same for any other session, without waiting; to be called before its target may go on. */
void guard_tell(struct page *page, const char *session_id, enum guard_kind kind);

/* Lets a target go on that is none of ours, or that is under the rules. */
void guard_release(struct page *page, const char *session_id);

/* Adds what has to stop to the patterns of Fetch.enable. */
void guard_add_patterns(const struct page *page, json_t *patterns);

/* Whether a request that has stopped was dealt with: refused, or an answer that was looked at. */
bool guard_on_paused(struct page *page, const char *session_id, const json_t *params);

/* Looks at an event of any session; true when it is for nobody else. */
bool guard_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

/* Targets of the tab that came while another one was the page. To be called once it is the page. */
void guard_meet_children(struct page *page);

/* Whether a document of the page was refused since the mark; the error is that refusal then. */
bool guard_has_refused(const struct page *page, struct page_mark before, struct br_error *err);

void guard_finish(struct page *page);

#endif
