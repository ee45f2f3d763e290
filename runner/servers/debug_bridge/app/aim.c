#include "runner/servers/debug_bridge/app/aim.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/servers/debug_bridge/app/changes.h"
#include "runner/servers/debug_bridge/app/commands.h"
#include "runner/servers/debug_bridge/app/page.h"
#include "runner/servers/debug_bridge/app/ui.h"

#include <string.h>

/* Takes the present UI tree, which assigns the ids. */
static bool look_at_tree(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct app_aim *aim = data;
    json_auto_t *items = NULL;
    aim->app->watch.is_touched = true; /* changes are reported at the next look */
    if (!app_ui_look(aim->app->ids, visit, false, &items, err)) {
        return false;
    }
    json_decref(aim->items);
    aim->items = json_incref(items);
    return true;
}

static bool look_again(struct app_aim *aim, struct br_error *err)
{
    return app_visit(aim->app, aim->session, APP_VISIT_MS, false, look_at_tree, aim, err);
}

static bool fail_removed(const char *id, struct br_error *err)
{
    error_set(err, BR_STALE_NODE, "\"%s\" is no longer on the page", id);
    return error_hint(err, "the last ui_tree and the updates after it have the valid ids");
}

static void set_node(struct app_aim *aim, const char *node)
{
    json_object_set_new(aim->action, "node", json_text(node));
}

/* Chooses the first of the attribute selectors that matches an element, even a hidden one. */
static bool choose_way(void *data, const struct session_visit *visit, struct br_error *err)
{
    struct app_aim *aim = data;
    json_auto_t *found = NULL;
    if (!app_page_ask(visit->page,
                      json_pack("{s:s, s:O}", "op", "first", "selectors",
                                json_object_get(aim->action, "targets")),
                      &found, err)) {
        return false;
    }
    json_t *selector = json_object_get(found, "selector");
    if (json_is_string(selector)) {
        json_object_del(aim->action, "targets");
        json_object_set(aim->action, "selector", selector);
    }
    return true;
}

/* No tree has the id: the element may be hidden, or appear later. */
static bool aim_by_attributes(struct app_aim *aim, const char *id, struct br_error *err)
{
    if (app_ids_was_made(aim->app->ids, id)) {
        return fail_removed(id, err);
    }
    return app_command_set_target(aim->target, aim->action, err) &&
           app_visit(aim->app, aim->session, APP_VISIT_MS, false, choose_way, aim, err);
}

static bool aim_by_id(struct app_aim *aim, const char *id, struct br_error *err)
{
    struct app_ids *ids = aim->app->ids;
    if (!app_ids_find(ids, id) && !look_again(aim, err)) {
        return false;
    }
    const char *node = app_ids_find(ids, id);
    if (node) {
        set_node(aim, node);
        return true;
    }
    return aim_by_attributes(aim, id, err);
}

static bool aim_by_text(struct app_aim *aim, const char *text, struct br_error *err)
{
    if (!look_again(aim, err)) {
        return false;
    }
    json_auto_t *found =
        app_items_by_text(aim->items, text, json_member_string(aim->target, "role"));
    if (json_array_size(found) > 1) {
        error_set(err, BR_TARGET_AMBIGUOUS, "%zu elements have the text \"%s\"",
                  json_array_size(found), text);
        return error_hint(err, "choose one by its stableId");
    }
    const char *id = json_member_string(json_array_get(found, 0), "stableId");
    if (id) {
        set_node(aim, app_ids_find(aim->app->ids, id));
        return true;
    }
    return app_command_set_target(aim->target, aim->action, err);
}

static bool aim_by_rest(struct app_aim *aim, struct br_error *err)
{
    return json_object_get(aim->target, "selector")
               ? app_command_set_target(aim->target, aim->action, err)
               : aim_by_text(aim, json_member_string(aim->target, "text"), err);
}

/* Whether an element has the id now, in which case the action has its target. */
static bool has_id(struct app_aim *aim, const char *id)
{
    struct br_error ignored;
    struct app_ids *ids = aim->app->ids;
    if ((!app_ids_find(ids, id) && !look_again(aim, &ignored)) || app_ids_find(ids, id) ||
        app_ids_was_made(ids, id)) {
        const char *node = app_ids_find(ids, id);
        if (node) {
            set_node(aim, node);
        }
        return node;
    }
    json_auto_t *before = json_copy(aim->action);
    bool is_found =
        aim_by_attributes(aim, id, &ignored) && json_object_get(aim->action, "selector");
    if (!is_found) {
        json_object_clear(aim->action);
        json_object_update(aim->action, before);
    }
    return is_found;
}

bool app_aim_take(struct app_aim *aim, struct br_error *err)
{
    const char *id = json_member_string(aim->target, "stableId");
    bool has_rest =
        json_object_get(aim->target, "selector") || json_object_get(aim->target, "text");
    if (id && !has_rest) {
        return aim_by_id(aim, id, err);
    }
    if (id && has_id(aim, id)) {
        return true;
    }
    if (id) {
        json_t *target = json_copy((json_t *)aim->target);
        json_object_del(target, "stableId");
        aim->target = aim->rest = target;
    }
    return aim_by_rest(aim, err);
}

bool app_aim_anew(struct app_aim *aim, struct br_error *err)
{
    struct app_ids *ids = aim->app->ids;
    const char *id = json_member_string(aim->target, "stableId");
    CLEANUP_FREE char *before = xstrdup(json_member_string(aim->action, "node"));
    struct br_error stale = *err;
    if (!id || !before || !look_again(aim, err)) {
        *err = stale;
        return false;
    }
    const char *node = app_ids_find(ids, id);
    json_object_del(aim->action, "node");
    if (node && (strcmp(node, before) == 0 || !app_ids_was_made(ids, id))) {
        set_node(aim, node);
        return true;
    }
    return aim_by_attributes(aim, id, err);
}

void app_aim_finish(struct app_aim *aim)
{
    json_decref(aim->items);
    json_decref(aim->rest);
    aim->items = aim->rest = NULL;
}
