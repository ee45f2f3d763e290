/* Labels of a `screenshot`; for screenshot.c. */
#ifndef RUNNER_ACTIONS_SCREENSHOT_LABELS_H
#define RUNNER_ACTIONS_SCREENSHOT_LABELS_H

#include "runner/actions/action_type.h"
#include "runner/page/picture/request.h"
#include "runner/snapshot/labels.h"

/* State of drawing labels, from the first look at the page to the final list. */
struct labelling {
    struct page_labels labels; /* for page_capture.labels */
    struct action_run *run;
    bool shows_left_out;
    struct snapshot_labels found; /* from the last look */
    json_t *list;                 /* array: what was drawn so far */
    json_t *by_id;                /* the same entries */
    size_t without_room;
};

/* Initialises in place: the labels keep a pointer to it. */
void labelling_init(struct labelling *labelling, struct action_run *run);
void labelling_finish(struct labelling *labelling);

#endif
