/* Writes an outline as JSON. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_JSON_H
#define RUNNER_SNAPSHOT_OUTLINE_JSON_H

#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

#include <jansson.h>

/* Returns {page: {context: {url, title, viewport}, body: {id, role, tag, …, children}}, cut?}. */
json_t *print_json(const struct outline *outline, const struct print_options *options,
                   int *ret_cut);

/* Returns {id, role, name?, disabled?, box} of an item with an id. Caller decrefs. */
json_t *print_json_label(const struct outline *outline, int item);

#endif
