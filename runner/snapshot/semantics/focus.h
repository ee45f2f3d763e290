/* Computes which elements are focusable. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_FOCUS_H
#define RUNNER_SNAPSHOT_SEMANTICS_FOCUS_H

#include "runner/snapshot/semantics/facts.h"

/* Returns whether it can be focused by keyboard or script when not disabled. */
bool snapshot_takes_focus(const struct snapshot_facts *facts, int node);

/* Returns whether it can be focused now. */
bool snapshot_is_focusable(const struct snapshot_facts *facts, int node);

#endif
