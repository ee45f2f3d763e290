/* What an <input> is by its type. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_INPUT_TYPE_H
#define RUNNER_SNAPSHOT_SEMANTICS_INPUT_TYPE_H

#include "runner/snapshot/semantics/facts.h"

/* UNKNOWN of a hidden one. */
enum snapshot_role snapshot_input_role(const struct snapshot_facts *facts, int node);

/* Fields that something is typed into, as their type has it; and those of dates. */
bool snapshot_takes_text(const struct snapshot_facts *facts, int node);
bool snapshot_takes_date(const struct snapshot_facts *facts, int node);

#endif
