#include "runner/servers/debug_bridge/app/ids.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

enum { MAX_COUNTED = 20000 };

struct app_ids {
    json_t *nodes;   /* id to node, in the last tree */
    json_t *ids;     /* node to { base, id } */
    json_t *counted; /* the set of counted ids in former trees */
};

struct app_ids *app_ids_create(void)
{
    struct app_ids *ids = xcalloc(1, sizeof(*ids));
    ids->nodes = json_object();
    ids->ids = json_object();
    ids->counted = json_object();
    return ids;
}

void app_ids_destroy(struct app_ids *ids)
{
    if (ids) {
        json_decref(ids->nodes);
        json_decref(ids->ids);
        json_decref(ids->counted);
        free(ids);
    }
}

void app_ids_forget(struct app_ids *ids)
{
    json_object_clear(ids->nodes);
    json_object_clear(ids->ids);
    json_object_clear(ids->counted);
}

/* Records the id as the item's. */
static void keep(json_t *nodes, json_t *of_nodes, struct app_ids_item *item, const char *id)
{
    json_object_set_new(nodes, id, json_text(item->node));
    json_object_set_new(
        of_nodes, item->node,
        json_pack("{s:o, s:o}", "base", json_text(item->base), "id", json_text(id)));
    item->id = json_member_string(json_object_get(of_nodes, item->node), "id");
}

static char *numbered(const struct app_ids_item *item, json_int_t number)
{
    if (item->is_counted) {
        return xasprintf("%s-%lld", item->base, (long long)number);
    }
    return number == 0 ? xstrdup(item->base)
                       : xasprintf("%s~%lld", item->base, (long long)number + 1);
}

/* The first free id; `next` has the number to begin with, by base. Caller frees. */
static char *find_free(const json_t *nodes, json_t *next, const struct app_ids_item *item)
{
    json_int_t number = json_integer_value(json_object_get(next, item->base));
    char *id = numbered(item, number++);
    while (json_object_get(nodes, id)) {
        free(id);
        id = numbered(item, number++);
    }
    json_object_set_new(next, item->base, json_integer(number));
    return id;
}

static void note_counted(struct app_ids *ids, const struct app_ids_item *item)
{
    if (item->is_counted) {
        if (json_object_size(ids->counted) >= MAX_COUNTED) {
            json_object_clear(ids->counted);
        }
        json_object_set_new(ids->counted, item->id, json_true());
    }
}

void app_ids_assign(struct app_ids *ids, struct app_ids_item *items, size_t count)
{
    json_auto_t *nodes = json_object();
    json_auto_t *of_nodes = json_object();
    json_auto_t *next = json_object();
    for (size_t i = 0; i < count; i++) {
        const json_t *known = json_object_get(ids->ids, items[i].node);
        const char *base = json_member_string(known, "base");
        items[i].id = NULL;
        if (base && strcmp(base, items[i].base) == 0) {
            keep(nodes, of_nodes, &items[i], json_member_string(known, "id"));
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!items[i].id) {
            CLEANUP_FREE char *id = find_free(nodes, next, &items[i]);
            keep(nodes, of_nodes, &items[i], id);
        }
        note_counted(ids, &items[i]);
    }
    json_decref(ids->nodes);
    json_decref(ids->ids);
    ids->nodes = json_incref(nodes);
    ids->ids = json_incref(of_nodes);
}

const char *app_ids_find(const struct app_ids *ids, const char *id)
{
    return json_member_string(ids->nodes, id);
}

bool app_ids_was_counted(const struct app_ids *ids, const char *id)
{
    return json_object_get(ids->counted, id);
}

static bool is_between(const char *text, const char *before, const char *behind)
{
    size_t length = strlen(text);
    size_t both = strlen(before) + strlen(behind);
    return length > both && strncmp(text, before, strlen(before)) == 0 &&
           strcmp(text + length - strlen(behind), behind) == 0;
}

bool app_ids_is_generated(const char *id)
{
    return id[0] == ':' || is_between(id, "\xc2\xab", "\xc2\xbb") || is_between(id, "_r_", "_");
}
