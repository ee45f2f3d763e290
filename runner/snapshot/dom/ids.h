/*
 * The ids by which callers refer to elements: e1, e2 and so on, unique in a session. An element
 * keeps its id as long as it exists; ids are never reused.
 */
#ifndef RUNNER_SNAPSHOT_DOM_IDS_H
#define RUNNER_SNAPSHOT_DOM_IDS_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct snapshot_ids;

/* The element for the protocol: a node in a document of a frame. */
struct snapshot_identity {
    const char *frame_id;
    const char *loader_id; /* of the document: each document has another one */
    int64_t backend_id;
};

struct snapshot_ids *snapshot_ids_create(void);
void snapshot_ids_destroy(struct snapshot_ids *ids);

/*
 * Registers a document of the next snapshot; the number stands for its frame and loader in
 * snapshot_ids_give(). Copied.
 */
int snapshot_ids_document(struct snapshot_ids *ids, const char *frame_id, const char *loader_id);

/* Returns the id of an element of such a document, from 1; creates one if it has none. */
uint32_t snapshot_ids_give(struct snapshot_ids *ids, int document, int64_t backend_id);

/* Returns the element of an id. STALE_NODE if it was never given. Borrowed. */
bool snapshot_ids_find(const struct snapshot_ids *ids, uint32_t id,
                       struct snapshot_identity *ret_identity, struct br_error *err);

/* Parses "e12", or "12"; returns 0 for anything else. */
uint32_t snapshot_id_parse(const char *text);

#endif
