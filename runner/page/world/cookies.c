#include "runner/page/world/cookies.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

/* Converts a cookie from Chrome to one that it accepts: a host-only cookie is set by URL. */
static json_t *cookie_to_set(json_t *cookie)
{
    static const char *const fields[] = {
        "name",     "value",    "path",         "secure",     "httpOnly",
        "sameSite", "priority", "sourceScheme", "sourcePort", "partitionKey",
    };
    const char *domain = json_member_string(cookie, "domain");
    const char *given_url = json_member_string(cookie, "url");
    const char *path = json_member_string(cookie, "path");
    double expires = json_member_number(cookie, "expires", -1);
    json_t *result = json_object();
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        json_t *value = json_object_get(cookie, fields[i]);
        if (value) {
            json_object_set(result, fields[i], value);
        }
    }
    if (expires >= 0) {
        json_object_set_new(result, "expires", json_real(expires));
    }
    if (given_url) {
        json_object_set_new(result, "url", json_text(given_url));
    } else if (domain && domain[0] == '.') {
        json_object_set_new(result, "domain", json_string(domain));
    } else if (domain) {
        CLEANUP_FREE char *url =
            xasprintf("%s://%s%s", json_member_bool(cookie, "secure", false) ? "https" : "http",
                      domain, path ? path : "/");
        json_object_set_new(result, "url", json_text(url));
    }
    return result;
}

bool page_get_cookies(struct page *page, json_t **ret_cookies, struct br_error *err)
{
    json_auto_t *reply = NULL;
    json_t *cookies = NULL;
    if (!cdp_call(page->client, NULL, "Storage.getCookies", page_in_context(page, NULL), &reply,
                  err) ||
        !json_read(reply, "Storage.getCookies", err, "{s:o}", "cookies", &cookies)) {
        return false;
    }
    *ret_cookies = json_incref(cookies);
    return true;
}

bool page_set_cookies(struct page *page, const json_t *cookies, struct br_error *err)
{
    json_t *list = json_array();
    size_t index;
    json_t *cookie;
    json_array_foreach (cookies, index, cookie) {
        json_array_append_new(list, cookie_to_set(cookie));
    }
    return cdp_call(page->client, NULL, "Storage.setCookies",
                    page_in_context(page, json_pack("{s:o}", "cookies", list)), NULL, err);
}

void page_delete_cookie(struct page *page, const json_t *cookie)
{
    page_post(page, "Network.deleteCookies",
              json_pack("{s:O, s:O, s:O, s:O*}", "name", json_object_get(cookie, "name"), "domain",
                        json_object_get(cookie, "domain"), "path", json_object_get(cookie, "path"),
                        "partitionKey", json_object_get(cookie, "partitionKey")));
}

bool page_clear_cookies(struct page *page, struct br_error *err)
{
    return cdp_call(page->client, NULL, "Storage.clearCookies", page_in_context(page, NULL), NULL,
                    err);
}

bool page_use_storage(struct page *page, const struct page_storage *use, json_t **ret_value,
                      struct br_error *err)
{
    json_auto_t *answer = NULL;
    json_t *argument = json_pack("{s:s, s:s, s:o*, s:o*}", "op", use->op, "area", use->area, "name",
                                 use->name ? json_text(use->name) : NULL, "value",
                                 use->value ? json_text(use->value) : NULL);
    if (!page_call_function(page, script_storage, argument, &answer, err) ||
        !call_answer_is_fine(answer, err)) {
        return false;
    }
    *ret_value = json_incref(json_object_get(answer, "value"));
    return true;
}
