/* Where the page stands in its navigations. */
#ifndef RUNNER_PAGE_CORE_NAVIGATION_H
#define RUNNER_PAGE_CORE_NAVIGATION_H

#include <jansson.h>
#include <stdbool.h>

struct page;

/* How far the main frame's newest document has come. */
struct document {
    char *loader_id;
    char *url;
    bool is_unreachable; /* it is Chrome's word about a page that was not reached */
    bool is_dom_loaded;  /* DOMContentLoaded */
    bool is_loaded;      /* load */
    bool has_stopped;    /* the frame loads nothing any more, with or without those events */
};

/* Whether the main frame's newest document is the one that this loader fetched. */
bool page_has_document(const struct page *page, const char *loader_id);

/* Where the main frame is, as far as events told; NULL: nowhere yet. Borrowed. */
const char *page_url(const struct page *page);

/* Whether it is still at the blank page that a tab begins with. */
bool page_has_been_nowhere(const struct page *page);

/* Where the page stands in its navigations: taken before input, for page_settle(). */
struct page_mark {
    unsigned documents; /* new documents so far */
    unsigned fragments; /* changes of the URL within a document so far */
    unsigned refusals;  /* documents that the session's rules refused so far */
    unsigned notices;   /* dialogs, downloads and tabs that it opened so far */
};

struct page_mark page_mark(const struct page *page);

/* Applies an event of the page's own session about its main frame; false for any other. */
bool navigation_on_event(struct page *page, const char *method, json_t *params);

#endif
