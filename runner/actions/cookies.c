#include "runner/page/world/cookies.h"
#include "runner/actions/state_file.h"
#include "runner/page/core/navigation.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"

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
    { .name = "op", .kind = PARAM_CHOICE, .choices = ops, .is_required = true },
    { .name = "name", .kind = PARAM_NAME },
    { .name = "value", .kind = PARAM_TEXT },
    { .name = "url", .kind = PARAM_URL },
    { .name = "domain", .kind = PARAM_NAME },
    { .name = "path", .kind = PARAM_NAME },
    { .name = "expires", .kind = PARAM_NUMBER, .min = 1, .max = 1e11 },
    { .name = "httpOnly", .kind = PARAM_BOOLEAN },
    { .name = "secure", .kind = PARAM_BOOLEAN },
    { .name = "sameSite", .kind = PARAM_CHOICE, .choices = same_sites },
    { .name = "file", .kind = PARAM_NAME, .use = USE_FILE },
    { 0 },
};

static enum op op_of(const struct br_action *action)
{
    return (enum op)param_choice(action, "op", ops, GET);
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    static const char *const of_set[] = { "value",    "url",    "path",    "expires",
                                          "httpOnly", "secure", "sameSite" };
    const char *domain = param_text(action, "domain", "");
    if (domain[strspn(domain, DOMAIN_CHARACTERS)]) {
        return param_error(action, "domain", err, "\"%s\" is no host name", domain);
    }
    if (op_of(action) == SET) {
        if (!param_is_given(action, "name") || !param_is_given(action, "value")) {
            return param_error(action, NULL, err, "needs name and value to set a cookie");
        }
        if (param_is_given(action, "url") && param_is_given(action, "domain")) {
            return param_error(action, NULL, err, "takes url or domain, not both");
        }
        return state_file_check(action, err);
    }
    for (size_t i = 0; i < sizeof(of_set) / sizeof(of_set[0]); i++) {
        if (param_is_given(action, of_set[i])) {
            return param_error(action, of_set[i], err, "is for op \"set\"");
        }
    }
    const char *chosen = param_is_given(action, "name") ? "name" : "domain";
    if (op_of(action) == LOAD && param_is_given(action, chosen)) {
        return param_error(action, chosen, err, "does not go with op \"load\": all are loaded");
    }
    return state_file_check(action, err);
}

/* Whether the action means this cookie: by name, by domain, or any. */
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

/* An array of the cookies that are meant, the caller's to decref; NULL with the error. */
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

/* Chrome drops what it does not like without a word. */
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
    error_set(err, BR_INVALID_ACTION, "Chrome did not take the cookie");
    return error_hint(err,
                      "look at its domain; `secure` needs https, `sameSite` None needs secure");
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
    json_auto_t *found = find(run, err);
    run->response->result = found ? json_dumps(found, JSON_COMPACT) : NULL;
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
    .params = params,
    .answers_raw = true,
    .validate = validate,
    .run = run_cookies,
};
