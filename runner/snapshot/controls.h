/* What of a page a person could operate, and how sure that is. */
#ifndef RUNNER_SNAPSHOT_CONTROLS_H
#define RUNNER_SNAPSHOT_CONTROLS_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

#include <jansson.h>

enum control_confidence {
    CONFIDENCE_LOW,    /* looks so: the mouse's pointer, a class, a test id */
    CONFIDENCE_MEDIUM, /* a script listens to its clicks, it takes the focus, or is edited */
    CONFIDENCE_HIGH,   /* a control by its element or its role */
};

struct controls_options {
    enum control_confidence least;
    bool has_hidden;     /* also what nobody sees */
    bool keeps_left_out; /* also what data-no-ai is on */
    int most;
};

/*
 * The controls of an outline of the snapshot, in document order, and those that are hidden: [{ id,
 * confidence, layers, role, name, tag, box, … }]. *ret_found is how many there are. Caller decrefs.
 */
json_t *controls_list(const struct snapshot *snapshot, const struct outline *outline,
                      const struct controls_options *options, int *ret_found);

#endif
