/* text-transform, which Chrome's reply does not apply. */
#ifndef RUNNER_SNAPSHOT_DOM_TRANSFORM_H
#define RUNNER_SNAPSHOT_DOM_TRANSFORM_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tree.h"

/*
 * Adds the text as rendered; changes the case of Latin, Greek and Cyrillic letters. begins_word:
 * the text does not continue a word.
 */
void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word);

#endif
