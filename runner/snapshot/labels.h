/* What of a page is labelled in a picture of it, and what the labels are not to be drawn over. */
#ifndef RUNNER_SNAPSHOT_LABELS_H
#define RUNNER_SNAPSHOT_LABELS_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

struct page_box;
struct snapshot_store;

struct snapshot_label {
    int item;                /* of the outline */
    struct snapshot_box box; /* what can be seen of it, in the viewport */
};

struct snapshot_labels {
    struct snapshot snapshot;
    struct snapshot_visibility *visibility; /* through the picture; NULL: that of the snapshot */
    struct outline *outline;
    struct snapshot_label *labels; /* what a person operates and sees, in document order */
    size_t count;
    struct snapshot_box *content; /* lines of text and icons, in the viewport */
    size_t content_count;
    double scroll_x, scroll_y; /* of the page, at that moment */
};

/*
 * Takes a snapshot and looks at the page through a picture: through the box of the document, CSS
 * pixels, or through the viewport (NULL). What is covered, hidden, inert or not for models
 * (data-no-ai, unless that is shown) has no label. Ids come from the store: an element that has one
 * keeps it. The caller finishes *ret_labels in any case.
 */
bool snapshot_labels_take(struct page *page, struct snapshot_store *store,
                          const struct page_box *box, bool shows_left_out,
                          struct snapshot_labels *ret_labels, struct br_error *err);
void snapshot_labels_finish(struct snapshot_labels *labels);

#endif
