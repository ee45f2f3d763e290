/* The options of the `snapshot` action beyond printing; for snapshot.c. */
#ifndef RUNNER_ACTIONS_SNAPSHOT_PARTS_H
#define RUNNER_ACTIONS_SNAPSHOT_PARTS_H

#include "runner/actions/action_type.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"
#include "runner/snapshot/snapshot.h"

enum { SNAPSHOT_MAX_PICTURES = 20 };

enum { SNAPSHOT_MAX_SCROLLERS = 5 };

/* A box with its own scroll bars. */
struct snapshot_scroller {
    uint32_t id;
    char label[100];    /* role, name and id */
    float area, height; /* of its visible part, CSS pixels */
};

/*
 * The scrollable boxes in what is shown, the largest first. For a named element: itself, if it
 * scrolls.
 */
struct snapshot_scrollers {
    struct snapshot_scroller boxes[SNAPSHOT_MAX_SCROLLERS];
    int count;
    bool is_of_element;  /* an element was named, and the boxes are in it */
    bool page_is_longer; /* the document is longer than the viewport */
};

/* What of the page is shown, and how. */
struct snapshot_view {
    struct outline_options shown;
    struct print_options print;
    enum snapshot_ax ax;
    struct snapshot_scrollers *scrollers; /* filled in by the next snapshot; NULL: not wanted */
};

/* Finds them in a snapshot, and registers their ids as given to the caller. */
void snapshot_scrollers_find(struct action_run *run, const struct snapshot *snapshot,
                             const struct outline_options *shown,
                             struct snapshot_scrollers *ret_scrollers);

/*
 * Takes small pictures of the first images, drawings and videos that an outline shows. They become
 * the response's tiles; `pictures` of the result is an array of their ids in the same order.
 */
bool snapshot_add_pictures(struct action_run *run, const struct outline *outline, int most,
                           json_t *result, struct br_error *err);

/* Takes one snapshot of the page and puts its `text`, or its `page`, into the result. */
typedef bool snapshot_taker(struct action_run *run, struct snapshot_view *view, json_t *result,
                            struct br_error *err);

/*
 * Scrolls down by up to `screens` screens while there is more, and adds what each one brings to the
 * result's text or tree. Scrolls the largest of the boxes if an element was named or the page is
 * not longer than the viewport, otherwise the page. Stops, with a log entry, when the time is used
 * up. Scrolls back at the end.
 */
bool snapshot_scroll(struct action_run *run, snapshot_taker *take, struct snapshot_view *view,
                     const struct snapshot_scrollers *scrollers, int screens, json_t *result,
                     struct br_error *err);

/* Resolves the element that the action names; backend_id is 0 if it names none. */
bool snapshot_choose_root(struct action_run *run, struct page_node *ret_node, struct br_error *err);

/*
 * Finds its node in a snapshot taken afterwards; NONE: the whole page. STALE_NODE when the element
 * no longer exists.
 */
bool snapshot_find_root(const struct snapshot *snapshot, const struct page_node *node,
                        int *ret_root, struct br_error *err);

#endif
