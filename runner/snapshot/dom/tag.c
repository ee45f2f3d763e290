#include "runner/snapshot/dom/tag.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = {
#define TAG_NAME(symbol, name) name,
    SNAPSHOT_TAGS(TAG_NAME)
#undef TAG_NAME
};
enum { NAME_COUNT = sizeof(names) / sizeof(names[0]), FIRST = TAG_CUSTOM + 1 };

enum snapshot_tag snapshot_tag(const char *name)
{
    size_t low = 0;
    size_t high = NAME_COUNT;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcasecmp(name, names[middle]);
        if (order == 0) {
            return (enum snapshot_tag)(FIRST + middle);
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return strchr(name, '-') ? TAG_CUSTOM : TAG_OTHER;
}

const char *snapshot_tag_name(enum snapshot_tag tag)
{
    return (int)tag < FIRST ? "" : names[(int)tag - FIRST];
}

bool snapshot_tag_is_leaf(enum snapshot_tag tag)
{
    switch (tag) {
    case TAG_AUDIO:
    case TAG_CANVAS:
    case TAG_IMG:
    case TAG_INPUT:
    case TAG_METER:
    case TAG_OPTION:
    case TAG_PROGRESS:
    case TAG_TEXTAREA:
    case TAG_VIDEO:
        return true;
    default:
        return false;
    }
}
