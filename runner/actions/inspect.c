#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/element/examine.h"
#include "runner/page/element/named.h"

enum { MAX_PROPERTIES = 500 };

static const struct param params[] = {
    PARAM("properties", NAMES,
          "Names of the computed styles for styles, as in CSS or in JavaScript. Without it: "
          "display, visibility, opacity, color, backgroundColor, fontSize, fontWeight, position, "
          "zIndex, cursor.",
          .min = 1, .max = MAX_PROPERTIES, .example = "[\"display\", \"background-color\"]"),
    PARAM("multiple", BOOLEAN,
          "True: all matching elements, even none; the result has at most 500 of them.",
          .default_value = "false"),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "nth", .when = "multiple", .is = "true",
      .text = "chooses one of several, but all are requested" },
    { 0 },
};

static bool inspect_all(struct action_run *run, const struct page_target *target,
                        json_t *properties, struct br_error *err)
{
    json_t *records = NULL;
    if (!page_examine_all(run->page, target, properties, &records, err)) {
        return false;
    }
    int denied = (int)json_member_number(records, "denied", 0);
    json_object_del(records, "denied");
    if (denied) {
        log_tool(run->logs, BR_LOG_INFO, "inspect",
                 "elements that are hidden from models (data-no-ai) are omitted: %d", denied);
    }
    response_set_result(run->response, records);
    return true;
}

static bool run_inspect(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    json_t *record = NULL;
    json_t *properties = json_object_get(run->action->params, "properties");
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    if (param_boolean(run->action, "multiple", false)) {
        return inspect_all(run, &target, properties, err);
    }
    if (!page_examine(run->page, &target, properties, &record, err)) {
        return false;
    }
    response_set_result(run->response, json_pack("{s:i, s:o}", "found", 1, "element", record));
    return true;
}

const struct action_type action_inspect = {
    .name = "inspect",
    .text = "Describes an element: its attributes, text, markup, box, state and computed styles, "
            "and the options of a list.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT,
    .word_kind = "control",
    .is_rare = true,
    .run = run_inspect,
};
