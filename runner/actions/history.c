#include "runner/actions/common.h"
#include "runner/actions/shared_params.h"
#include "runner/page/core/navigate.h"

static const struct param params[] = {
    PARAM_WAIT_UNTIL,
    { 0 },
};

/*
 * The page that refused to be left was replaced, and its history with it: opens the URL in the new
 * page.
 */
static bool go_instead(struct action_run *run, struct br_error *err)
{
    int status = 0;
    bool is_there =
        page_navigate(run->page, run->unleft_url, action_wait_until(run->action), &status, err);
    action_report_status(run, status);
    return is_there;
}

static bool run_step(struct action_run *run, int step, struct br_error *err)
{
    int status = 0;
    if (run->unleft_url) {
        return go_instead(run, err);
    }
    bool is_there = page_go(run->page, step, action_wait_until(run->action), &status, err);
    action_report_status(run, status);
    return is_there;
}

static bool run_back(struct action_run *run, struct br_error *err)
{
    return run_step(run, -1, err);
}

static bool run_forward(struct action_run *run, struct br_error *err)
{
    return run_step(run, 1, err);
}

static bool run_reload(struct action_run *run, struct br_error *err)
{
    int status = 0;
    if (run->unleft_url) {
        return go_instead(run, err);
    }
    bool is_there = page_reload(run->page, action_wait_until(run->action), &status, err);
    action_report_status(run, status);
    return is_there;
}

const struct action_type action_back = {
    .name = "back", .text = "Goes back one page in the history.", .params = params, .run = run_back
};
const struct action_type action_forward = {
    .name = "forward",
    .text = "Goes forward one page in the history.",
    .params = params,
    .run = run_forward,
};
const struct action_type action_reload = {
    .name = "reload", .text = "Loads the page again.", .params = params, .run = run_reload
};
