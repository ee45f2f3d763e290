#include "runner/actions/actions.h"

static const struct param params[] = {
    { .name = "url", .kind = PARAM_URL, .is_required = true },
    PARAM_WAIT_UNTIL,
    { 0 },
};

static bool run_start(struct action_run *run, struct br_error *err)
{
    int status = 0;
    bool is_there = page_navigate(run->page, param_text(run->action, "url", ""),
                                  action_wait_until(run->action), &status, err);
    action_report_status(run, status);
    return is_there;
}

const struct action_type action_start = {
    .name = "start",
    .params = params,
    .opens_page = true,
    .run = run_start,
};

/* The same in the page that is open. */
const struct action_type action_navigate = {
    .name = "navigate",
    .params = params,
    .run = run_start,
};
