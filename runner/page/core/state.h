/* What the flows of a page share; for the files of this folder only. */
#ifndef RUNNER_PAGE_CORE_STATE_H
#define RUNNER_PAGE_CORE_STATE_H

#include "runner/base/clock.h"
#include "runner/cdp/client.h"
#include "runner/observe/console.h"
#include "runner/observe/network.h"
#include "runner/observe/stream.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/leave.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/options.h"
#include "runner/page/element/trace.h"
#include "runner/page/picture/request.h"

#include <browser_runner/response.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct navigation;
struct page_source_map;

enum { MAX_SHOWN_URL = 768 /* bytes of a URL in a message */ };

/* What page_backup_take() takes, as it was when the page last described itself. */
struct belongings {
    json_t *cookies;        /* of the browser; NULL: not known, or not ours to know */
    bool is_new;            /* the origin and its storage were not taken yet */
    char *origin, *storage; /* as in struct page_backup */
};

/* The session of another process that the page uses. */
struct child {
    char *session_id;
    char *frame_id, *parent_id; /* of the frame that lives there; NULL: a worker; not known */
    int64_t silent_until_ms;    /* it did not answer: until then it is not asked unasked */
};

/* A picture that may serve once more; see page_keep_look(). */
struct look {
    struct br_capture capture; /* `bytes` NULL: none is kept */
    struct page_capture options;
    struct page_mark mark;
    int64_t came_at_ms; /* on the monotonic clock */
};

/* What the page has told of the presses of an action; see press.h. */
struct presses {
    json_t *told;    /* array: {type, element, isHere, isOwn} of each event; NULL: no press yet */
    size_t begin;    /* where those of the present press begin */
    double x, y;     /* of the last press, in the page's viewport */
    char *frame_id;  /* of the element that it is meant for; NULL: it is meant for a place */
};

/* The calls by which a description was asked for; -1: that one was not. */
struct description {
    bool is_asked;
    int64_t cookies, counters, values;
};

/* What Chrome asks files for; see chooser.c. */
struct chooser {
    char *frame_id;     /* NULL: nothing */
    char *session_id;   /* that told of it */
    int64_t backend_id; /* of the field; 0: a script asks, in a way that nothing answers */
};

/* What a reply that nobody has waited for yet belongs to; see details.c. */
struct page_detail {
    int64_t call_id;
    struct network_wanted body;   /* whose it is, where `logged` is of nothing */
    struct console_wanted logged; /* the console call that it is about */
    bool are_values;              /* its arguments serialised; otherwise the objects in words */
    char *session_id;             /* with are_values: where they were */
};

/* What is told of waits that take long; see tell.h. */
struct waiting {
    char subject[512]; /* "": what the wait is called */
    struct deadline due;
};

struct page {
    struct cdp_client *client;
    struct waiting waiting;
    struct tab *tabs; /* of the session, in the order of their numbers; see tabs.h */
    size_t tab_count, tab_capacity;
    int last_tab_number;
    char *context_id;             /* of their cookies and storage; NULL: the profile's */
    char *home_id;                /* Chrome's id of that context, the profile's as well; NULL: not
                                     known */
    char *tab;                    /* see page_options; NULL: none */
    char *target_id, *session_id; /* of the tab that is the page */
    char *frame_id;               /* of the main frame */
    struct chooser chooser;
    json_t *drag_data;      /* what the browser drags, see drag.c; NULL: nothing */
    bool was_closed;        /* that tab, by itself or by the user */
    char *closed_opener_id; /* target of the tab that had opened it; NULL: none */
    struct console_recorder console;
    struct network_recorder network;
    struct page_source_map *source_maps; /* of scripts that errors named; see source_maps.h */
    size_t source_map_count, source_map_capacity;
    unsigned mapped_documents;   /* mark.documents when they were loaded */
    struct page_detail *details; /* asked for, to be in the next answer */
    size_t detail_count, detail_capacity;
    size_t details_asked; /* console calls of this action that were looked into */
    struct navigation *navigation;
    struct leave leave;          /* see leave.h */
    bool is_behind;              /* another tab was opened in front of it */
    bool is_crashed;             /* its process ended, or the tab was closed */
    struct frame *frames;        /* the main one first; see frames.h */
    size_t frame_count;
    frames_on_process *on_process;
    bool holds_frames;     /* processes that join wait until they were told of the settings */
    bool are_frames_stale; /* some came, went or moved */
    struct child *children;
    size_t child_count, child_capacity;
    json_t *contexts;       /* object: of each session, the worlds of the page's own scripts by the
                               frame's id */
    struct element *field; /* that page_focus() gave the focus, until something is typed; or NULL */
    json_t *holding;       /* object: the sessions in which elements are held; see element.h */
    bool is_attaching;      /* another session to the tab is asked for */
    bool is_opening;        /* tabs that are told of were there before */
    bool has_acted;         /* input or a script of the user was sent since the last reset */
    bool is_flushed;        /* its tasks that the last input queued have run */
    int64_t answered_at_ms; /* when its scripts last ran, on the monotonic clock */
    struct description description; /* on its way; see page_ask_description() */
    struct belongings belongings;
    json_t *downloads;        /* object; see downloads.c */
    json_t *origins;          /* object: those whose documents the session has seen, each true */
    bool is_at_origins;       /* the tab that is opened now is for their storage */
    char *origins_session_id; /* of that tab; NULL: there is none */
    char *refill_id;          /* of the script that puts storage back; NULL: none is due */
    json_t *settings;         /* by name; see page_set() */
    char *browser;            /* see page_browser(); NULL: nobody asked for it yet */
    char clock_key[33];       /* opens clock.js in a document, to us alone; "": not made yet */
    json_t *address_spaces;   /* object: of answers under way, by request; see guard.c */
    json_t *children_beside;  /* array: frames and workers of other tabs, likewise */
    json_t *asked_for_login;  /* array: the newest requests that credentials were given to */
    struct page_options options;
    double mouse_x, mouse_y;
    double inner_x, inner_y; /* the same in the frame of the element that it came to */
    struct page_trace trace;
    struct presses presses;
    int64_t captured_at_ms; /* when Chrome last delivered a picture, on the monotonic clock */
    json_t *of_role; /* what a target's role is looked for among, by the frame's id; see role.c */
    struct look look;
    bool has_shown; /* what was done is drawn in the document that was this one; see show.h */
    unsigned shown_documents;
};

/* A log entry of the tool's own. */
#define page_log(page, type, category, ...)                                                        \
    log_tool((page)->console.logs, type, category, __VA_ARGS__)

#endif
