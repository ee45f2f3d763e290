#include "runner/actions/naming.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/page/element/input.h"
#include "runner/page/element/named.h"

#include <string.h>

enum { MAX_TARGETS = 1000 };

const struct param naming_element_params[] = {
    { .name = "node", .kind = PARAM_NAME },
    { .name = "selector", .kind = PARAM_NAME },
    { .name = "testId", .kind = PARAM_NAME },
    { .name = "role", .kind = PARAM_NAME },
    { .name = "name", .kind = PARAM_NAME },
    { .name = "targets", .kind = PARAM_SELECTORS, .max = MAX_TARGETS },
    { .name = "nth", .kind = PARAM_INTEGER, .min = 0, .max = 100000 },
    { .name = "frame", .kind = PARAM_NAME },
    { .name = "ignoreNoAi", .kind = PARAM_BOOLEAN },
    { 0 },
};

const struct param naming_text_params[] = {
    { .name = "text", .kind = PARAM_NAME },
    { 0 },
};

const struct param naming_place_params[] = {
    { .name = "xRange", .kind = PARAM_RANGE },
    { .name = "yRange", .kind = PARAM_RANGE },
    { .name = "x", .kind = PARAM_NUMBER },
    { .name = "y", .kind = PARAM_NUMBER },
    { 0 },
};

const char *const button_choices[] = { "left", "middle", "right", NULL };

bool naming_is_by_text(const struct action_type *type)
{
    const struct param *row = type->params;
    while (row && row->name && strcmp(row->name, "text") != 0) {
        row++;
    }
    return type->names != NAMES_NOTHING && !(row && row->name);
}

/* How many ways to name an element are given. */
static int count_element_ways(const struct br_action *action)
{
    bool by_text = naming_is_by_text(action_type_find(action->type));
    return param_is_given(action, "node") + param_is_given(action, "selector") +
           param_is_given(action, "testId") + param_is_given(action, "role") +
           param_is_given(action, "targets") + (by_text && param_is_given(action, "text"));
}

/* What only narrows down the elements that something else names. */
static bool check_narrowing(const struct br_action *action, int ways, struct br_error *err)
{
    if (param_is_given(action, "name") && !param_is_given(action, "role")) {
        return param_error(action, "name", err, "is that of a role, and there is none");
    }
    if (param_is_given(action, "nth") && !ways) {
        return param_error(action, "nth", err, "counts matches of a selector, and there is none");
    }
    bool may_be_alone = action_type_find(action->type)->names == NAMES_ELEMENT_OR_NOTHING;
    if (param_is_given(action, "frame") && !ways && !may_be_alone) {
        return param_error(action, "frame", err,
                           "says where to look for an element, and none is named");
    }
    return true;
}

/* An id that no snapshot could have shown. */
static bool check_node(const struct br_action *action, struct br_error *err)
{
    const char *node = param_text(action, "node", NULL);
    if (!node || snapshot_id_parse(node)) {
        return true;
    }
    param_error(action, "node", err, "\"%s\" is no id of a snapshot", node);
    return error_hint(err, "take a snapshot, and write an id that is in it, such as e12");
}

/* At most one way to name a target, and that one whole. */
static bool check_target(const struct br_action *action, struct br_error *err)
{
    bool has_place = action_type_find(action->type)->names == NAMES_PLACE;
    int ways = count_element_ways(action);
    bool has_x_range = param_is_given(action, "xRange");
    bool has_y_range = param_is_given(action, "yRange");
    bool has_x = param_is_given(action, "x");
    bool has_y = param_is_given(action, "y");
    if (!check_node(action, err)) {
        return false;
    }
    if (has_x_range != has_y_range) {
        return param_error(action, NULL, err, "xRange and yRange are given together");
    }
    if (has_place && has_x != has_y) {
        return param_error(action, NULL, err, "x and y are given together");
    }
    if (ways + has_x_range + (has_place && has_x) > 1) {
        param_error(action, NULL, err, "takes one of node, selector, testId, text, role, targets%s",
                    has_place ? ", xRange with yRange, x with y" : "");
        return error_hint(err, "leave all of them out but one");
    }
    return check_narrowing(action, ways, err);
}

bool naming_check(const struct br_action *action, const struct action_type *type,
                  struct br_error *err)
{
    if (type->names == NAMES_ELEMENT && !count_element_ways(action)) {
        return param_error(action, NULL, err,
                           "needs a node, selector, testId, text, role or targets");
    }
    return type->names == NAMES_NOTHING || check_target(action, err);
}

bool action_names_element(const struct br_action *action)
{
    return count_element_ways(action);
}

bool action_names_target(const struct br_action *action)
{
    return action_names_element(action) || param_is_given(action, "xRange") ||
           param_is_given(action, "x");
}

bool action_check_place(const struct br_action *action, struct br_error *err)
{
    if (!action_names_target(action)) {
        return param_error(
            action, NULL, err,
            "needs a node, selector, testId, text, role, targets, xRange with yRange, "
            "or x with y");
    }
    return !param_is_given(action, "position") ||
           !(param_is_given(action, "xRange") || param_is_given(action, "x")) ||
           param_error(action, "position", err, "is one in an element, and there is no selector");
}

bool action_find_target(struct action_run *run, const struct br_action *action,
                        struct page_target *ret_target, struct br_error *err)
{
    bool by_text = naming_is_by_text(action_type_find(action->type));
    const json_t *x_range = json_object_get(action->params, "xRange");
    const json_t *y_range = json_object_get(action->params, "yRange");
    double x = param_number(action, "x", 0);
    double y = param_number(action, "y", 0);
    const char *node = param_text(action, "node", NULL);
    int64_t patience_ms = action_timeout_ms(action, TARGET_PATIENCE_MS);
    *ret_target = (struct page_target){
        .selector = param_text(action, "selector", NULL),
        .test_id = param_text(action, "testId", NULL),
        .text = by_text ? param_text(action, "text", NULL) : NULL,
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
