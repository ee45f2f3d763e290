/* Labels that are used in place of their hidden control. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_STAND_IN_H
#define RUNNER_SNAPSHOT_SEMANTICS_STAND_IN_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Finds the labels of hidden checkboxes, radio buttons and file inputs; requires their names. */
void snapshot_stand_ins_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

#endif
