#include "runner/base/arena.h"

#include "runner/base/memory.h"

#include <string.h>

enum { BLOCK_SIZE = 32 * 1024 };

struct block {
    struct block *next;
    size_t used, size;
    char bytes[];
};

struct arena {
    struct block *blocks; /* the newest first */
};

struct arena *arena_create(void)
{
    return xcalloc(1, sizeof(struct arena));
}

void arena_destroy(struct arena *arena)
{
    struct block *next = NULL;
    for (struct block *block = arena ? arena->blocks : NULL; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena);
}

static struct block *add_block(struct arena *arena, size_t needed)
{
    size_t size = needed > BLOCK_SIZE ? needed : BLOCK_SIZE;
    struct block *block = xmalloc(sizeof(*block) + size);
    block->used = 0;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

const char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    struct block *block = arena->blocks;
    if (!block || block->size - block->used < length + 1) {
        block = add_block(arena, length + 1);
    }
    char *copy = block->bytes + block->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    block->used += length + 1;
    return copy;
}
