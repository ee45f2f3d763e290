/* States, values and tiers. All of them need the roles first. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_STATE_H
#define RUNNER_SNAPSHOT_SEMANTICS_STATE_H

#include "runner/snapshot/semantics/name.h"

/* private.c: fills is_private of all nodes: what is typed there is nobody's business. */
void snapshot_private_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

/* An option of a list that is private: whether it is chosen is the list's value. */
bool snapshot_is_private_choice(const struct snapshot_tree *tree,
                                const struct snapshot_meaning *meanings, int node);

/* value.c: as a person reads it; never one that is private. NULL: none. Borrowed. */
const char *snapshot_value(struct snapshot_naming *naming, const struct snapshot_facts *facts,
                           int node);

/* state.c: fills the states of a node; what is not here are levels, values and what is private. */
void snapshot_state_find(struct snapshot_facts *facts, int node);

/* Of headings, of items of trees and of rows. */
void snapshot_levels_find(struct snapshot_facts *facts);

/* stand_in.c: labels of hidden checkboxes, radio buttons and fields for files; needs their names.
 */
void snapshot_stand_ins_find(struct snapshot_naming *naming, const struct snapshot_facts *facts);

/* tier.c: needs names and states. */
void snapshot_tiers_find(struct snapshot_facts *facts);

#endif
