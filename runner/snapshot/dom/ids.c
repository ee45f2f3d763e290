#include "runner/snapshot/dom/ids.h"

#include "runner/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 256, MAX_DIGITS = 9 };

struct document {
    char *frame_id, *loader_id;
};

/* Entry i is for id i + 1. */
struct entry {
    int64_t backend_id;
    int document;
    uint32_t next; /* id of the next entry in its bucket; 0: none */
};

struct snapshot_ids {
    struct document *documents;
    size_t document_count, document_capacity;
    struct entry *entries;
    size_t count, capacity;
    uint32_t *buckets;   /* the newest id in each bucket */
    size_t bucket_count; /* a power of two */
};

struct snapshot_ids *snapshot_ids_create(void)
{
    struct snapshot_ids *ids = xcalloc(1, sizeof(*ids));
    ids->bucket_count = FIRST_BUCKETS;
    ids->buckets = xcalloc(ids->bucket_count, sizeof(*ids->buckets));
    return ids;
}

void snapshot_ids_destroy(struct snapshot_ids *ids)
{
    if (!ids) {
        return;
    }
    for (size_t i = 0; i < ids->document_count; i++) {
        free(ids->documents[i].frame_id);
        free(ids->documents[i].loader_id);
    }
    free(ids->documents);
    free(ids->entries);
    free(ids->buckets);
    free(ids);
}

int snapshot_ids_document(struct snapshot_ids *ids, const char *frame_id, const char *loader_id)
{
    for (size_t i = ids->document_count; i-- > 0;) {
        const struct document *document = &ids->documents[i];
        if (strcmp(document->frame_id, frame_id) == 0 &&
            strcmp(document->loader_id, loader_id) == 0) {
            return (int)i;
        }
    }
    ids->documents = array_reserve(ids->documents, ids->document_count, &ids->document_capacity,
                                   sizeof(*ids->documents));
    ids->documents[ids->document_count] = (struct document){
        .frame_id = xstrdup(frame_id),
        .loader_id = xstrdup(loader_id),
    };
    return (int)ids->document_count++;
}

static size_t bucket_of(const struct snapshot_ids *ids, int document, int64_t backend_id)
{
    uint64_t hash = (uint64_t)backend_id * 0x9E3779B97F4A7C15u + (uint64_t)document;
    return (size_t)((hash ^ (hash >> 32)) & (ids->bucket_count - 1));
}

static void grow_buckets(struct snapshot_ids *ids)
{
    free(ids->buckets);
    ids->bucket_count *= 2;
    ids->buckets = xcalloc(ids->bucket_count, sizeof(*ids->buckets));
    for (size_t i = 0; i < ids->count; i++) {
        struct entry *entry = &ids->entries[i];
        size_t bucket = bucket_of(ids, entry->document, entry->backend_id);
        entry->next = ids->buckets[bucket];
        ids->buckets[bucket] = (uint32_t)i + 1;
    }
}

uint32_t snapshot_ids_give(struct snapshot_ids *ids, int document, int64_t backend_id)
{
    size_t bucket = bucket_of(ids, document, backend_id);
    for (uint32_t id = ids->buckets[bucket]; id; id = ids->entries[id - 1].next) {
        const struct entry *entry = &ids->entries[id - 1];
        if (entry->backend_id == backend_id && entry->document == document) {
            return id;
        }
    }
    if (ids->count >= ids->bucket_count) {
        grow_buckets(ids);
        bucket = bucket_of(ids, document, backend_id);
    }
    ids->entries = array_reserve(ids->entries, ids->count, &ids->capacity, sizeof(*ids->entries));
    ids->entries[ids->count] = (struct entry){
        .backend_id = backend_id,
        .document = document,
        .next = ids->buckets[bucket],
    };
    ids->buckets[bucket] = (uint32_t)++ids->count;
    return (uint32_t)ids->count;
}

bool snapshot_ids_find(const struct snapshot_ids *ids, uint32_t id,
                       struct snapshot_identity *ret_identity, struct br_error *err)
{
    if (id == 0 || id > ids->count) {
        error_set(err, BR_STALE_NODE, "no snapshot of this session has a node e%u", id);
        return error_hint(err, "take a snapshot, and use an id from it");
    }
    const struct entry *entry = &ids->entries[id - 1];
    *ret_identity = (struct snapshot_identity){
        .frame_id = ids->documents[entry->document].frame_id,
        .loader_id = ids->documents[entry->document].loader_id,
        .backend_id = entry->backend_id,
    };
    return true;
}

uint32_t snapshot_id_parse(const char *text)
{
    const char *digits = text + (*text == 'e');
    size_t length = strspn(digits, "0123456789");
    bool is_id = length > 0 && length <= MAX_DIGITS && digits[length] == '\0';
    return is_id ? (uint32_t)strtoul(digits, NULL, 10) : 0;
}
