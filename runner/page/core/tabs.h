/* The tabs that a page's session has open; one of them is the page. */
#ifndef RUNNER_PAGE_CORE_TABS_H
#define RUNNER_PAGE_CORE_TABS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

struct tab {
    int number; /* for users; counted from 1, never reused */
    char *target_id, *session_id;
    char *opener_id; /* target of the tab that opened it; NULL: none */
    bool is_enabled; /* its domains are enabled for recording */
    bool is_heard;   /* not the page, but its console is reported */
    bool is_whole;   /* Chrome draws the whole document, see whole.h */
    bool has_gone;   /* opened by a page: it has navigated away from about:blank */
    bool stays;      /* stays open at the end, since an adopted tab opened it */
    bool is_adopted; /* existed before: keeps its size, and stays open at the end */
};

/* Finds a tab; NULL: none. Borrowed until a tab is added or removed. */
struct tab *tabs_find(const struct page *page, const char *target_id);

/* Finds a tab by number; TARGET_NOT_FOUND if there is none. */
struct tab *tabs_find_number(struct page *page, int number, struct br_error *err);

/* Returns whether the tab is the page. */
bool tabs_is_page(const struct page *page, const struct tab *tab);

/* Returns whether there is no room for another tab; then sets the error. */
bool tabs_are_full(const struct page *page, struct br_error *err);

struct tab *tabs_add(struct page *page, const char *target_id, const char *session_id);
void tabs_forget(struct page *page, struct tab *tab);

/* Records the URL for which the page opens a tab, which is reported afterwards. */
void tabs_note_opening(struct page *page, const char *url);

/* Adds a tab that a page opened; false if there are too many: the tab is closed. */
bool tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id, const char *url);

/* Returns the number of the tab with this session; 0: none, or it is the page. */
int tabs_number_of(const struct page *page, const char *session_id);

/* Returns whether consoles of tabs other than the page are reported. */
bool tabs_are_heard(const struct page *page);

/*
 * Returns whether new tabs are paused until they have received the rules, until their consoles are
 * reported, or until their time stands: what happens before they navigate would otherwise be
 * missed.
 */
bool tabs_are_held(const struct page *page);

/*
 * Reports the console of the tab at this URL, and of its frames and workers, from now on. Chrome
 * also reports earlier calls of its document.
 */
void tabs_hear(struct page *page, struct tab *tab, const char *url);

/* Does so for all tabs other than the page. */
void page_hear_tabs(struct page *page);

/* Call for each event of a tab other than the page. */
void tabs_on_event(struct page *page, const char *session_id, const char *method,
                   const json_t *params);

/* After the page has navigated: closes tabs that it opened and left at about:blank. */
void tabs_close_blank(struct page *page);

bool tabs_has_target(const struct page *page, const char *target_id);

/* Returns whether the session belongs to a tab other than the page. */
bool tabs_has_session(const struct page *page, const char *session_id);

/* Get and set for the page's tab whether it draws the whole document; see whole.h. */
bool tabs_is_whole(const struct page *page);
void tabs_set_whole(struct page *page);

/* Handles the end of a session; true if it was the page's own. */
bool tabs_on_detached(struct page *page, const char *session_id);

/* Closes all tabs without waiting, and frees the list. */
void tabs_finish(struct page *page);

/* Returns whether the page is an adopted tab. */
bool page_is_adopted(const struct page *page);

/* Returns whether the page was an adopted tab that a person, or the page itself, has closed. */
bool page_has_lost_adopted(const struct page *page);

/* Returns whether the page's tab was closed, by itself or by a person, and was the last one. */
bool tabs_have_ended(const struct page *page);

/* Returns the number of tabs according to events. */
size_t page_count_tabs(const struct page *page);

/*
 * Returns an array of { id, url, title, active }, the caller decrefs; NULL with an error. has_free:
 * tabs that may be adopted follow, with `tab`, the value for adopting them, instead of id.
 */
json_t *page_list_tabs(struct page *page, bool has_free, struct br_error *err);

/* Adds the tabs that may be adopted; `targets` is the reply to Target.getTargets. */
void tabs_list_free(const struct page *page, const json_t *targets, json_t *list);

/* Returns whether a target is a tab of the page, or of no other session. */
bool tabs_may_adopt(const struct page *page, const json_t *target);

void tabs_init(struct page *page);

/* Set while a session to a tab is requested: Chrome's events about it do not mean a new tab. */
void tabs_set_attaching(struct page *page, bool is_attaching);
bool tabs_is_attaching(const struct page *page);

/*
 * Keeps the session that Chrome has opened by itself to a tab that still has no owner: it may be
 * the one that this page is creating. tabs_set_attaching() forgets it when the next request begins.
 */
void tabs_note_attached(struct page *page, const char *target_id, const char *session_id,
                        const char *context_id);

/*
 * Returns what was kept for this tab, { sessionId, contextId }, which the caller decrefs, and
 * forgets all others. NULL: nothing was kept.
 */
json_t *tabs_take_attached(struct page *page, const char *target_id);

/* Set while Chrome reports the tabs that already existed. */
void tabs_set_listing(struct page *page, bool is_listing);
bool tabs_is_listing(const struct page *page);

/* Get whether another tab was opened in front of the page; reset it. */
bool tabs_is_behind(const struct page *page);
void tabs_note_front(struct page *page);

/* Returns the tab of this target, or else the newest. There must be one. */
struct tab *tabs_next(struct page *page, const char *opener_id);

/*
 * After the page's tab was closed from outside: returns once the tab that is now the page; NULL
 * otherwise.
 */
struct tab *tabs_take_closed(struct page *page);

#endif
