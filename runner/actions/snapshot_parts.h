/* What the `snapshot` action may do beside printing; for snapshot.c. */
#ifndef RUNNER_ACTIONS_SNAPSHOT_PARTS_H
#define RUNNER_ACTIONS_SNAPSHOT_PARTS_H

#include "runner/actions/action_type.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

enum { SNAPSHOT_MAX_PICTURES = 20 };

/* What of the page is shown, and how. */
struct snapshot_view {
    struct outline_options shown;
    struct print_options print;
    enum snapshot_ax ax;
};

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
 * Scrolls on by up to so many screens while the page has more, and adds to the result's text or
 * tree what each of them brings. Ends where the time does, saying so in the logs, and back where it
 * began.
 */
bool snapshot_scroll(struct action_run *run, snapshot_taker *take, struct snapshot_view *view,
                     int screens, json_t *result, struct br_error *err);

#endif
