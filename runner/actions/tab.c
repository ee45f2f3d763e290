#include "runner/actions/common.h"
#include "runner/actions/shared_params.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/page/activate.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/tabs.h"

enum { MAX_NUMBER = 1000000 };

enum op { LIST, NEW, ACTIVATE, CLOSE, ADOPT };
static const char *const ops[] = {
    [LIST] = "list",   [NEW] = "new",     [ACTIVATE] = "activate",
    [CLOSE] = "close", [ADOPT] = "adopt", NULL,
};

static const struct param params[] = {
    PARAM("op", CHOICE,
          "What to do. A tab opened by a page is in the list, but only becomes the page when it is "
          "activated. In a browser that was not launched here (--connect) the list also has the "
          "tabs that may be adopted; list and adopt also work before a start.",
          .choices = ops, .is_required = true),
    PARAM("url", URL, NULL, .use = USE_OPENED),
    PARAM("id", INTEGER,
          "The number of a tab in the list; close without it closes the page's own tab.", .min = 1,
          .max = MAX_NUMBER),
    PARAM("tab", NAME,
          "To adopt: the URL of an open tab in the browser, a part of it or a pattern with *, or "
          "the tab's id there. It becomes the page, keeps its size, and stays open at the end.",
          .is_rare = true),
    PARAM_WAIT_UNTIL,
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "url", .when = "op", .is_not = "new", .text = "is the URL of a new tab" },
    { RULE_ALL, "url", .when = "waitUntil", .about = "waitUntil",
      .text = "is about a url, which is missing" },
    { RULE_NONE, "id", .when = "op", .is_not = "activate close",
      .text = "is the number of a tab to activate or close" },
    { RULE_NONE, "tab", .when = "op", .is_not = "adopt", .text = "is for a tab to adopt",
      .hint = "use the op adopt" },
    { RULE_ALL, "tab", .when = "op", .is = "adopt",
      .text = "needs the tab to adopt: its URL, or a part of it" },
    { RULE_ALL, "id", .when = "op", .is = "activate",
      .text = "needs the id of the tab; the op list says which" },
    { 0 },
};

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

/* The result lists the tabs after the action. */
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
    json_t *tabs = page_list_tabs(run->page, op == LIST, err);
    response_set_result(run->response, tabs);
    return tabs;
}

const struct action_type action_tab = {
    .name = "tab",
    .text = "Lists, opens, activates, closes or adopts tabs; one of them is the page, which all "
            "other actions work on. The result is the list of tabs afterwards.",
    .params = params,
    .rules = rules,
    .may_adopt = true,
    .run = run_tab,
};
