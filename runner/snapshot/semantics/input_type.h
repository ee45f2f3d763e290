/* Properties of an <input> by its type. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_INPUT_TYPE_H
#define RUNNER_SNAPSHOT_SEMANTICS_INPUT_TYPE_H

#include "runner/snapshot/semantics/facts.h"

/* Returns UNKNOWN for a hidden one. */
enum snapshot_role snapshot_input_role(const struct snapshot_facts *facts, int node);

/* Return whether the type is one to type text into; one for a date. */
bool snapshot_takes_text(const struct snapshot_facts *facts, int node);
bool snapshot_takes_date(const struct snapshot_facts *facts, int node);

#endif
