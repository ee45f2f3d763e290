#include "runner/page/element/evaluate.h"
#include "runner/actions/actions.h"

#include "runner/base/error.h"

static const struct param params[] = {
    { .name = "expression", .kind = PARAM_NAME, .is_required = true, .use = USE_SCRIPT },
    { .name = "awaitPromise", .kind = PARAM_BOOLEAN },
    { .name = "frame", .kind = PARAM_NAME },
    { 0 },
};

static bool run_evaluate(struct action_run *run, struct br_error *err)
{
    json_auto_t *value = NULL;
    if (!page_evaluate(run->page, param_text(run->action, "frame", NULL),
                       param_text(run->action, "expression", ""),
                       param_boolean(run->action, "awaitPromise", true), &value, err)) {
        return false;
    }
    run->response->result = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    return run->response->result ||
           error_set(err, BR_EVAL_ERROR, "the value cannot be written as JSON");
}

const struct action_type action_evaluate = {
    .name = "evaluate",
    .params = params,
    .answers_raw = true,
    .run = run_evaluate,
};
