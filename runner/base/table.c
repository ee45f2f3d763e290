#include "runner/base/table.h"

#include "runner/base/memory.h"

enum { FIRST_CAPACITY = 16 };

static struct table_item **chain_of(const struct table *table, uint64_t hash)
{
    return &table->heads[hash & (table->capacity - 1)];
}

/* Keeps at least as many chains as items, so that chains stay short. */
static void grow(struct table *table)
{
    struct table old = *table;
    table->capacity = old.capacity ? old.capacity * 2 : FIRST_CAPACITY;
    table->heads = xcalloc(table->capacity, sizeof(struct table_item *));
    table->count = 0;
    for (struct table_item *item = table_next(&old, NULL); item;) {
        struct table_item *next = table_next(&old, item);
        table_add(table, item, item->hash);
        item = next;
    }
    free(old.heads);
}

void table_finish(struct table *table)
{
    free(table->heads);
    *table = (struct table){ 0 };
}

/* Lets every bit of the number influence the low bits (splitmix64, Steele and others 2014). */
uint64_t table_hash_number(uint64_t number)
{
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9U;
    number = (number ^ number >> 27) * 0x94D049BB133111EBU;
    return number ^ number >> 31;
}

/* FNV-1a, followed by the mixer above. */
uint64_t table_hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t hash = 0xCBF29CE484222325U;
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ at[i]) * 0x100000001B3U;
    }
    return table_hash_number(hash);
}

void table_add(struct table *table, struct table_item *item, uint64_t hash)
{
    if (table->count == table->capacity) {
        grow(table);
    }
    struct table_item **head = chain_of(table, hash);
    item->hash = hash;
    item->next = *head;
    *head = item;
    table->count++;
}

struct table_item *table_find(const struct table *table, uint64_t hash,
                              bool (*is_it)(const struct table_item *item, const void *key),
                              const void *key)
{
    struct table_item *item = table->count > 0 ? *chain_of(table, hash) : NULL;
    while (item && (item->hash != hash || !is_it(item, key))) {
        item = item->next;
    }
    return item;
}

void table_remove(struct table *table, struct table_item *item)
{
    struct table_item **link = chain_of(table, item->hash);
    while (*link != item) {
        link = &(*link)->next;
    }
    *link = item->next;
    item->next = NULL;
    table->count--;
}

struct table_item *table_next(const struct table *table, const struct table_item *item)
{
    if (item && item->next) {
        return item->next;
    }
    size_t chain = item ? (item->hash & (table->capacity - 1)) + 1 : 0;
    while (chain < table->capacity && !table->heads[chain]) {
        chain++;
    }
    return chain < table->capacity ? table->heads[chain] : NULL;
}
