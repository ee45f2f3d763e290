#include "runner/actions/state_file.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/shape.h"
#include "runner/base/url_parts.h"
#include "runner/page/world/cookies.h"
#include "runner/page/world/origins.h"

#include <string.h>

#define MAX_FILE ((size_t)64 * 1024 * 1024)

static const char *const same_sites[] = { "Strict", "Lax", "None", NULL };

static const struct shape cookie_members[] = {
    { "name", SHAPE_TEXT, true, NULL, NULL },
    { "value", SHAPE_TEXT, true, NULL, NULL },
    { "domain", SHAPE_NAME, true, NULL, NULL },
    { "path", SHAPE_NAME, true, NULL, NULL },
    { "expires", SHAPE_NUMBER, true, NULL, NULL },
    { "httpOnly", SHAPE_BOOLEAN, true, NULL, NULL },
    { "secure", SHAPE_BOOLEAN, true, NULL, NULL },
    { "sameSite", SHAPE_CHOICE, true, NULL, same_sites },
    { "partitionKey", SHAPE_NAME, false, NULL, NULL },
    { 0 },
};

static const struct shape stored_members[] = {
    { "name", SHAPE_TEXT, true, NULL, NULL },
    { "value", SHAPE_TEXT, true, NULL, NULL },
    { 0 },
};

static const struct shape origin_members[] = {
    { "origin", SHAPE_NAME, true, NULL, NULL },
    { "localStorage", SHAPE_OBJECTS, true, stored_members, NULL },
    { 0 },
};

static bool check_list(const json_t *list, const struct shape *members, const char *name,
                       struct br_error *err)
{
    size_t index;
    json_t *item;
    if (!json_is_array(list)) {
        return error_set(err, BR_INVALID_ACTION, "%s is no array", name);
    }
    json_array_foreach (list, index, item) {
        CLEANUP_FREE char *path = xasprintf("%s[%zu]", name, index);
        const char *origin = json_member_string(item, "origin");
        if (!shape_check(item, members, path, err)) {
            return false;
        }
        if (members == origin_members && !url_is_web_origin(origin)) {
            return error_set(err, BR_INVALID_ACTION, "%s.origin is no origin", path);
        }
    }
    return true;
}

/* Returns the state in the file; the caller decrefs. NULL with an error. */
static json_t *read_state(const struct action_run *run, struct br_error *err)
{
    const char *path = param_text(run->action, "file", "");
    size_t size = 0;
    CLEANUP_FREE char *text = file_read_in(policy_files(run->policy), path, MAX_FILE, &size, err);
    json_t *state = text ? json_parse(text, size, "it", err) : NULL;
    if (state && check_list(json_object_get(state, "cookies"), cookie_members, "cookies", err) &&
        check_list(json_object_get(state, "origins"), origin_members, "origins", err)) {
        return state;
    }
    json_decref(state);
    if (text) {
        err->code = BR_INVALID_ACTION;
        error_context(err, "%s", path);
        error_hint(err, "a state file is what op \"save\" or Playwright's storageState() writes");
    }
    return NULL;
}

/* Convert between Chrome's format of a cookie and the file's. Both return a new reference. */
static json_t *cookie_to_file(const json_t *cookie)
{
    const char *site = json_member_string(cookie, "sameSite");
    const json_t *partition = json_object_get(cookie, "partitionKey");
    return json_pack("{s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:s, s:O*, s:O*}", "name",
                     json_object_get(cookie, "name"), "value", json_object_get(cookie, "value"),
                     "domain", json_object_get(cookie, "domain"), "path",
                     json_object_get(cookie, "path"), "expires", json_object_get(cookie, "expires"),
                     "httpOnly", json_object_get(cookie, "httpOnly"), "secure",
                     json_object_get(cookie, "secure"), "sameSite", site ? site : "Lax",
                     "partitionKey", json_object_get(partition, "topLevelSite"),
                     "_crHasCrossSiteAncestor", json_object_get(partition, "hasCrossSiteAncestor"));
}

