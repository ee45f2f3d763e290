/* text-transform, as the reply leaves it to its readers. */
#ifndef RUNNER_SNAPSHOT_DOM_TRANSFORM_H
#define RUNNER_SNAPSHOT_DOM_TRANSFORM_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

/* Adds the text as it is rendered: Latin, Greek and Cyrillic letters have their case changed.
 * begins_word: it does not go on with a word. */
void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word);

#endif
