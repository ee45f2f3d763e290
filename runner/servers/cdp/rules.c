#include "runner/servers/cdp/rules.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool rules_need_params(const struct policy *policy, const struct method *method)
{
    enum { OF_PARAMS = USE_URL | USE_FILES | USE_DRAG | USE_SAVES | USE_TRACE };
    return policy && (method->uses & OF_PARAMS || method->code);
}

static bool is_empty(const json_t *value)
{
    const char *text = json_string_value(value);
    return !value || json_is_null(value) || (text && !*text);
}

bool rules_find_code(const struct method *method, const json_t *params, char ret_name[64])
{
    for (const char *at = method->code; at && *at;) {
        size_t length = strcspn(at, " ");
        snprintf(ret_name, 64, "%.*s", (int)length, at);
        if (!is_empty(json_object_get(params, ret_name))) {
            return true;
        }
        at += length + (at[length] == ' ');
    }
    return false;
}

static bool check_code(const struct policy *policy, const struct method *method, const char *name,
                       const json_t *params, struct br_error *err)
{
    char member[64];
    if (method->uses & USE_CODE) {
        return policy_check_script(policy, name, err);
    }
    if (!method->code || !rules_find_code(method, params, member)) {
        return true;
    }
    CLEANUP_FREE char *what = xasprintf("%s with %s", name, member);
    return policy_check_script(policy, what, err);
}

static bool check_url(const struct policy *policy, const char *url, struct br_error *err)
{
    return !url || !*url || policy_check_steered(policy, url, err);
}

/* Replaces each path by the resolved path. */
static bool check_files(const struct policy *policy, json_t *paths, struct br_error *err)
{
    const struct file_root *root = policy_files(policy);
    size_t index;
    json_t *path;
    json_array_foreach (paths, index, path) {
        struct stat info;
        CLEANUP_FREE char *whole = root && json_is_string(path)
                                       ? file_root_resolve(root, json_string_value(path), err)
                                       : NULL;
        bool is_directory = whole && stat(whole, &info) == 0 && S_ISDIR(info.st_mode);
        if (root && json_is_string(path) &&
            (!whole || (is_directory && !file_root_holds_all(root, whole, err)))) {
            return false;
        }
        if (whole) {
            json_array_set_new(paths, index, json_text(whole));
        }
    }
    return true;
}

/* Checks the lines of a text/uri-list: URLs, and comments that begin with "#". */
static bool check_list(const struct policy *policy, const char *list, struct br_error *err)
{
    CLEANUP_FREE char *copy = xstrdup(list);
    char *rest = NULL;
    for (const char *line = strtok_r(copy, "\r\n", &rest); line;
         line = strtok_r(NULL, "\r\n", &rest)) {
        if (*line != '#' && !check_url(policy, line, err)) {
            return false;
        }
    }
    return true;
}

static bool check_drag(const struct policy *policy, const json_t *data, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (json_object_get(data, "items"), index, item) {
        const char *type = json_member_string(item, "mimeType");
        const char *text = json_member_string(item, "data");
        if (type && strcasestr(type, "ur") && text && !check_list(policy, text, err)) {
            return false;
        }
    }
    return check_files(policy, json_object_get(data, "files"), err);
}

/* Denies downloads into a folder chosen by Chrome. */
static bool check_saves(const struct policy *policy, json_t *params, struct br_error *err)
{
    const struct file_root *root = policy_files(policy);
    const char *behavior = json_member_string(params, "behavior");
    const char *path = json_member_string(params, "downloadPath");
    if (!root) {
        return true;
    }
    if (behavior && strcmp(behavior, "default") == 0) {
        json_object_set_new(params, "behavior", json_string("deny"));
    }
    CLEANUP_FREE char *whole = path ? file_root_resolve(root, path, err) : NULL;
    if (whole) {
        json_object_set_new(params, "downloadPath", json_text(whole));
    }
    return !path || whole;
}

static bool check_trace(const struct policy *policy, const json_t *params, struct br_error *err)
{
    return !policy_files(policy) || is_empty(json_object_get(params, "perfettoConfig")) ||
           error_set(err, BR_POLICY_DENIED,
                     "Tracing.start with perfettoConfig is refused by ⟨files⟩: it may name a file");
}

bool rules_allow(const struct policy *policy, const struct method *method, const char *name,
                 json_t *params, struct br_error *err)
{
    if (!method) {
        return !policy_judges_commands(policy) ||
               error_set(err, BR_POLICY_DENIED,
                         "%.100s is not known here, so it is refused while there are rules", name);
    }
    unsigned uses = method->uses;
    return check_code(policy, method, name, params, err) &&
           (!(uses & USE_URL) || check_url(policy, json_member_string(params, "url"), err)) &&
           (!(uses & USE_FRONT_END) || check_url(policy, "devtools://devtools/", err)) &&
           (!(uses & USE_FILES) || check_files(policy, json_object_get(params, "files"), err)) &&
           (!(uses & USE_DRAG) || check_drag(policy, json_object_get(params, "data"), err)) &&
           (!(uses & USE_SAVES) || check_saves(policy, params, err)) &&
           (!(uses & USE_TRACE) || check_trace(policy, params, err));
}

void rules_name(const struct br_error *err, char ret_name[32])
{
    static const char mark[] = " is refused by ⟨";
    const char *found = NULL;
    for (const char *at = err->message; (at = strstr(at, mark)); at += sizeof(mark) - 1) {
        found = at + sizeof(mark) - 1;
    }
    snprintf(ret_name, 32, "%.*s", found ? (int)strcspn(found, "\xe2") : 5,
             found ? found : "rules");
}
