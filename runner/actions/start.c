#include "runner/actions/actions.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"

#include <string.h>

enum { MAX_ERRORS = 1000000 };

static const struct param start_params[] = {
    { .name = "url", .kind = PARAM_URL, .is_required = true, .use = USE_OPENED },
    PARAM_WAIT_UNTIL,
    { .name = "maxConsecutiveErrors", .kind = PARAM_INTEGER, .min = 0, .max = MAX_ERRORS },
    { .name = "totalErrorThreshold", .kind = PARAM_INTEGER, .min = 0, .max = MAX_ERRORS },
    { 0 },
};

static const struct param navigate_params[] = {
    { .name = "url", .kind = PARAM_URL, .is_required = true, .use = USE_OPENED },
    PARAM_WAIT_UNTIL,
    { 0 },
};

static bool run_navigate(struct action_run *run, struct br_error *err)
{
    int status = 0;
    bool is_there = page_navigate(run->page, param_text(run->action, "url", ""),
                                  action_wait_until(run->action), &status, err);
    action_report_status(run, status);
    return is_there;
}

/* A new page is blank already. */
static bool run_start(struct action_run *run, struct br_error *err)
{
    bool is_there = strcmp(param_text(run->action, "url", ""), "about:blank") == 0 &&
                    page_has_been_nowhere(run->page);
    return is_there || run_navigate(run, err);
}

const struct action_type action_start = {
    .name = "start",
    .params = start_params,
    .opens_page = true,
    .run = run_start,
};

/* The same in the page that is open. */
const struct action_type action_navigate = {
    .name = "navigate",
    .params = navigate_params,
    .leaves_page = true,
    .run = run_navigate,
};
