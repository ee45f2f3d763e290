#include "runner/checks/suite_memory.h"

#include "runner/base/memory.h"

struct suite_memory {
    void **pointers;
    size_t pointer_count, pointer_capacity;
    struct br_action **actions;
    size_t action_count, action_capacity;
};

struct suite_memory *suite_memory_create(void)
{
    return xcalloc(1, sizeof(struct suite_memory));
}

void suite_memory_destroy(struct suite_memory *memory)
{
    if (!memory) {
        return;
    }
    for (size_t i = 0; i < memory->action_count; i++) {
        br_action_destroy(memory->actions[i]);
    }
    for (size_t i = 0; i < memory->pointer_count; i++) {
        free(memory->pointers[i]);
    }
    free(memory->actions);
    free(memory->pointers);
    free(memory);
}

void *suite_memory_keep(struct suite_memory *memory, void *pointer)
{
    memory->pointers = array_reserve(memory->pointers, memory->pointer_count,
                                     &memory->pointer_capacity, sizeof(*memory->pointers));
    memory->pointers[memory->pointer_count++] = pointer;
    return pointer;
}

void *suite_memory_alloc(struct suite_memory *memory, size_t count, size_t size)
{
    return suite_memory_keep(memory, xcalloc(count, size));
}

void suite_memory_keep_action(struct suite_memory *memory, struct br_action *action)
{
    memory->actions = array_reserve(memory->actions, memory->action_count, &memory->action_capacity,
                                    sizeof(struct br_action *));
    memory->actions[memory->action_count++] = action;
}
