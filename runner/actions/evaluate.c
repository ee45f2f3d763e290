#include "runner/page/element/evaluate.h"
#include "runner/actions/action_type.h"
#include "runner/base/error.h"
#include "runner/base/response.h"
#include "runner/page/core/navigation.h"
#include "runner/page/world/describe.h"

static const struct param params[] = {
    PARAM("expression", NAME, "An expression, or statements of which the last one gives the value.",
          .is_required = true, .use = USE_SCRIPT, .example = "document.title"),
    PARAM("awaitPromise", BOOLEAN, "True: waits for a promise and uses its value.",
          .default_value = "true", .is_rare = true),
    PARAM("args", VALUES,
          "Arguments for the function that the expression gives: `(a, b) => a + b` with `[1, 2]`. "
          "With `[]`, a function is called, and any other value is the result.",
          .example = "[1, \"two\"]", .is_rare = true),
    PARAM("typed", BOOLEAN,
          "True: the result describes the value: type (as of `typeof`), isPromise, isSerializable, "
          "value if JSON can express it, otherwise className and description.",
          .default_value = "false", .is_rare = true),
    PARAM("frame", NAME,
          "Runs it in this frame instead of the page: its name, a part of its URL that contains a "
          "`/`, a pattern of the URL with `*`, or a selector of its element.",
          .example = "checkout", .is_rare = true),
    { 0 },
};

/*
 * The page's state is requested right after the script, in the same write. The state is used only
 * if the page was already in it at the end of the script and stays in it, with no pending promise
 * or other script.
 */
static bool run_evaluate(struct action_run *run, struct br_error *err)
{
    json_t *value = NULL;
    struct page_script script = {
        .text = param_text(run->action, "expression", ""),
        .frame = param_text(run->action, "frame", NULL),
        .awaits_promise = param_boolean(run->action, "awaitPromise", true),
        .args = json_object_get(run->action->params, "args"),
        .is_typed = param_boolean(run->action, "typed", false),
    };
    script.on_sent = script.frame ? NULL : page_ask_document;
    bool is_done = page_evaluate(run->page, &script, &value, err);
    if (!is_done || script.has_followers || page_has_description(run->page) ||
        navigation_is_under_way(run->page)) {
        page_forget_description(run->page);
    }
    if (is_done) {
        response_set_result(run->response, value);
    }
    return is_done;
}

const struct action_type action_evaluate = {
    .name = "evaluate",
    .text = "Runs JavaScript in the page; the result is its value as JSON.",
    .params = params,
    .answers_raw = true,
    .run = run_evaluate,
};
