/*
 * The ids by which a caller knows elements: e1, e2 and so on, counted up over the life of a
 * session. An element keeps its id as long as it lives; no other one ever gets it.
 */
#ifndef RUNNER_SNAPSHOT_DOM_IDS_H
#define RUNNER_SNAPSHOT_DOM_IDS_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

struct snapshot_ids;

/* Who it is, to the protocol: a node of a document of a frame. */
struct snapshot_identity {
    const char *frame_id;
    const char *loader_id; /* of the document: another one is another document */
    int64_t backend_id;
};

struct snapshot_ids *snapshot_ids_create(void);
void snapshot_ids_destroy(struct snapshot_ids *ids);

/*
 * The documents of the next snapshot: their numbers stand for frame and loader in
 * snapshot_ids_give(). Copied.
 */
int snapshot_ids_document(struct snapshot_ids *ids, const char *frame_id, const char *loader_id);

/* The id of an element of such a document; a new one if it has none yet. From 1. */
uint32_t snapshot_ids_give(struct snapshot_ids *ids, int document, int64_t backend_id);

/* Whose id it is. STALE_NODE when it was never given. Borrowed. */
bool snapshot_ids_find(const struct snapshot_ids *ids, uint32_t id,
                       struct snapshot_identity *ret_identity, struct br_error *err);

/* "e12", as "12" is understood too; 0 for anything else. */
uint32_t snapshot_id_parse(const char *text);

#endif
