/* The state shared by the flows of a page. */
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
struct virtual_time;
struct waiting;
struct wire;

enum { MAX_SHOWN_URL = 768 /* bytes of a URL in a message */ };

/*
 * The content of a part is known only to the file named after its struct; other files call its
 * functions.
 */
struct page {
    struct cdp_client *client;
    struct page_options options; /* with the current size of the viewport */
    struct console_recorder console;
    struct network_recorder network;
    struct wire *wire;
    struct virtual_time *time;
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

    /* Parts of a single value; the named file changes and frees each. */
    bool has_acted;      /* acting.c: input or a user's script was sent since the last reset */
    int64_t acted_at_ms; /* acting.c: when that was last; 0: never */
    bool is_flushed;     /* acting.c: the tasks queued by the last input have run */
    bool has_shown;      /* show.c: actions are drawn in the current document */
    unsigned shown_documents;
    struct element *field;   /* typing.c: focused by page_focus(), until something is typed; or
                                NULL */
    json_t *holding;         /* element.c, object: the sessions in which elements are held */
    json_t *of_role;         /* role.c: the elements with the target's role, by frame id */
    json_t *drag_data;       /* drag.c: what the browser is dragging; NULL: nothing */
    json_t *settings;        /* setting.c: by name */
    char clock_key[33];      /* settings.c: key that lets only us use clock.js in a document; "":
                                not made yet */
    char *browser;           /* agent.c; NULL: not requested yet */
    json_t *address_spaces;  /* judge.c, object: of pending responses, by request */
    json_t *children_beside; /* guard.c, array: frames and workers of other tabs */
    json_t *asked_for_login; /* route.c, array: the newest requests that got credentials */
    json_t *downloads;       /* downloads.c, object */
    char *refill_id; /* backup.c: id of the script that restores storage; NULL: none pending */
};

/* Adds a log entry of browser-runner itself. */
#define page_log(page, type, category, ...)                                                        \
    log_tool((page)->console.logs, type, category, __VA_ARGS__)

#endif
