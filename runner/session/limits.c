#include "runner/session/limits.h"

#include "runner/actions/params.h"
#include "runner/base/error.h"

void limits_read(struct limits *limits, const struct br_action *action)
{
    limits->max_consecutive =
        (int)param_integer(action, "maxConsecutiveErrors", limits->max_consecutive);
    limits->max_total = (int)param_integer(action, "totalErrorThreshold", limits->max_total);
}

void limits_count(struct limits *limits, bool is_success)
{
    limits->consecutive = is_success ? 0 : limits->consecutive + 1;
    limits->total += !is_success;
}

void limits_reset(struct limits *limits)
{
    limits->consecutive = 0;
    limits->total = 0;
}

bool limits_reached(const struct limits *limits, struct br_error *err)
{
    bool is_row = limits->max_consecutive && limits->consecutive >= limits->max_consecutive;
    bool is_total = limits->max_total && limits->total >= limits->max_total;
    if (!is_row && !is_total) {
        return false;
    }
    int failed = is_row ? limits->consecutive : limits->total;
    error_set(err, BR_LIMIT_EXCEEDED, "%d action%s %s failed: the page was closed", failed,
              failed == 1 ? "" : "s", is_row ? "in a row" : "in all");
    error_hint(err, "fix what failed, then `start` again; its %s sets the limit, 0 for none",
               is_row ? "maxConsecutiveErrors" : "totalErrorThreshold");
    return true;
}
