/* The state of the page's navigations. */
#ifndef RUNNER_PAGE_CORE_NAVIGATION_H
#define RUNNER_PAGE_CORE_NAVIGATION_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;

void navigation_init(struct page *page);
void navigation_finish(struct page *page);

/* The progress of the main frame's newest document. */
struct document {
    char *loader_id;
    char *url;
    bool is_unreachable; /* it is Chrome's error page */
    bool is_dom_loaded;  /* DOMContentLoaded */
    bool is_loaded;      /* load */
    bool is_painted;     /* it has painted, or it has drawn a frame on request */
    bool has_stopped;    /* the frame has stopped loading, with or without these events */
};

/* Returns the main frame's newest document. Borrowed until the next event. */
const struct document *page_document(const struct page *page);

/*
 * Returns the URL of a document that Chrome replaced by a page of its own, since the server
 * returned an error status without a body; NULL: none. Borrowed.
 */
const char *navigation_answered_url(const struct page *page);

/* Returns whether the main frame's newest document has this loader id. */
bool page_has_document(const struct page *page, const char *loader_id);

/* Returns the main frame's URL according to events; NULL: none yet. Borrowed. */
const char *page_url(const struct page *page);

/* Returns whether it is still at the blank page of a new tab. */
bool page_has_been_nowhere(const struct page *page);

/* Counters of the page's navigations so far: taken before input, for page_settle(). */
struct page_mark {
    unsigned documents;  /* new documents */
    unsigned fragments;  /* changes of the URL within a document */
    unsigned refusals;   /* documents refused by the session's rules */
    unsigned expulsions; /* how many of these had already been loaded */
    unsigned notices;    /* dialogs, downloads and tabs opened */
    unsigned downloads;  /* downloads, including refused ones */
    unsigned externals;  /* URLs for other programs */
    unsigned tabs;       /* tabs opened by the page */
    unsigned empties;    /* responses without a document: 204, 205 */
    unsigned keeps;      /* dialogs about leaving the page (beforeunload) that were dismissed */
};

struct page_mark page_mark(const struct page *page);

/*
 * Returns the URL being loaded: of the pending navigation, or else of the present document; NULL:
 * none. Borrowed.
 */
const char *navigation_loading_url(const struct page *page);

/*
 * Reports once for each document that it has been loading for a second. Returns when that is due.
 */
struct deadline navigation_tell_slow(struct page *page);

/* Returns whether a requested document has not arrived yet. */
bool navigation_is_under_way(const struct page *page);

/* Call before requesting a navigation: from now on only its events count. */
struct page_mark navigation_expect(struct page *page);

/*
 * Ends a navigation that led to no document but to a download, another program, or a place in this
 * document.
 */
void navigation_give_up(struct page *page);

/* Resets the state when another tab becomes the page. */
void navigation_enter_tab(struct page *page);

/*
 * Sets the state from an existing document: a frame of Page.getFrameTree, and its
 * document.readyState.
 */
void navigation_find_document(struct page *page, const json_t *frame, const char *ready);

/* Set a state that the document reported itself, without an event. */
void navigation_set_loaded(struct page *page, bool is_loaded);
void navigation_set_painted(struct page *page);

enum navigation_news {
    NAVIGATION_NOTICE,   /* a dialog, a download or a tab */
    NAVIGATION_DOWNLOAD, /* a download that is accepted */
    NAVIGATION_EXTERNAL, /* a URL for another program */
    NAVIGATION_TAB,      /* a tab opened by the page */
    NAVIGATION_KEEP,     /* the page is not left, since its dialog was dismissed */
    NAVIGATION_EMPTY,    /* a response that leaves the page unchanged */
};

/* Counts it for page_mark(). */
void navigation_count(struct page *page, enum navigation_news news);

/* Records that the session's rules refused a document of the main frame. */
void navigation_refuse(struct page *page, const struct br_error *why);

/* Records that they refused a document that is already loaded; the page goes to about:blank. */
void navigation_expel(struct page *page, const struct br_error *why);

/* Returns whether a document was refused since the mark; the error is that refusal. */
bool navigation_was_refused(const struct page *page, struct page_mark before, struct br_error *err);

/* Handles an event of the page's own session about its main frame; false for other events. */
bool navigation_on_event(struct page *page, const char *method, json_t *params);

#endif
