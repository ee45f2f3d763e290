/* Elements that others refer to: by their ids, as labels, as what they own. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_REFERENCES_H
#define RUNNER_SNAPSHOT_SEMANTICS_REFERENCES_H

#include "runner/snapshot/semantics/facts.h"

/* Ids, labels and owners, once the scopes are known. */
void snapshot_references_find(struct snapshot_facts *facts);

/* The first node with that id that `from` sees; NONE. */
int snapshot_facts_find(const struct snapshot_facts *facts, int from, const char *id,
                        size_t length);

/* Whether aria-labelledby refers to something that is there. */
bool snapshot_is_named_by_reference(const struct snapshot_facts *facts, int node);

/* Whether its author gave it a name: aria-label, aria-labelledby, title. */
bool snapshot_is_named(const struct snapshot_facts *facts, int node);

#endif
