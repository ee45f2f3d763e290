/* Decodes one document of a reply. */
#ifndef RUNNER_SNAPSHOT_DOM_DECODE_DOCUMENT_H
#define RUNNER_SNAPSHOT_DOM_DECODE_DOCUMENT_H

#include "runner/snapshot/dom/columns.h"
#include "runner/snapshot/dom/tree.h"

/* State of decoding a reply. */
struct decoder {
    struct snapshot_tree *tree;
    struct scan scan;
    const char **strings;
    size_t string_count, string_capacity;
    const char *broken; /* the first inconsistency; NULL: none so far */
};

/* Notes the first inconsistency of the reply. Returns false. */
bool decoder_mismatch(struct decoder *decoder, const char *what);

/*
 * Returns the node of entry i of a sparse column, in a document whose nodes begin at `first`; NULL,
 * with a noted mismatch, if there is no such node.
 */
struct snapshot_node *decoder_node(struct decoder *decoder, const struct sparse *sparse, size_t i,
                                   int first);

/* Adds a document with its nodes, layouts and lines. */
bool decoder_add_document(struct decoder *decoder, const struct columns *columns);

#endif
