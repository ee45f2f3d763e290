/*
 * Reads any text as Lost Pixel's configuration script. It must be refused, or every check has a
 * name and an address, and what was not taken over is text. Scripts with a Storybook are left out:
 * they would be fetched.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/import.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(const struct import *import)
{
    size_t index;
    const json_t *one;
    json_array_foreach (import->checks, index, one) {
        if (!json_member_string(one, "name") || !json_member_string(one, "url")) {
            abort();
        }
    }
    json_array_foreach (import->notes, index, one) {
        if (!json_is_string(one)) {
            abort();
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct br_error err = { 0 };
    CLEANUP_FREE char *text = xstrndup((const char *)data, size);
    struct import import = {
        .source = "lostpixel.config.ts",
        .suite = json_object(),
        .viewports = json_object(),
        .defaults = json_object(),
        .checks = json_array(),
        .used = json_object(),
        .notes = json_array(),
        .parts = json_array(),
        .sizes = json_array(),
    };
    if (!strstr(text, "storybook") && !import_lost_pixel_script(&import, text, &err) &&
        !err.message[0]) {
        abort();
    }
    look_at(&import);
    json_t *const owned[] = { import.suite, import.viewports, import.defaults, import.checks,
                              import.used,  import.notes,     import.parts,    import.sizes };
    for (size_t i = 0; i < sizeof(owned) / sizeof(owned[0]); i++) {
        json_decref(owned[i]);
    }
    free(import.base);
    return 0;
}
