/* What the flows of a page share. */
#ifndef RUNNER_PAGE_CORE_STATE_H
#define RUNNER_PAGE_CORE_STATE_H

#include "runner/cdp/client.h"
#include "runner/observe/console.h"
#include "runner/observe/network.h"
#include "runner/observe/stream.h"
#include "runner/page/core/options.h"

#include <jansson.h>
#include <stdbool.h>

struct chooser;
struct description;
struct details;
struct element;
struct frames;
struct highlight;
struct leave;
struct look;
struct mouse;
struct navigation;
struct origins;
struct presses;
struct source_maps;
struct tabs;
struct waiting;
struct wire;

enum { MAX_SHOWN_URL = 768 /* bytes of a URL in a message */ };

/* What a part holds is known to the file that its struct is named after; to others it says it. */
struct page {
    struct cdp_client *client;
    struct page_options options; /* with the size that the viewport has by now */
    struct console_recorder console;
    struct network_recorder network;
    struct wire *wire;
    struct waiting *waiting; /* tell.c */
    struct tabs *tabs;
    struct frames *frames;
    struct navigation *navigation;
    struct leave *leave;
    struct details *details;
    struct source_maps *source_maps;
    struct mouse *mouse;
    struct presses *presses; /* press.c */
    struct chooser *chooser;
    struct highlight *highlight;
    struct origins *origins;
    struct description *description; /* describe.c */
    struct look *look;

    /* Parts of one value each, which the file that is named changes and frees. */
    bool has_acted;  /* acting.c: input or a script of the user was sent since the last
                        reset */
    bool is_flushed; /* acting.c: the tasks that the last input queued have run */
    bool has_shown;  /* show.c: what was done is drawn in the document that was this one */
    unsigned shown_documents;
    struct element *field; /* typing.c: that page_focus() gave the focus, until something is typed;
                              or NULL */
    json_t *holding;       /* element.c, object: the sessions in which elements are held */
    json_t *of_role;       /* role.c: what a target's role is looked for among, by the frame's id */
    json_t *drag_data;     /* drag.c: what the browser drags; NULL: nothing */
    json_t *settings;      /* setting.c: by name */
    char clock_key[33];    /* settings.c: opens clock.js in a document, to us alone; "": not made
                              yet */
    char *browser;         /* agent.c; NULL: nobody asked for it yet */
    json_t *address_spaces;  /* judge.c, object: of answers under way, by request */
    json_t *children_beside; /* guard.c, array: frames and workers of other tabs */
    json_t
        *asked_for_login; /* route.c, array: the newest requests that credentials were given to */
    json_t *downloads;    /* downloads.c, object */
    char *refill_id;      /* backup.c: of the script that puts storage back; NULL: none is due */
};

/* A log entry of the tool's own. */
#define page_log(page, type, category, ...)                                                        \
    log_tool((page)->console.logs, type, category, __VA_ARGS__)

#endif
