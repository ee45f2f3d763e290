/* What a page is opened with. */
#ifndef RUNNER_PAGE_CORE_OPTIONS_H
#define RUNNER_PAGE_CORE_OPTIONS_H

#include <browser_runner/action.h>

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct page;
struct policy;
struct secrets;
struct stream;
struct targets;

/*
 * What on a page has a role: an object with an array for each frame's id, of objects { id: the
 * DOM's (backendNodeId), name } in document order. The caller decrefs.
 */
typedef bool page_role_reader(struct page *page, const char *role, json_t **ret_found,
                              struct br_error *err);

struct page_options {
    int viewport_width, viewport_height; /* CSS pixels */
    double device_pixel_ratio;
    bool keeps_headers;      /* of requests, and what they sent, in network events */
    const json_t *settings;  /* what it begins with, see page_set(); borrowed until page_open() */
    json_t *origins;         /* of the page before, see page_origins(); NULL: none */
    const char *downloads;   /* an absolute directory; NULL: downloads are refused. Outlives it. */
    json_t *download_list;   /* object: those that are not told yet, of all pages; NULL: its own */
    const char *context_id;  /* of the browser context of its tabs; NULL: the profile's. Borrowed
                                until page_create() returns, as is `tab` */
    struct targets *targets; /* whose tabs the browser has. Outlives it */
    const char *tab;         /* opens none, but adopts this one, see page_adopt_tab(); NULL: none */
    bool is_foreign;         /* the browser is somebody else's: so are tabs that nobody owns */
    bool drops_externals;    /* of links to other programs the browser opens none and asks nobody */
    enum br_show_actions shows_actions; /* in the page, for those who watch */
    bool draws_whole; /* pictures will show what is outside of the viewport: see whole.h */

    page_role_reader *read_role; /* NULL: nothing is found by its role */
    struct stream *stream;       /* is told of what happens. Outlives it. NULL: nobody is */
    const struct policy *policy; /* what it may ask for. Outlives it. NULL: everything */
    int way_out_port; /* of the server that judges its connections (net/way_out.h); 0: none */
    /* Replaces an error by why that server refused the host that its message names. */
    bool (*explain)(void *data, struct br_error *err);
    void *explain_data;      /* outlives it */
    struct secrets *secrets; /* takes what is typed into private fields. Outlives it. NULL: none */
};

#endif
