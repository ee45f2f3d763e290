/* Chooses which elements get a label in a picture, and which areas the labels should not cover. */
#ifndef RUNNER_SNAPSHOT_LABELS_H
#define RUNNER_SNAPSHOT_LABELS_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

struct page_box;
struct snapshot_store;

struct snapshot_label {
    int item;                /* in the outline */
    struct snapshot_box box; /* its visible part, in the viewport */
};

struct snapshot_labels {
    struct snapshot snapshot;
    struct snapshot_visibility *visibility; /* within the picture; NULL: the snapshot's */
    struct outline *outline;
    struct snapshot_label *labels; /* visible controls, in document order */
    size_t count;
    struct snapshot_box *content; /* lines of text and icons, in the viewport */
    size_t content_count;
    double scroll_x, scroll_y; /* scroll position of the page at that moment */
};

/*
 * Takes a snapshot and computes what is visible in a picture: of a box of the document in CSS
 * pixels, or of the viewport (NULL). Elements that are covered, hidden, inert or in data-no-ai
 * (unless shown) get no label. Ids come from the store; elements keep theirs. The caller finishes
 * *ret_labels in any case.
 */
bool snapshot_labels_take(struct page *page, struct snapshot_store *store,
                          const struct page_box *box, bool shows_left_out,
                          struct snapshot_labels *ret_labels, struct br_error *err);
void snapshot_labels_finish(struct snapshot_labels *labels);

#endif