static json_t *cookie_from_file(const json_t *entry)
{
    json_t *cookie = json_copy((json_t *)entry);
    json_t *site = json_object_get(entry, "partitionKey");
    if (site) {
        bool is_below = json_member_bool(entry, "_crHasCrossSiteAncestor", true);
        json_object_set_new(
            cookie, "partitionKey",
            json_pack("{s:O, s:b}", "topLevelSite", site, "hasCrossSiteAncestor", is_below));
    }
    return cookie;
}

static void report(struct action_run *run, size_t cookies, size_t origins)
{
    response_set_result(run->response, json_pack("{s:I, s:I}", "cookies", (json_int_t)cookies,
                                                 "origins", (json_int_t)origins));
}

bool state_file_save(struct action_run *run, const json_t *cookies, const json_t *origins,
                     struct br_error *err)
{
    const char *path = param_text(run->action, "file", "");
    if (!policy_check_written_file(run->policy, path, ".json", err)) {
        return false;
    }
    json_t *list = json_array();
    size_t index;
    json_t *cookie;
    json_array_foreach (cookies, index, cookie) {
        json_array_append_new(list, cookie_to_file(cookie));
    }
    json_auto_t *state = json_pack("{s:o, s:O}", "cookies", list, "origins", origins);
    CLEANUP_FREE char *text = json_dumps(state, JSON_INDENT(2));
    size_t size = strlen(text);
    if (size > MAX_FILE) {
        return error_set(err, BR_LIMIT_EXCEEDED, "the state is larger than %zu bytes", MAX_FILE);
    }
    report(run, json_array_size(list), json_array_size(origins));
    return file_write_in(policy_files(run->policy), path, text, size, err);
}

static bool is_there(const json_t *present, const json_t *wanted)
{
    static const char *const fields[] = { "name", "path", "value" };
    const char *domain = json_member_string(wanted, "domain");
    size_t index;
    json_t *cookie;
    json_array_foreach (present, index, cookie) {
        const char *held = json_member_string(cookie, "domain");
        bool is_same = held && domain && strcmp(held, domain) == 0;
        for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
            is_same = is_same && json_equal(json_object_get(cookie, fields[i]),
                                            json_object_get(wanted, fields[i]));
        }
        if (is_same) {
            return true;
        }
    }
    return false;
}

/* Checks that the cookies were set: Chrome silently drops those it rejects. */
static bool check_taken(struct action_run *run, const json_t *cookies, struct br_error *err)
{
    json_auto_t *present = NULL;
    size_t index;
    json_t *cookie;
    if (!page_get_cookies(run->page, &present, err)) {
        return false;
    }
    json_array_foreach (cookies, index, cookie) {
        double expires = json_member_number(cookie, "expires", -1);
        bool is_over = expires >= 0 && expires * 1000 < (double)clock_wall_ms();
        if (!is_over && !is_there(present, cookie)) {
            return error_set(err, BR_UNKNOWN_ERROR, "Chrome did not accept the cookie %s of %s",
                             json_member_string(cookie, "name"),
                             json_member_string(cookie, "domain"));
        }
    }
    return true;
}

bool state_file_load(struct action_run *run, bool with_origins, struct br_error *err)
{
    json_auto_t *state = read_state(run, err);
    json_auto_t *cookies = json_array();
    const json_t *origins = with_origins ? json_object_get(state, "origins") : NULL;
    size_t index;
    json_t *entry;
    json_array_foreach (json_object_get(state, "cookies"), index, entry) {
        json_array_append_new(cookies, cookie_from_file(entry));
    }
    if (!state || !page_set_cookies(run->page, cookies, err) || !check_taken(run, cookies, err) ||
        !page_set_origins(run->page, origins, err)) {
        return false;
    }
    report(run, json_array_size(cookies), json_array_size(origins));
    return true;
}
