/* Labels that a person operates in the place of what they label. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_STAND_IN_H
#define RUNNER_SNAPSHOT_SEMANTICS_STAND_IN_H

#include "runner/snapshot/semantics/text_alternative.h"

/* Labels of hidden checkboxes, radio buttons and fields for files; needs their names. */
void snapshot_stand_ins_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

#endif
