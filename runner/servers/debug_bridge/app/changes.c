#include "runner/servers/debug_bridge/app/changes.h"

#include "runner/base/json.h"
#include "runner/base/unicode.h"

#include <string.h>
#include <strings.h>

static const char *id_of(const json_t *item)
{
    return json_member_string(item, "stableId");
}

static bool names_item(const char *key)
{
    return strcmp(key, "stableId") == 0 || strcmp(key, "selector") == 0;
}

/* The members that differ in `after`; `before` NULL: all. Caller decrefs. */
static json_t *changed_members(json_t *before, json_t *after)
{
    const char *key;
    json_t *value;
    json_t *changes = json_object();
    json_object_foreach (after, key, value) {
        if (!names_item(key) && !json_equal(json_object_get(before, key), value)) {
            json_object_set(changes, key, value);
        }
    }
    json_object_foreach (before, key, value) {
        if (!names_item(key) && !json_object_get(after, key)) {
            json_object_set_new(changes, key, json_null());
        }
    }
    return changes;
}

/* Takes ownership of the changes. */
static void add(json_t *all, const json_t *item, json_t *changes, const char *type)
{
    json_array_append_new(all, json_pack("{s:s, s:o, s:s}", "stableId", id_of(item), "changes",
                                         changes, "changeType", type));
}

static json_t *by_id(const json_t *items)
{
    size_t index;
    json_t *item;
    json_t *object = json_object();
    json_array_foreach (items, index, item) {
        json_object_set(object, id_of(item), item);
    }
    return object;
}

json_t *app_changes(const json_t *before, const json_t *after)
{
    size_t index;
    json_t *item;
    json_auto_t *old = by_id(before);
    json_auto_t *now = by_id(after);
    json_t *all = json_array();
    json_array_foreach (before, index, item) {
        if (!json_object_get(now, id_of(item))) {
            add(all, item, json_object(), "removed");
        }
    }
    json_array_foreach (after, index, item) {
        json_t *known = json_object_get(old, id_of(item));
        json_t *changes = changed_members(known, item);
        if (!known) {
            add(all, item, changes, "added");
        } else if (json_object_size(changes) > 0) {
            add(all, item, changes, "modified");
        } else {
            json_decref(changes);
        }
        if (json_array_size(all) > APP_MAX_CHANGES) {
            break;
        }
    }
    if (json_array_size(all) > APP_MAX_CHANGES) {
        json_decref(all);
        return NULL;
    }
    return all;
}

static bool has_role(const json_t *item, const char *role)
{
    const char *own = json_member_string(item, "role");
    const char *tag = json_member_string(json_object_get(item, "meta"), "tagName");
    return (own && strcasecmp(own, role) == 0) || (tag && strcasecmp(tag, role) == 0);
}

static bool is_wanted(const json_t *item, size_t index, const struct app_wanted *wanted)
{
    size_t i;
    json_t *role;
    bool has_one = !wanted->roles;
    json_array_foreach (wanted->roles, i, role) {
        has_one |= json_is_string(role) && has_role(item, json_string_value(role));
    }
    return has_one && (wanted->has_hidden || json_member_bool(item, "visible", false)) &&
           (!wanted->matches || json_is_true(json_array_get(wanted->matches, index)));
}

json_t *app_wanted_items(const json_t *items, const struct app_wanted *wanted)
{
    size_t index;
    json_t *item;
    json_t *shown = json_array();
    json_array_foreach (items, index, item) {
        if (is_wanted(item, index, wanted)) {
            json_t *copy = wanted->has_bounds ? json_incref(item) : json_copy(item);
            if (!wanted->has_bounds) {
                json_object_del(copy, "bounds");
            }
            json_array_append_new(shown, copy);
        }
    }
    return shown;
}

static bool says(const json_t *item, const char *text, bool is_exact)
{
    static const char *const keys[] = { "text", "label", NULL };
    for (size_t i = 0; keys[i]; i++) {
        const char *own = json_member_string(item, keys[i]);
        if (own && (is_exact ? strcasecmp(own, text) == 0 : unicode_contains(own, text))) {
            return true;
        }
    }
    return false;
}

json_t *app_items_by_text(const json_t *items, const char *text, const char *role)
{
    size_t index;
    json_t *item;
    json_t *found = json_array();
    for (int is_exact = 1; is_exact >= 0 && json_array_size(found) == 0; is_exact--) {
        json_array_foreach (items, index, item) {
            if ((!role || has_role(item, role)) && says(item, text, is_exact)) {
                json_array_append(found, item);
            }
        }
    }
    return found;
}
