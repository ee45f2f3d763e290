/* Options for opening a page. */
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
struct waits;

/*
 * Finds the elements with a role: an object with an array for each frame's id, of objects { id:
 * backendNodeId, name } in document order. The caller decrefs.
 */
typedef bool page_role_reader(struct page *page, const char *role, json_t **ret_found,
                              struct br_error *err);

struct page_options {
    int viewport_width, viewport_height; /* CSS pixels */
    double device_pixel_ratio;
    bool is_mobile;          /* the page chooses its own size, see wire_viewport() */
    bool keeps_headers;      /* keep headers and request bodies in network events */
    const json_t *settings;  /* initial settings, see page_set(); borrowed until page_open() */
    json_t *origins;         /* of the previous page, see page_origins(); NULL: none */
    const char *downloads;   /* an absolute directory; NULL: downloads are refused. Must outlive
                                the page. */
    json_t *download_list;   /* object: downloads of all pages that were not reported yet; NULL:
                                the page's own */
    const char *context_id;  /* browser context of its tabs; NULL: the profile's. Borrowed until
                                page_create() returns, as is `tab` */
    struct targets *targets; /* who owns the browser's tabs. Must outlive the page */
    const char *tab;         /* adopts this tab instead of opening one, see page_adopt_tab();
                                NULL: none */
    bool is_foreign;         /* the browser was not launched here: tabs without an owner are not
                                ours either */
    bool drops_externals;    /* the browser ignores links to other programs */
    enum br_show_actions shows_actions; /* drawn in the page for people who watch */
    bool has_virtual_time;              /* time moves only as we say: see virtual_time.h */
    bool draws_whole; /* pictures will show content outside the viewport: see whole.h */

    page_role_reader *read_role; /* NULL: elements cannot be found by role */
    struct stream *stream;       /* receives the page's events. Must outlive the page. NULL: no
                                    events */
    struct waits *waits;         /* records what the page waits for. Must outlive the page. NULL:
                                    it is not recorded */
    const struct policy *policy; /* what it may request. Must outlive the page. NULL: everything */
    int way_out_port; /* port of the proxy that checks its connections (net/way_out.h); 0: none */
    /* Returns the reason if that proxy has just refused a connection to the URL's host and port. */
    bool (*explain)(void *data, const char *url, struct br_error *ret_why);
    void *explain_data;      /* must outlive the page */
    struct secrets *secrets; /* receives texts typed into private fields. Must outlive the page.
                                NULL: none */
};

#endif
