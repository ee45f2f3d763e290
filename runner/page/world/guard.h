/*
 * Puts the page, its frames, workers and windows under the rules of the session, from their first
 * request on (see judge.h): new targets wait until they were told of them.
 */
#ifndef RUNNER_PAGE_WORLD_GUARD_H
#define RUNNER_PAGE_WORLD_GUARD_H

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

/*
 * Whether new tabs have to wait until they were told of the rules, or until their consoles are
 * reported: there is no other way to hear what a tab says before it goes elsewhere.
 */
bool guard_holds_tabs(const struct page *page);

/* Puts the tab that has just become the page under the rules, before it goes anywhere. */
bool guard_begin(struct page *page, struct br_error *err);

/* The same for any other session, without waiting; to be called before its target may go on. */
void guard_tell(struct page *page, const char *session_id, enum guard_kind kind);

/* Lets a target go on that is none of ours, or that is under the rules. */
void guard_release(struct page *page, const char *session_id);

/*
 * The number of the tab, other than the page, that the frame or worker with this session belongs
 * to; 0: none.
 */
int guard_tab_of_child(const struct page *page, const char *session_id);

/* Looks at an event of any session; true when it is for nobody else. */
bool guard_on_event(struct page *page, const char *session_id, const char *method, json_t *params);

/* Targets of the tab that came while another one was the page. To be called once it is the page. */
void guard_meet_children(struct page *page);

void guard_init(struct page *page);
void guard_finish(struct page *page);

#endif
