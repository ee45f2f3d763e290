#include "runner/page/world/judge.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/policy.h"
#include "runner/base/url_parts.h"
#include "runner/observe/stream.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/origins.h"

#include <string.h>

enum { MAX_SPACES = 1000 };

bool judge_is_on(const struct page *page)
{
    return policy_judges_urls(page->options.policy);
}

/* Returns whether responses must be checked by address; a way out checks connections instead. */
static bool judges_addresses(const struct page *page)
{
    return policy_judges_addresses(page->options.policy) && !page->options.way_out_port;
}

static bool equals(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

void judge_add_patterns(const struct page *page, json_t *patterns)
{
    if (judge_is_on(page)) {
        json_array_append_new(patterns, json_pack("{s:s}", "urlPattern", "*"));
    }
    /* With a way out only documents are paused, so that a refusal leaves the page where it is. */
    if (policy_judges_addresses(page->options.policy)) {
        json_array_append_new(patterns, json_pack("{s:s, s:s, s:s*}", "urlPattern", "*",
                                                  "requestStage", "Response", "resourceType",
                                                  page->options.way_out_port ? "Document" : NULL));
    }
}

bool judge_check_document(const struct page *page, const char *url, struct br_error *err)
{
    bool is_error_page = strncmp(url, "chrome-error:", 13) == 0;
    return is_error_page || policy_check_url(page->options.policy, url, err);
}

static bool is_main_document(const struct page *page, const json_t *params)
{
    return equals(json_member_string(params, "resourceType"), "Document") && page_frame_id(page) &&
           equals(json_member_string(params, "frameId"), page_frame_id(page));
}

static void note_refusal(struct page *page, const json_t *params, const struct br_error *why)
{
    bool is_document = equals(json_member_string(params, "resourceType"), "Document");
    const char *id = json_member_string(params, "networkId");
    if (id) {
        network_refuse(&page->network, id, why->message);
    }
    page_log(page, is_document ? BR_LOG_ERROR : BR_LOG_DEBUG, "network", "%s; %s", why->message,
             why->hint);
    if (is_main_document(page, params)) {
        navigation_refuse(page, why);
    }
}

/* Refuses a request so that the page stays where it is, instead of showing an error page. */
static void refuse(struct page *page, const char *session_id, const json_t *params,
                   const struct br_error *why)
{
    bool is_document = equals(json_member_string(params, "resourceType"), "Document");
    note_refusal(page, params, why);
    cdp_post(page->client, session_id, "Fetch.failRequest",
             json_pack("{s:O, s:s}", "requestId", json_object_get(params, "requestId"),
                       "errorReason", is_document ? "Aborted" : "BlockedByClient"));
}

/* Takes the address space of a response, which Chrome reports before the response is paused. */
static bool take_is_private(struct page *page, const json_t *params)
{
    const char *id = json_member_string(params, "networkId");
    const char *space = id ? json_member_string(page->address_spaces, id) : NULL;
    bool is_private = space && !equals(space, "Public") && !equals(space, "Unknown");
    if (space) {
        json_object_del(page->address_spaces, id);
    }
    return is_private;
}

/* Returns whether the response results from a connection that the way out refused. */
static bool is_refused_connection(const struct page *page, const json_t *params,
                                  struct br_error *ret_why)
{
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    return page->options.way_out_port && json_object_get(params, "responseErrorReason") && url &&
           page->options.explain(page->options.explain_data, url, ret_why);
}

static void look_at_answer(struct page *page, const char *session_id, const json_t *params)
{
    struct br_error why;
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    bool is_private = take_is_private(page, params);
    if (!is_refused_connection(page, params, &why) &&
        policy_check_address(page->options.policy, url ? url : "", is_private, &why)) {
        cdp_post(page->client, session_id, "Fetch.continueRequest",
                 json_pack("{s:O}", "requestId", json_object_get(params, "requestId")));
    } else {
        refuse(page, session_id, params, &why);
    }
}

bool judge_on_paused(struct page *page, const char *session_id, const json_t *params)
{
    struct br_error why;
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    if (!judge_is_on(page)) {
        return false;
    }
    if (json_object_get(params, "responseStatusCode") ||
        json_object_get(params, "responseErrorReason")) {
        look_at_answer(page, session_id, params);
        return true;
    }
    if (policy_check_url(page->options.policy, url ? url : "", &why)) {
        return false;
    }
    refuse(page, session_id, params, &why);
    return true;
}

static void keep_space(struct page *page, const json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    json_t *space = json_object_get(params, "resourceIPAddressSpace");
    if (json_object_size(page->address_spaces) >= MAX_SPACES) {
        json_object_clear(page->address_spaces); /* remaining ones are of an earlier page */
    }
    if (id && space) {
        json_object_set(page->address_spaces, id, space);
    }
}

/*
 * Checks a response that was not paused, such as a worker's script: the page is left if it should
 * not have received it.
 */
static void check_peer(struct page *page, const char *session_id, const json_t *params)
{
    struct br_error why;
    struct ip_address address;
    const json_t *response = json_object_get(params, "response");
    const char *url = json_member_string(response, "url");
    const char *peer = json_member_string(response, "remoteIPAddress");
    bool is_private = peer && ip_address_read(peer, &address) && ip_address_is_private(&address);
    if (!url || policy_check_address(page->options.policy, url, is_private, &why)) {
        return;
    }
    page_log(page, BR_LOG_ERROR, "network", "%s", why.message);
    if (equals(json_member_string(params, "type"), "Document")) {
        navigation_expel(page, &why);
        cdp_post(page->client, session_id, "Page.navigate",
                 json_pack("{s:s}", "url", "about:blank"));
    }
}

/* A connection refused by the way out fails like any other: replaces its error by the rule. */
static void explain_failure(struct page *page, const json_t *params)
{
    bool is_document = false;
    struct br_error why;
    const char *id = json_member_string(params, "requestId");
    const char *text = json_member_string(params, "errorText");
    const char *url = id ? network_url(&page->network, id, &is_document) : NULL;
    if (!url || !text || !strstr(text, "ERR_SOCKS_CONNECTION")) {
        return;
    }
    if (page->options.explain(page->options.explain_data, url, &why)) {
        network_refuse(&page->network, id, why.message);
        page_log(page, is_document ? BR_LOG_ERROR : BR_LOG_DEBUG, "network", "%s; %s", why.message,
                 why.hint);
        if (is_document) {
            navigation_refuse(page, &why);
        }
    }
}

/*
 * Checks a document that came without a paused request, such as a file in a tab opened by
 * Ctrl+click: the tab is left.
 */
static void check_document(struct page *page, const char *session_id, const json_t *frame)
{
    struct br_error why;
    const char *url = json_member_string(frame, "url");
    bool is_below = json_object_get(frame, "parentId");
    if (!url || is_below || json_object_get(frame, "unreachableUrl") ||
        origins_has_session(page, session_id) || judge_check_document(page, url, &why)) {
        return;
    }
    page_log(page, BR_LOG_ERROR, "network", "%s; %s", why.message, why.hint);
    if (wire_is_own(page, session_id)) {
        navigation_expel(page, &why);
    }
    cdp_post(page->client, session_id, "Page.navigate", json_pack("{s:s}", "url", "about:blank"));
}

void judge_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params)
{
    if (page->options.way_out_port && strcmp(method, "Network.loadingFailed") == 0) {
        explain_failure(page, params);
    }
    if (strcmp(method, "Page.frameNavigated") == 0) {
        check_document(page, session_id, json_object_get(params, "frame"));
    }
    if (!judges_addresses(page)) {
        return;
    }
    if (strcmp(method, "Network.responseReceivedExtraInfo") == 0) {
        keep_space(page, params);
    } else if (strcmp(method, "Network.responseReceived") == 0) {
        check_peer(page, session_id, params);
    }
}

void judge_init(struct page *page)
{
    page->network.way_out_port = page->options.way_out_port;
    page->address_spaces = json_object();
}

void judge_finish(struct page *page)
{
    json_decref(page->address_spaces);
}
