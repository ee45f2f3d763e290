/* One document of a reply. */
#ifndef RUNNER_SNAPSHOT_DOM_DECODE_DOCUMENT_H
#define RUNNER_SNAPSHOT_DOM_DECODE_DOCUMENT_H

#include "runner/snapshot/dom/columns.h"
#include "runner/snapshot/dom/tree.h"

/* What a reply is decoded with. */
struct decoder {
    struct snapshot_tree *tree;
    struct scan scan;
    const char **strings;
    size_t string_count, string_capacity;
    const char *broken; /* what does not fit together; NULL: nothing so far */
};

/* Notes what does not fit together, if nothing was noted yet. False. */
bool decoder_mismatch(struct decoder *decoder, const char *what);

/* The node that entry i of a column is about, of a document that begins at `first`; NULL, with a
 * mismatch, when it is not there. */
struct snapshot_node *decoder_node(struct decoder *decoder, const struct sparse *sparse, size_t i,
                                   int first);

/* Adds nodes, layouts and lines of a document, and itself. */
bool decoder_add_document(struct decoder *decoder, const struct columns *columns);

#endif
