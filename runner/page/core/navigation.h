/* Where the page stands in its navigations. */
#ifndef RUNNER_PAGE_CORE_NAVIGATION_H
#define RUNNER_PAGE_CORE_NAVIGATION_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

void navigation_init(struct page *page);
void navigation_finish(struct page *page);

/* How far the main frame's newest document has come. */
struct document {
    char *loader_id;
    char *url;
    bool is_unreachable; /* it is Chrome's word about a page that was not reached */
    bool is_dom_loaded;  /* DOMContentLoaded */
    bool is_loaded;      /* load */
    bool is_painted;     /* something of it, or it has been asked for a frame and drawn one */
    bool has_stopped;    /* the frame loads nothing any more, with or without those events */
};

/* The main frame's newest. Borrowed until the next event. */
const struct document *page_document(const struct page *page);

/*
 * The URL of a document in whose place Chrome shows a page of its own, since the server answered an
 * error status without a body; NULL: there is no such page. Borrowed.
 */
const char *navigation_answered_url(const struct page *page);

/* Whether the main frame's newest document is the one that this loader fetched. */
bool page_has_document(const struct page *page, const char *loader_id);

/* Where the main frame is, as far as events told; NULL: nowhere yet. Borrowed. */
const char *page_url(const struct page *page);

/* Whether it is still at the blank page that a tab begins with. */
bool page_has_been_nowhere(const struct page *page);

/* Where the page stands in its navigations: taken before input, for page_settle(). */
struct page_mark {
    unsigned documents;  /* new documents so far */
    unsigned fragments;  /* changes of the URL within a document so far */
    unsigned refusals;   /* documents that the session's rules refused so far */
    unsigned expulsions; /* of these, documents that were there already */
    unsigned notices;    /* dialogs, downloads and tabs that it opened so far */
    unsigned downloads;  /* so far, refused ones as well */
    unsigned externals;  /* so far, URLs that are for other programs */
    unsigned tabs;       /* that it opened so far */
    unsigned empties;    /* so far, documents that the server answered without one: 204, 205 */
};

struct page_mark page_mark(const struct page *page);

/* What is loading: the document that was asked for, or else the present one; NULL: none. Borrowed.
 */
const char *navigation_loading_url(const struct page *page);

/*
 * Says once of each document that it has been loading for a second. Returns when that is due, for
 * whoever waits.
 */
struct deadline navigation_tell_slow(struct page *page);

/* Whether something asked for another document that has not come yet. */
bool navigation_is_under_way(const struct page *page);

/* We ask for one: from here on only events of that navigation count. */
struct page_mark navigation_expect(struct page *page);

/* It leads to no document: a download, another program, a place in this document. */
void navigation_give_up(struct page *page);

/* Another tab is the page: nothing is known of its document. */
void navigation_enter_tab(struct page *page);

/* The document was there before: a frame of Page.getFrameTree, and its document.readyState. */
void navigation_find_document(struct page *page, const json_t *frame, const char *ready);

/* The document's own word, where no event has told. */
void navigation_set_loaded(struct page *page, bool is_loaded);
void navigation_set_painted(struct page *page);

enum navigation_news {
    NAVIGATION_NOTICE,   /* a dialog, a download or a tab */
    NAVIGATION_DOWNLOAD, /* one of ours */
    NAVIGATION_EXTERNAL, /* a URL for another program */
    NAVIGATION_TAB,      /* one that the page opens */
    NAVIGATION_EMPTY,    /* an answer that leaves the page as it is */
};

/* Counts it in the mark. */
void navigation_count(struct page *page, enum navigation_news news);

/* The rules of the session have refused a document of the main frame. */
void navigation_refuse(struct page *page, const struct br_error *why);

/* The same of one that is there already, and is left for about:blank. */
void navigation_expel(struct page *page, const struct br_error *why);

/* Whether they have since the mark; the error is that refusal then. */
bool navigation_was_refused(const struct page *page, struct page_mark before, struct br_error *err);

/* Applies an event of the page's own session about its main frame; false for any other. */
bool navigation_on_event(struct page *page, const char *method, json_t *params);

#endif
