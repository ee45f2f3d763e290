/* Feeds any bytes as a script or as the source map of a script. */
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/observe/places.h"
#include "runner/observe/source_map.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char *found(void *data, const char *url, int line, int column)
{
    (void)data;
    assert(url && line >= 0 && column >= 0);
    return xstrdup("x:1:2");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err;
    CLEANUP_FREE char *text = xstrndup((const char *)bytes, size);
    struct source_map *map = source_map_parse((const char *)bytes, size, &err);
    for (int line = 0; map && line < 9; line += 4) {
        free(source_map_find(map, "http://x/js/app.js", line, 5));
    }
    source_map_destroy(map);
    free(source_map_inline(text));
    free(places_rewrite(text, 2 * size, found, NULL));
    size_t length = 0;
    const char *reference = source_map_reference(text, &length);
    assert(!reference || (length > 0 && reference + length <= text + strlen(text)));
    free(url_parts_resolve("http://x/js/app.js", text));
    free(url_parts_resolve(text, "../a/./b"));
    return 0;
}
