/* The tabs that a page's session has open, one of which is the page. */
#ifndef RUNNER_PAGE_CORE_TABS_H
#define RUNNER_PAGE_CORE_TABS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

struct tab {
    int number; /* as the user names it; counted from 1, never used again */
    char *target_id, *session_id;
    char *opener_id; /* target of the tab that opened it; NULL: none */
    bool is_enabled; /* its recorders run */
    bool is_heard;   /* it is not the page, but its console is reported */
    bool is_whole;   /* Chrome draws the whole document, see whole.h */
    bool has_gone;   /* of one that was opened: somewhere else than to about:blank */
    bool stays;      /* open in the end, since an adopted one opened it */
    bool is_adopted; /* it was there before, and stays as it is: its size, and open in the end */
};

/* Borrowed until a tab comes or goes; NULL: there is none. */
struct tab *tabs_find(const struct page *page, const char *target_id);

/* The same with TARGET_NOT_FOUND. */
struct tab *tabs_find_number(struct page *page, int number, struct br_error *err);

/* Whether the tab is the one that is the page. */
bool tabs_is_page(const struct page *page, const struct tab *tab);

/* The error says so. */
bool tabs_are_full(const struct page *page, struct br_error *err);

struct tab *tabs_add(struct page *page, const char *target_id, const char *session_id);
void tabs_forget(struct page *page, struct tab *tab);

/* Keeps a tab that a page opened; false when there are too many: it is closed. */
bool tabs_add_opened(struct page *page, const char *target_id, const char *session_id,
                     const char *opener_id, const char *url);

/* The number of the tab with this session; 0: none, or it is the page. */
int tabs_number_of(const struct page *page, const char *session_id);

/* Whether consoles of tabs that are not the page are reported. */
bool tabs_are_heard(const struct page *page);

/*
 * Has the console of the tab at this URL, and those of its frames and workers, reported from now
 * on. Chrome reports earlier calls of its document, too.
 */
void tabs_hear(struct page *page, struct tab *tab, const char *url);

/* The same for all tabs that are not the page. */
void page_hear_tabs(struct page *page);

/* To be called for each event of a tab that is not the page. */
void tabs_on_event(struct page *page, const char *session_id, const char *method,
                   const json_t *params);

/* When the page has gone elsewhere: what it opened and left empty at about:blank is closed. */
void tabs_close_blank(struct page *page);

bool tabs_has_target(const struct page *page, const char *target_id);

/* Whether the session is that of a tab other than the page. */
bool tabs_has_session(const struct page *page, const char *session_id);

/* See whole.h: of the tab that is the page. */
bool tabs_is_whole(const struct page *page);
void tabs_set_whole(struct page *page);

/* A session ended: true if it was the page's own. */
bool tabs_on_detached(struct page *page, const char *session_id);

/* Closes all tabs, without waiting, and frees what is known of them. */
void tabs_finish(struct page *page);

/* Whether the page was adopted. */
bool page_is_adopted(const struct page *page);

/* Whether the page was an adopted tab that a person, or the page itself, has closed. */
bool page_has_lost_adopted(const struct page *page);

/* How many there are, as far as events told. */
size_t page_count_tabs(const struct page *page);

/*
 * An array of { id, url, title, active }, the caller's to decref; NULL with the error. has_free:
 * those that may be adopted follow, with the `tab` to adopt in the place of the id.
 */
json_t *page_list_tabs(struct page *page, bool has_free, struct br_error *err);

/* Adds those to the list; `targets` is the reply to Target.getTargets. */
void tabs_list_free(const struct page *page, const json_t *targets, json_t *list);

/* Whether a target is a tab that the page has, or that no other session has. */
bool tabs_may_adopt(const struct page *page, const json_t *target);

void tabs_init(struct page *page);

/* A session to a tab is being asked for: what Chrome tells of it is no new tab. */
void tabs_set_attaching(struct page *page, bool is_attaching);
bool tabs_is_attaching(const struct page *page);

/* Chrome is telling of the tabs that were there before. */
void tabs_set_listing(struct page *page, bool is_listing);
bool tabs_is_listing(const struct page *page);

/* Whether another tab was opened in front of the page; it is in front again. */
bool tabs_is_behind(const struct page *page);
void tabs_note_front(struct page *page);

/* The tab of this target, otherwise the newest. There has to be one. */
struct tab *tabs_next(struct page *page, const char *opener_id);

/* After the page's tab has gone by itself, once: the tab that is the page now; NULL: it has not. */
struct tab *tabs_take_closed(struct page *page);

#endif
