#include "runner/actions/state_file.h"
#include "runner/base/response.h"
#include "runner/page/world/cookies.h"
#include "runner/page/world/origins.h"

#include <string.h>

static const char *const ops[] = { "get", "set", "clear", STATE_FILE_SAVE, STATE_FILE_LOAD, NULL };
static const char *const areas[] = { "local", "session", NULL };

static const struct param params[] = {
    PARAM("op", CHOICE, "What to do.", .choices = ops, .is_required = true),
    PARAM("area", CHOICE, "Which storage.", .choices = areas, .default_value = "local"),
    PARAM("name", NAME, "The name of an entry; without it, get and clear apply to all."),
    PARAM("value", TEXT, "The value of the entry."),
    PARAM("file", NAME,
          "For save and load: a file in the format of Playwright's storageState() and "
          "newContext(). It is replaced atomically, and readable only by its owner.",
          .use = USE_FILE, .example = "state.json", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ALL, "name value", .when = "op", .is = "set", .text = "needs name and value to set" },
    { RULE_NONE, "value", .when = "op", .is_not = "set", .text = "is for op \"set\"" },
    { RULE_NONE, "area name", .when = "file",
      .text = "does not go with a file, which has the whole state" },
    STATE_FILE_RULES,
    { 0 },
};

/* Saves the whole state: cookies, and the local storage of all origins. */
static bool save(struct action_run *run, struct br_error *err)
{
    json_auto_t *cookies = NULL;
    json_auto_t *origins = NULL;
    return page_get_cookies(run->page, &cookies, err) &&
           page_get_origins(run->page, &origins, err) &&
           state_file_save(run, cookies, origins, err);
}

static bool run_storage(struct action_run *run, struct br_error *err)
{
    json_t *value = NULL;
    const char *op = param_text(run->action, "op", "get");
    if (param_is_given(run->action, "file")) {
        return strcmp(op, STATE_FILE_SAVE) == 0 ? save(run, err) : state_file_load(run, true, err);
    }
    struct page_storage use = {
        .op = op,
        .area = param_text(run->action, "area", "local"),
        .name = param_text(run->action, "name", NULL),
        .value = param_text(run->action, "value", NULL),
    };
    if (!page_use_storage(run->page, &use, &value, err)) {
        return false;
    }
    response_set_result(run->response, value);
    return true;
}

const struct action_type action_storage = {
    .name = "storage",
    .text = "Reads, sets or clears the storage of the page's origin; save and load handle the "
            "whole state: cookies, and local storage of all origins that the session has visited. "
            "The result of get is a text, or without a name an object of all entries; of save and "
            "load the numbers of cookies and origins.",
    .params = params,
    .rules = rules,
    .answers_raw = true,
    .run = run_storage,
};
