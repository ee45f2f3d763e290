#include "runner/servers/debug_bridge/app/ids.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

enum { MAX_MADE = 20000 };

struct app_ids {
    json_t *nodes; /* id to node */
    json_t *ids;   /* node to { base, id }; without base if it is generated */
    json_t *made;  /* the set of generated ids in this document */
};

struct app_ids *app_ids_create(void)
{
    struct app_ids *ids = xcalloc(1, sizeof(*ids));
    ids->nodes = json_object();
    ids->ids = json_object();
    ids->made = json_object();
    return ids;
}

void app_ids_destroy(struct app_ids *ids)
{
    if (ids) {
        json_decref(ids->nodes);
        json_decref(ids->ids);
        json_decref(ids->made);
        free(ids);
    }
}

void app_ids_forget(struct app_ids *ids)
{
    json_object_clear(ids->nodes);
    json_object_clear(ids->ids);
    json_object_clear(ids->made);
}

void app_ids_sweep(struct app_ids *ids, bool (*exists)(void *data, const char *node), void *data)
{
    const char *node;
    json_t *known;
    void *next = NULL;
    json_object_foreach_safe(ids->ids, next, node, known)
    {
        if (!exists(data, node)) {
            json_object_del(ids->nodes, json_member_string(known, "id"));
            json_object_del(ids->ids, node);
        }
    }
}

/* Records the id as the item's. */
static void take(struct app_ids *ids, struct app_ids_item *item, const char *id)
{
    json_t *known = json_pack("{s:o}", "id", json_text(id));
    if (item->is_given) {
        json_object_set_new(known, "base", json_text(item->base));
    }
    json_object_set_new(ids->nodes, id, json_text(item->node));
    json_object_set_new(ids->ids, item->node, known);
}

/* Frees the id of an element whose attributes give it another one. */
static void drop_changed(struct app_ids *ids, const struct app_ids_item *item)
{
    const json_t *known = json_object_get(ids->ids, item->node);
    const char *base = json_member_string(known, "base");
    bool is_same = base ? item->is_given && strcmp(base, item->base) == 0 : !item->is_given;
    if (known && !is_same) {
        json_object_del(ids->nodes, json_member_string(known, "id"));
        json_object_del(ids->ids, item->node);
    }
}

static char *numbered(const struct app_ids_item *item, json_int_t number)
{
    if (item->is_counted) {
        return xasprintf("%s-%lld", item->base, (long long)number);
    }
    return number == 0 ? xstrdup(item->base)
                       : xasprintf("%s~%lld", item->base, (long long)number + 1);
}

static bool is_taken(const struct app_ids *ids, const struct app_ids_item *item, const char *id)
{
    bool is_path = !item->is_given && !item->is_counted;
    return json_object_get(ids->nodes, id) || (is_path && json_object_get(ids->made, id));
}

/* The first free id; `next` has the number to begin with, by base. Caller frees. */
static char *find_free(const struct app_ids *ids, json_t *next, const struct app_ids_item *item)
{
    json_int_t number = json_integer_value(json_object_get(next, item->base));
    char *id = numbered(item, number++);
    while (is_taken(ids, item, id)) {
        free(id);
        id = numbered(item, number++);
    }
    json_object_set_new(next, item->base, json_integer(number));
    return id;
}

static void note_made(struct app_ids *ids, const struct app_ids_item *item)
{
    if (!item->is_given) {
        if (json_object_size(ids->made) >= MAX_MADE) {
            json_object_clear(ids->made);
        }
        json_object_set_new(ids->made, item->id, json_true());
    }
}

void app_ids_assign(struct app_ids *ids, struct app_ids_item *items, size_t count)
{
    json_auto_t *next = json_object();
    for (size_t i = 0; i < count; i++) {
        drop_changed(ids, &items[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (!json_object_get(ids->ids, items[i].node)) {
            CLEANUP_FREE char *id = find_free(ids, next, &items[i]);
            take(ids, &items[i], id);
        }
        items[i].id = json_member_string(json_object_get(ids->ids, items[i].node), "id");
        note_made(ids, &items[i]);
    }
}

const char *app_ids_find(const struct app_ids *ids, const char *id)
{
    return json_member_string(ids->nodes, id);
}

bool app_ids_was_made(const struct app_ids *ids, const char *id)
{
    return json_object_get(ids->made, id);
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
