#include "runner/page/world/cookies.h"
#include "runner/actions/state_file.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/page/core/navigation.h"

#include <string.h>

#define DOMAIN_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_"

enum op { GET, SET, CLEAR, SAVE, LOAD };
static const char *const ops[] = {
    [GET] = "get",
    [SET] = "set",
    [CLEAR] = "clear",
    [SAVE] = STATE_FILE_SAVE,
    [LOAD] = STATE_FILE_LOAD,
    NULL,
};
static const char *const same_sites[] = { "Strict", "Lax", "None", NULL };

static const struct param params[] = {
    PARAM("op", CHOICE, "What to do.", .choices = ops, .is_required = true),
    PARAM("name", NAME, "The cookie's name; without it, get, clear and save apply to all."),
    PARAM("value", TEXT, "The cookie's value."),
    PARAM("url", URL, NULL, .is_rare = true),
    PARAM("domain", NAME, "The cookie's domain. Without url and domain it is set for the page.",
          .is_rare = true),
    PARAM("path", NAME, "The cookie is sent for URLs below this path.", .is_rare = true),
    PARAM("expires", NUMBER, "Seconds since 1970; without it the cookie ends with the session.",
          .min = 1, .max = 1e11, .is_rare = true),
    PARAM("httpOnly", BOOLEAN, "True: scripts cannot read it.", .is_rare = true),
    PARAM("secure", BOOLEAN, "True: it is sent over https only.", .is_rare = true),
    PARAM("sameSite", CHOICE, "Whether requests from other sites send it.", .choices = same_sites,
          .is_rare = true),
    PARAM("file", NAME,
          "For save and load: a file in the format of Playwright's storageState() and "
          "newContext(). It is replaced atomically, and readable only by its owner.",
          .use = USE_FILE, .example = "state.json", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ALL, "name value", .when = "op", .is = "set",
      .text = "needs name and value to set a cookie" },
    { RULE_NONE, "value url path expires httpOnly secure sameSite", .when = "op", .is_not = "set",
      .text = "is for op \"set\"" },
    { RULE_AT_MOST_ONE, "url domain", .text = "takes url or domain, not both" },
    { RULE_NONE, "name domain", .when = "op", .is = "load",
      .text = "does not go with op \"load\", which loads all cookies" },
    STATE_FILE_RULES,
    { 0 },
};

static enum op op_of(const struct br_action *action)
{
    return (enum op)param_choice(action, "op", ops, GET);
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    const char *domain = param_text(action, "domain", "");
    return !domain[strspn(domain, DOMAIN_CHARACTERS)] ||
           param_error(action, "domain", err, "\"%s\" is no host name", domain);
}

/* Returns whether the action refers to this cookie: by name, by domain, or to all. */
static bool is_meant(const struct br_action *action, const json_t *cookie)
{
    const char *name = param_text(action, "name", NULL);
    const char *domain = param_text(action, "domain", NULL);
    const char *of_cookie = json_member_string(cookie, "domain");
    of_cookie = of_cookie && *of_cookie == '.' ? of_cookie + 1 : of_cookie;
    domain = domain && *domain == '.' ? domain + 1 : domain;
    return (!name || strcmp(name, json_member_string(cookie, "name")) == 0) &&
           (!domain || (of_cookie && strcmp(domain, of_cookie) == 0));
}

/* Returns an array of the matching cookies; the caller decrefs. NULL with an error. */
static json_t *find(struct action_run *run, struct br_error *err)
{
    json_auto_t *all = NULL;
    size_t index;
    json_t *cookie;
    if (!page_get_cookies(run->page, &all, err)) {
        return NULL;
    }
    json_t *found = json_array();
    json_array_foreach (all, index, cookie) {
        if (is_meant(run->action, cookie)) {
            json_array_append(found, cookie);
        }
    }
    return found;
}

/* Checks that the cookies were set: Chrome silently drops those it rejects. */
static bool check_set(struct action_run *run, struct br_error *err)
{
    const char *value = param_text(run->action, "value", "");
    double expires = param_number(run->action, "expires", 0);
    json_auto_t *found = find(run, err);
    size_t index;
    json_t *cookie;
    bool is_there = expires != 0 && expires * 1000 < (double)clock_wall_ms();
    json_array_foreach (found, index, cookie) {
        const char *held = json_member_string(cookie, "value");
        is_there |= held && strcmp(held, value) == 0;
    }
    if (!found || is_there) {
        return found;
    }
    error_set(err, BR_INVALID_ACTION, "Chrome did not accept the cookie");
    return error_hint(err, "check its domain; `secure` needs https, `sameSite` None needs secure");
}

static bool set(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    json_auto_t *cookie = json_copy(action->params);
    json_auto_t *cookies = json_pack("[O]", cookie);
    json_object_del(cookie, "op");
    if (!param_is_given(action, "domain") && !param_is_given(action, "url")) {
        const char *url = page_url(run->page);
        if (!url || strncmp(url, "http", 4) != 0) {
            return error_set(err, BR_INVALID_ACTION,
                             "a cookie needs a url or a domain: the page is no http page");
        }
        json_object_set_new(cookie, "url", json_text(url));
    }
    if (page_set_cookies(run->page, cookies, err)) {
        return check_set(run, err);
    }
    err->code = err->code == BR_UNKNOWN_ERROR ? BR_INVALID_ACTION : err->code;
    return error_context(err, "the cookie was refused");
}

static bool clear(struct action_run *run, struct br_error *err)
{
    if (!param_is_given(run->action, "name") && !param_is_given(run->action, "domain")) {
        return page_clear_cookies(run->page, err);
    }
    json_auto_t *found = find(run, err);
    size_t index;
    json_t *cookie;
    if (found && json_array_size(found) == 0) {
        return error_set(err, BR_UNKNOWN_ERROR, "there is no such cookie");
    }
    json_array_foreach (found, index, cookie) {
        page_delete_cookie(run->page, cookie);
    }
    return found;
}

static bool get(struct action_run *run, struct br_error *err)
{
    json_t *found = find(run, err);
    response_set_result(run->response, found);
    return found;
}

static bool save(struct action_run *run, struct br_error *err)
{
    json_auto_t *found = find(run, err);
    json_auto_t *none = json_array();
    return found && state_file_save(run, found, none, err);
}

static bool load(struct action_run *run, struct br_error *err)
{
    return state_file_load(run, false, err);
}

static bool run_cookies(struct action_run *run, struct br_error *err)
{
    static bool (*const table[])(struct action_run * run, struct br_error * err) = {
        [GET] = get, [SET] = set, [CLEAR] = clear, [SAVE] = save, [LOAD] = load,
    };
    return table[op_of(run->action)](run, err);
}

const struct action_type action_cookies = {
    .name = "cookies",
    .text = "Reads, sets or clears the browser's cookies, or saves them to a file or loads them "
            "from it. The result of get is an array of them; of save and load their number.",
    .params = params,
    .rules = rules,
    .answers_raw = true,
    .validate = validate,
    .run = run_cookies,
};
