#include "runner/page/element/evaluate.h"
#include "runner/actions/action_type.h"
#include "runner/base/error.h"
#include "runner/base/response.h"

static const struct param params[] = {
    PARAM("expression", NAME, "An expression, or statements of which the last gives the value.",
          .is_required = true, .use = USE_SCRIPT, .example = "document.title"),
    PARAM("awaitPromise", BOOLEAN, "True: waits for a promise and takes its value.",
          .default_value = "true", .is_rare = true),
    PARAM("frame", NAME,
          "Runs it in this frame instead of the page: its name, a part of its URL with a `/` in "
          "it, a pattern of the URL with `*`, or a selector of its element.",
          .example = "checkout", .is_rare = true),
    { 0 },
};

static bool run_evaluate(struct action_run *run, struct br_error *err)
{
    json_t *value = NULL;
    if (!page_evaluate(run->page, param_text(run->action, "frame", NULL),
                       param_text(run->action, "expression", ""),
                       param_boolean(run->action, "awaitPromise", true), &value, err)) {
        return false;
    }
    response_set_result(run->response, value);
    return true;
}

const struct action_type action_evaluate = {
    .name = "evaluate",
    .text = "Runs JavaScript in the page; its value, as JSON, is the answer's result.",
    .params = params,
    .answers_raw = true,
    .run = run_evaluate,
};
