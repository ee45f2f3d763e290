#include "runner/actions/common.h"

#include "runner/actions/shared_params.h"
#include "runner/base/error.h"
#include "runner/hints/advice.h"
#include "runner/observe/stream.h"
#include "runner/page/core/acting.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/describe.h"

#include <string.h>

int64_t action_timeout_ms(const struct br_action *action, int64_t fallback)
{
    /* A wait for a duration gets that duration in addition. */
    int64_t while_ms = action->kind == &action_wait ? param_integer(action, "ms", 0) : 0;
    return param_integer(action, "timeout", fallback + while_ms);
}

int action_modifier_bits(const struct br_action *action)
{
    int bits = 0;
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(action->params, "modifiers"), index, name) {
        for (int i = 0; modifier_choices[i]; i++) {
            bits |= strcmp(json_string_value(name), modifier_choices[i]) == 0 ? 1 << i : 0;
        }
    }
    return bits;
}

enum page_wait_until action_wait_until(const struct br_action *action)
{
    return (enum page_wait_until)param_choice(action, "waitUntil", wait_until_choices, PAGE_LOAD);
}

void action_report_status(struct action_run *run, int status)
{
    run->response->http_status = status;
    if (status < 400) {
        return;
    }
    log_tool(run->logs, BR_LOG_ERROR, "network", "the page answered with HTTP status %d", status);
    /* Reaching the page counts as success, but the hint is in the response. */
    error_hint(&run->response->error, "%s", status_hint(status));
}

bool action_settle(struct action_run *run, struct page_mark before, bool is_required,
                   struct br_error *err)
{
    int status = 0;
    acting_flush(run->page);
    if (!is_required && !run->action->is_part && !navigation_is_under_way(run->page)) {
        /* It is answered together with the question of page_settle(). */
        page_ask_description(run->page);
    }
    bool is_done = page_settle(run->page, before, is_required, &status, err);
    const struct page_mark settled = page_mark(run->page);
    if (!is_done || navigation_is_under_way(run->page) ||
        memcmp(&before, &settled, sizeof(settled)) != 0) {
        page_forget_description(run->page); /* a new document may have been described too early */
    }
    if (is_done) {
        action_report_status(run, status);
    }
    return is_done;
}
