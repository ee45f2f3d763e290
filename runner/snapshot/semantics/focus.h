/* Which elements take the focus. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_FOCUS_H
#define RUNNER_SNAPSHOT_SEMANTICS_FOCUS_H

#include "runner/snapshot/semantics/facts.h"

/* Whether the keyboard or a script can put the focus on it, were it not disabled. */
bool snapshot_takes_focus(const struct snapshot_facts *facts, int node);

/* Whether they can do so now. */
bool snapshot_is_focusable(const struct snapshot_facts *facts, int node);

#endif
