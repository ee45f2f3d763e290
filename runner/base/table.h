/*
 * An intrusive hash table: the owner allocates the items and compares the keys; the table only
 * links items. Lookup takes constant time.
 */
#ifndef RUNNER_BASE_TABLE_H
#define RUNNER_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Must be the first member of the owner's struct. */
struct table_item {
    struct table_item *next;
    uint64_t hash;
};

/* Zero-initialised is empty. */
struct table {
    struct table_item **heads; /* a power of two of chains; NULL before the first item */
    size_t capacity, count;
};

/* Removes all items, without freeing them. */
void table_finish(struct table *table);

uint64_t table_hash_number(uint64_t number);
uint64_t table_hash_bytes(const void *bytes, size_t length);

/* Adds an item by the hash of its key. The caller has checked that the key is not in the table. */
void table_add(struct table *table, struct table_item *item, uint64_t hash);

/* Returns the item with this hash for which is_it(item, key) is true, or NULL. */
struct table_item *table_find(const struct table *table, uint64_t hash,
                              bool (*is_it)(const struct table_item *item, const void *key),
                              const void *key);

/* Removes an item that is in the table. */
void table_remove(struct table *table, struct table_item *item);

/*
 * Iterates in no particular order: `item` is NULL for the first; returns NULL after the last. The
 * current item may be removed after the next one was requested.
 */
struct table_item *table_next(const struct table *table, const struct table_item *item);

#endif
