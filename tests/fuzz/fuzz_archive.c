/* Reads any bytes as a ZIP archive. What is taken must have a safe name and its size. */
#include "runner/checks/archive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool on_wanted(void *data, const char *name)
{
    (void)data;
    (void)name;
    return true;
}

static bool leaves_folder(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "../", 3) == 0 || strstr(name, "/../") || strcmp(name, "..") == 0 ||
           (length > 2 && strcmp(name + length - 3, "/..") == 0);
}

static bool on_file(void *data, const char *name, const void *bytes, size_t size,
                    struct br_error *err)
{
    uint8_t *sum = data;
    (void)err;
    if (name[0] == '/' || leaves_folder(name) || strchr(name, '\\') || size > ARCHIVE_MAX_PART) {
        abort();
    }
    for (size_t i = 0; i < size; i++) {
        *sum ^= ((const uint8_t *)bytes)[i];
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct br_error err = { 0 };
    uint8_t sum = 0;
    const struct archive_taker taker = { .wants = on_wanted, .take = on_file, .data = &sum };
    if (!archive_read(data, size, &taker, &err) && (err.code == BR_OK || !err.message[0])) {
        abort();
    }
    return 0;
}
