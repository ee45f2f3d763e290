/* What the `snapshot` action may do beside printing; for snapshot.c. */
#ifndef RUNNER_ACTIONS_SNAPSHOT_PARTS_H
#define RUNNER_ACTIONS_SNAPSHOT_PARTS_H

#include "runner/actions/action_type.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/snapshot.h"

enum { SNAPSHOT_MAX_PICTURES = 20 };

enum { SNAPSHOT_MAX_SCROLLERS = 5 };

/* A box that scrolls by itself. */
struct snapshot_scroller {
    uint32_t id;
    char label[100];    /* role, name and id */
    float area, height; /* of what is to be seen of it, CSS pixels */
};

/* Such boxes in what is shown, the largest first; an element that was named alone if it is one. */
struct snapshot_scrollers {
    struct snapshot_scroller boxes[SNAPSHOT_MAX_SCROLLERS];
    int count;
    bool is_of_element;  /* one was named, and they are in it */
    bool page_is_longer; /* the document is longer than the viewport */
};

/* What of the page is shown, and how. */
struct snapshot_view {
    struct outline_options shown;
    struct print_options print;
    enum snapshot_ax ax;
    struct snapshot_scrollers *scrollers; /* where the next snapshot puts them; NULL: nowhere */
};

/* Finds them in a snapshot. Their ids are good for the caller from then on. */
void snapshot_scrollers_find(struct action_run *run, const struct snapshot *snapshot,
                             const struct outline_options *shown,
                             struct snapshot_scrollers *ret_scrollers);

/*
 * Small pictures of the first images, drawings and videos that an outline shows: they become the
 * response's tiles, and `pictures` of the result, an array of their ids in the same order.
 */
bool snapshot_add_pictures(struct action_run *run, const struct outline *outline, int most,
                           json_t *result, struct br_error *err);

/* Takes one snapshot of the page: puts its `text`, or its `page`, into the result. */
typedef bool snapshot_taker(struct action_run *run, struct snapshot_view *view, json_t *result,
                            struct br_error *err);

/*
 * Scrolls on by up to so many screens while there is more, and adds to the result's text or tree
 * what each of them brings. What is scrolled is the largest of the boxes where they are of a named
 * element, or the page is not longer than the viewport; else the page. Ends where the time does,
 * saying so in the logs, and back where it began.
 */
bool snapshot_scroll(struct action_run *run, snapshot_taker *take, struct snapshot_view *view,
                     const struct snapshot_scrollers *scrollers, int screens, json_t *result,
                     struct br_error *err);

/* The element that the action names; of one that names none backend_id is 0. */
bool snapshot_choose_root(struct action_run *run, struct page_node *ret_node, struct br_error *err);

/* Its node of a snapshot that was taken then; NONE: the page. STALE_NODE when it has gone. */
bool snapshot_find_root(const struct snapshot *snapshot, const struct page_node *node,
                        int *ret_root, struct br_error *err);

#endif
