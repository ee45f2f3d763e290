/* References between elements: ids, labels, aria-owns. */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_REFERENCES_H
#define RUNNER_SNAPSHOT_SEMANTICS_REFERENCES_H

#include "runner/snapshot/semantics/facts.h"

/* Finds ids, labels and owners; requires the scopes. */
void snapshot_references_find(struct snapshot_facts *facts);

/* Returns the first node with that id in the scope of `from`; NONE. */
int snapshot_facts_find(const struct snapshot_facts *facts, int from, const char *id,
                        size_t length);

/* Returns whether aria-labelledby refers to an existing element. */
bool snapshot_is_named_by_reference(const struct snapshot_facts *facts, int node);

/* Returns whether the author named it: aria-label, aria-labelledby, title. */
bool snapshot_is_named(const struct snapshot_facts *facts, int node);

#endif
