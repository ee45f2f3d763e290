#include "imaging/output.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64 * 1024)

bool output_reserve(struct output *output, size_t size)
{
    if (size <= output->capacity - output->size) {
        return true;
    }
    if (size > SIZE_MAX / 4 || output->capacity > SIZE_MAX / 4) {
        return false;
    }
    size_t capacity = output->capacity ? output->capacity * 2 : FIRST_CAPACITY;
    if (capacity < output->size + size) {
        capacity = output->size + size;
    }
    unsigned char *bytes = realloc(output->bytes, capacity);
    if (!bytes) {
        return false;
    }
    output->bytes = bytes;
    output->capacity = capacity;
    return true;
}

bool output_add(struct output *output, const void *bytes, size_t size)
{
    if (!output_reserve(output, size)) {
        return false;
    }
    memcpy(output->bytes + output->size, bytes, size);
    output->size += size;
    return true;
}
