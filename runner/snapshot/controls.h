/* Lists the controls of a page, and how certain each one is. */
#ifndef RUNNER_SNAPSHOT_CONTROLS_H
#define RUNNER_SNAPSHOT_CONTROLS_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/snapshot.h"

#include <jansson.h>

enum control_confidence {
    CONFIDENCE_LOW,    /* looks like a control: pointer cursor, a class, a test id */
    CONFIDENCE_MEDIUM, /* has a click listener, is focusable, or is editable */
    CONFIDENCE_HIGH,   /* a control by its element or role */
};

struct controls_options {
    enum control_confidence least;
    bool has_hidden;     /* include hidden controls */
    bool keeps_left_out; /* include controls in data-no-ai */
    int most;
};

/*
 * Returns the controls of the snapshot's outline in document order, including hidden ones if
 * wanted: [{ id, confidence, layers, role, name, tag, box, … }]. *ret_found is their total number.
 * Caller decrefs.
 */
json_t *controls_list(const struct snapshot *snapshot, const struct outline *outline,
                      const struct controls_options *options, int *ret_found);

#endif
