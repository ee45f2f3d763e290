#include "runner/actions/actions.h"
#include "runner/page/activate.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/tabs.h"

#include "runner/base/json.h"

enum { MAX_NUMBER = 1000000 };

enum op { LIST, NEW, ACTIVATE, CLOSE, ADOPT };
static const char *const ops[] = {
    [LIST] = "list",   [NEW] = "new",     [ACTIVATE] = "activate",
    [CLOSE] = "close", [ADOPT] = "adopt", NULL,
};

static const struct param params[] = {
    { .name = "op", .kind = PARAM_CHOICE, .choices = ops, .is_required = true },
    { .name = "url", .kind = PARAM_URL, .use = USE_OPENED },
    { .name = "id", .kind = PARAM_INTEGER, .min = 1, .max = MAX_NUMBER },
    { .name = "tab", .kind = PARAM_TEXT },
    PARAM_WAIT_UNTIL,
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    enum op op = (enum op)param_choice(action, "op", ops, LIST);
    if (op != NEW && param_is_given(action, "url")) {
        return param_error(action, "url", err, "is that of a new tab");
    }
    if (param_is_given(action, "waitUntil") && !param_is_given(action, "url")) {
        return param_error(action, "waitUntil", err, "is about a url, and there is none");
    }
    if (op != ACTIVATE && op != CLOSE && param_is_given(action, "id")) {
        return param_error(action, "id", err, "is that of a tab to activate or close");
    }
    if (op != ADOPT && param_is_given(action, "tab")) {
        param_error(action, "tab", err, "is that of a tab to adopt");
        return error_hint(err, "write it with the op adopt");
    }
    if (op == ADOPT && !*param_text(action, "tab", "")) {
        return param_error(action, NULL, err, "needs the tab to adopt: its URL, or a part of it");
    }
    return op != ACTIVATE || param_is_given(action, "id") ||
           param_error(action, NULL, err, "needs the id of the tab; the op list says which");
}

static bool open_tab(struct action_run *run, struct br_error *err)
{
    const char *url = param_text(run->action, "url", NULL);
    int status = 0;
    if (!page_open_tab(run->page, err)) {
        return false;
    }
    if (!url) {
        return true;
    }
    if (!page_navigate(run->page, url, action_wait_until(run->action), &status, err)) {
        return false;
    }
    action_report_status(run, status);
    return true;
}

/* The result is the tabs as they are afterwards. */
static bool run_tab(struct action_run *run, struct br_error *err)
{
    int id = (int)param_integer(run->action, "id", 0);
    enum op op = (enum op)param_choice(run->action, "op", ops, LIST);
    bool is_done = op == NEW        ? open_tab(run, err)
                   : op == ACTIVATE ? page_activate_tab(run->page, id, err)
                   : op == CLOSE    ? page_close_tab(run->page, id, err)
                   : op == ADOPT
                       ? page_adopt_tab(run->page, param_text(run->action, "tab", ""), err)
                       : true;
    if (!is_done) {
        return false;
    }
    json_auto_t *tabs = page_list_tabs(run->page, err);
    run->response->result = tabs ? json_dumps(tabs, JSON_COMPACT) : NULL;
    return tabs;
}

const struct action_type action_tab = {
    .name = "tab",
    .params = params,
    .validate = validate,
    .run = run_tab,
};
