/*
 * A hash table of items that their owner allocates: the table links them and owns none. What a key
 * is, the owner knows. Any count; a lookup takes the same time at each.
 */
#ifndef RUNNER_BASE_TABLE_H
#define RUNNER_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stands first in a struct of the owner's. */
struct table_item {
    struct table_item *next;
    uint64_t hash;
};

/* All zero is an empty one. */
struct table {
    struct table_item **heads; /* of a power of two of chains; NULL before the first item */
    size_t capacity, count;
};

/* Forgets all items. */
void table_finish(struct table *table);

uint64_t table_hash_number(uint64_t number);
uint64_t table_hash_bytes(const void *bytes, size_t length);

/* Adds an item by the hash of its key; whether the key is there already, the caller has asked. */
void table_add(struct table *table, struct table_item *item, uint64_t hash);

/* The item with this hash of which is_it(item, key) says so, or NULL. */
struct table_item *table_find(const struct table *table, uint64_t hash,
                              bool (*is_it)(const struct table_item *item, const void *key),
                              const void *key);

/* Takes out an item that is in the table. */
void table_remove(struct table *table, struct table_item *item);

/*
 * One item after the other, in no order: `item` NULL for the first; NULL after the last. The
 * present one may be removed when the next one has been asked for.
 */
struct table_item *table_next(const struct table *table, const struct table_item *item);

#endif
