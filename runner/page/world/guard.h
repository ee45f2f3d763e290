/*
 * Applies the session's rules to the page, its frames, workers and windows from their first request
 * on (see judge.h): new targets are paused until they have received the rules.
 */
#ifndef RUNNER_PAGE_WORLD_GUARD_H
#define RUNNER_PAGE_WORLD_GUARD_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

/* The kind of a session's target. */
enum guard_kind {
    GUARD_TAB,
    GUARD_FRAME,
    GUARD_WORKER,
};

/* Applies the rules to the tab that has just become the page, before it navigates. */
bool guard_begin(struct page *page, struct br_error *err);

/* Applies them to any other session, without waiting; call before its target is resumed. */
void guard_tell(struct page *page, const char *session_id, enum guard_kind kind);

/* Resumes a target that does not belong to the page, or that has the rules. */
void guard_release(struct page *page, const char *session_id);

/*
 * Returns the number of the tab, other than the page, that contains the frame or worker with this
 * session; 0: none.
 */
int guard_tab_of_child(const struct page *page, const char *session_id);

/* Examines an event of any session; true if no other part needs it. */
bool guard_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

/*
 * Handles targets of the tab that appeared while another tab was the page. Call when it has become
 * the page.
 */
void guard_meet_children(struct page *page);

void guard_init(struct page *page);
void guard_finish(struct page *page);

#endif
