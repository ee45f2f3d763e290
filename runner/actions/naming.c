#include "runner/actions/naming.h"

#include "runner/actions/common.h"
#include "runner/actions/shared_params.h"
#include "runner/actions/validate.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

#include <string.h>

bool action_names_element(const struct br_action *action)
{
    const struct param *ways[RULE_NAMES];
    size_t count = action_type_names(action->kind, "@element", ways);
    for (size_t i = 0; i < count; i++) {
        if (param_is_given(action, ways[i]->name)) {
            return true;
        }
    }
    return false;
}

bool action_names_target(const struct br_action *action)
{
    return action_names_element(action) || param_is_given(action, "xRange") ||
           param_is_given(action, "x");
}

bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err)
{
    bool by_text = action_type_is_by_text(action->kind);
    const json_t *x_range = json_object_get(action->params, "xRange");
    const json_t *y_range = json_object_get(action->params, "yRange");
    double x = param_number(action, "x", 0);
    double y = param_number(action, "y", 0);
    const char *node = param_text(action, "node", NULL);
    const char *word = param_text(action, "element", NULL);
    int64_t patience_ms = action_timeout_ms(action, TARGET_PATIENCE_MS);
    *ret_target = (struct page_target){
        .selector = param_text(action, "selector", NULL),
        .test_id = param_text(action, "testId", NULL),
        .text = by_text ? param_text(action, "text", NULL) : NULL,
        .may_be_name = by_text,
        .word = word,
        .word_kind = action->kind->word_kind,
        .word_role = word && snapshot_role_from_name(word) != ROLE_UNKNOWN ? word : NULL,
        .role = param_text(action, "role", NULL),
        .name = param_text(action, "name", NULL),
        .targets = json_object_get(action->params, "targets"),
        .frame = param_text(action, "frame", NULL),
        .ignores_no_ai = param_boolean(action, "ignoreNoAi", false),
        .nth = (int)param_integer(action, "nth", -1),
        .x_min = json_member_number(x_range, "min", x),
        .x_max = json_member_number(x_range, "max", x),
        .y_min = json_member_number(y_range, "min", y),
        .y_max = json_member_number(y_range, "max", y),
        .patience_ms = patience_ms < run->patience_ms ? patience_ms : run->patience_ms,
    };
    return !node || snapshot_store_find(run->snapshots, run->page, node, &ret_target->node, err);
}

struct br_action *naming_parse(const struct br_action *action, const char *path,
                               const json_t *given, const char *hint, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *named =
        action_create("hover", action_param_position(action, path));
    const struct param *common = shared_common_params;
    named->path = xasprintf("%s.%s", action->path ? action->path : action->type, path);
    json_object_update(named->params, (json_t *)given);
    while (common->name && !param_is_given(named, common->name)) {
        common++;
    }
    if (common->name) {
        param_error(named, common->name, err, "is not a parameter of a target");
    } else if (action_validate_as(named, &action_hover, err)) {
        return TAKE(named);
    }
    if (!*err->hint) {
        error_hint(err, "%s", hint);
    }
    return NULL;
}

struct page_click action_click_place(const struct br_action *action)
{
    const json_t *position = json_object_get(action->params, "position");
    return (struct page_click){
        .has_offset = position,
        .x = json_member_number(position, "x", 0),
        .y = json_member_number(position, "y", 0),
        .button = "left",
        .count = 1,
    };
}
