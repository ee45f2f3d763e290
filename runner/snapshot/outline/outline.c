#include "runner/snapshot/outline/outline.h"

#include "runner/base/arena.h"
#include "runner/base/memory.h"

void outline_destroy(struct outline *outline)
{
    if (outline) {
        arena_destroy(outline->arena);
        free(outline->items);
        free(outline);
    }
}
