/* The output of an encoder, in memory for free(). Lack of memory is reported. */
#ifndef IMAGING_OUTPUT_H
#define IMAGING_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Starts as zeros. `bytes` belongs to the owner of the struct, who calls free(output.bytes). */
struct output {
    unsigned char *bytes;
    size_t size;     /* bytes written */
    size_t capacity; /* bytes allocated */
};

/* Makes room for `size` more bytes; false if there is no memory. */
bool output_reserve(struct output *output, size_t size);

bool output_add(struct output *output, const void *bytes, size_t size);

#endif
