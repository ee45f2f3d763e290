#include "runner/actions/common.h"
#include "runner/actions/shared_params.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"

#include <string.h>

enum { MAX_ERRORS = 1000000 };

static const struct param start_params[] = {
    PARAM("url", URL, NULL, .is_required = true, .use = USE_OPENED),
    PARAM_WAIT_UNTIL,
    PARAM("maxConsecutiveErrors", INTEGER,
          "After this many failed actions in a row the page is closed, and later actions fail with "
          "LIMIT_EXCEEDED, until a start succeeds, which resets the count. 0: never.",
          .min = 0, .max = MAX_ERRORS, .default_value = "3", .is_rare = true),
    PARAM("totalErrorThreshold", INTEGER, "The same for the total number of failed actions.",
          .min = 0, .max = MAX_ERRORS, .default_value = "10", .is_rare = true),
    PARAM("quality", INTEGER,
          "The quality of JPEG and WebP pictures of this action and of later ones without their "
          "own. Without it, --quality of the command line applies (25).",
          .min = 1, .max = 100, .example = "60", .is_rare = true),
    { 0 },
};

static const struct param navigate_params[] = {
    PARAM("url", URL, NULL, .is_required = true, .use = USE_OPENED),
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

/* A new page is already blank. */
static bool run_start(struct action_run *run, struct br_error *err)
{
    bool is_there = strcmp(param_text(run->action, "url", ""), "about:blank") == 0 &&
                    page_has_been_nowhere(run->page);
    return is_there || run_navigate(run, err);
}

const struct action_type action_start = {
    .name = "start",
    .text = "Opens the browser and the first page.",
    .params = start_params,
    .opens_page = true,
    .run = run_start,
};

/* As `start`, in the page that is open. */
const struct action_type action_navigate = {
    .name = "navigate",
    .text = "Opens another page.",
    .params = navigate_params,
    .leaves_page = true,
    .run = run_navigate,
};
