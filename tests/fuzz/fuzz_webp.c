/* Reads the size of a WebP from any bytes. */
#include "imaging/webp.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    int width = 0;
    int height = 0;
    if (webp_read_size(bytes, size, &width, &height, &err)
            ? width <= 0 || height <= 0
            : err.code != BR_UNKNOWN_ERROR || err.message[0] == '\0') {
        abort();
    }
    return 0;
}
