#include "profiles/preset.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/strbuf.h"

#include <string.h>

extern const char preset_desktop[], preset_laptop[], preset_iphone[], preset_pixel[],
    preset_tablet[], preset_ci[];

const char *const preset_names[] = { "desktop", "laptop", "iphone", "pixel", "tablet", "ci", NULL };

/* In the order of the names. */
static const char *const texts[] = { preset_desktop, preset_laptop, preset_iphone,
                                     preset_pixel,   preset_tablet, preset_ci };
enum { PRESET_COUNT = sizeof(texts) / sizeof(texts[0]) };

static void unknown_preset(const char *name, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf list = STRBUF_INIT(512);
    for (size_t i = 0; i < PRESET_COUNT; i++) {
        strbuf_add_format(&list, "%s%s", i ? ", " : "", preset_names[i]);
    }
    error_set(err, BR_INVALID_ACTION, "there is no preset \"%s\", only %s", name, list.data);
    const char *nearest = names_nearest(name, preset_names, PRESET_COUNT);
    if (nearest) {
        error_hint(err, "did you mean \"%s\"?", nearest);
    }
}

json_t *preset_load(const char *name, struct br_error *err)
{
    for (size_t i = 0; i < PRESET_COUNT; i++) {
        if (strcmp(name, preset_names[i]) == 0) {
            return json_parse(texts[i], strlen(texts[i]), name, err);
        }
    }
    unknown_preset(name, err);
    return NULL;
}
