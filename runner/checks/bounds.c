#include "runner/checks/bounds.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <string.h>

enum {
    MAX_ENTRY = 1024 * 1024,
    MAX_ALL = 100 * 1024 * 1024, /* leaves room for the rest of each entry */
    LINE = 16,                   /* bytes around an item: comma, line end, indentation */
};

json_t *bounds_text(const char *text)
{
    if (strlen(text) <= BOUNDS_MAX_TEXT) {
        return json_text(text);
    }
    CLEANUP_FREE char *cut =
        xasprintf("%.*s\xE2\x80\xA6", (int)utf8_cut(text, BOUNDS_MAX_TEXT), text);
    return json_text(cut);
}

size_t bounds_of_entry(size_t checks)
{
    return checks > MAX_ALL / MAX_ENTRY ? MAX_ALL / checks : MAX_ENTRY;
}

/* Returns a copy of the item with its texts cut. */
static json_t *cut_item(json_t *item)
{
    const char *key;
    json_t *member;
    if (json_is_string(item)) {
        return bounds_text(json_string_value(item));
    }
    json_t *copy = json_copy(item);
    json_object_foreach (item, key, member) {
        if (json_is_string(member)) {
            json_object_set_new(copy, key, bounds_text(json_string_value(member)));
        }
    }
    return copy;
}

/* Returns the size as JSON: control characters, for one, take six bytes each. */
static size_t written_size(const json_t *item)
{
    return json_dumpb(item, NULL, 0, JSON_INDENT(4) | JSON_ENCODE_ANY) + LINE;
}

static json_t *more_texts(size_t count)
{
    CLEANUP_FREE char *text = xasprintf("and %zu more", count);
    return json_text(text);
}

static json_t *more_logs(size_t count)
{
    return json_pack("{s:s, s:s, s:o}", "type", "warning", "source", "tool", "message",
                     more_texts(count));
}

/* The members that are lists, the most informative first. */
static const struct {
    const char *key;
    json_t *(*more)(size_t count); /* describes how many items were removed; NULL: not described */
} lists[] = {
    { "regions", NULL },        { "problems", more_texts }, { "unstable", more_texts },
    { "warnings", more_texts }, { "earlier", more_texts },  { "networkFailures", NULL },
    { "logs", more_logs },
};

/* Keeps the items of the list that fit. Returns their size in bytes. */
static size_t keep_list(json_t *object, size_t list, size_t max_bytes)
{
    size_t index;
    json_t *item;
    size_t bytes = 0;
    json_t *kept = json_array();
    json_t *items = json_object_get(object, lists[list].key);
    json_array_foreach (items, index, item) {
        json_auto_t *cut = cut_item(item);
        size_t size = written_size(cut);
        if (bytes + size > max_bytes) {
            break;
        }
        json_array_append(kept, cut);
        bytes += size;
    }
    size_t left = json_array_size(items) - json_array_size(kept);
    if (left && lists[list].more) {
        json_array_append_new(kept, lists[list].more(left));
    }
    json_object_set_new(object, lists[list].key, kept);
    return bytes;
}

void bounds_keep(json_t *entry, size_t max_bytes)
{
    size_t count = sizeof(lists) / sizeof(lists[0]);
    for (size_t i = 0; i < count; i++) {
        json_t *comparison = json_object_get(entry, "comparison");
        json_t *object = json_object_get(entry, lists[i].key) ? entry : comparison;
        if (json_object_get(object, lists[i].key)) {
            /*
             * Each list gets at most half, so that a long list leaves room for the following ones.
             */
            max_bytes -= keep_list(object, i, i + 1 < count ? max_bytes / 2 : max_bytes);
        }
    }
}
