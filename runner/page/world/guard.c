#include "runner/page/world/guard.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/world/route.h"

#include <string.h>

enum { MAX_SPACES = 1000, MAX_CHILDREN = 1000 };

bool guard_is_on(const struct page *page)
{
    return policy_judges_urls(page->options.policy);
}

static bool equals(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

/* Sending the rules. */

void guard_add_patterns(const struct page *page, json_t *patterns)
{
    if (guard_is_on(page)) {
        json_array_append_new(patterns, json_pack("{s:s}", "urlPattern", "*"));
    }
    if (policy_judges_addresses(page->options.policy)) {
        json_array_append_new(
            patterns, json_pack("{s:s, s:s}", "urlPattern", "*", "requestStage", "Response"));
    }
}

/* guard.js, called as text: it has to be there before any script of the page. Caller frees. */
static char *guard_call(const struct page *page, bool is_worker)
{
    CLEANUP_STRBUF struct strbuf sources = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&sources, "http: https: data: blob: ");
    policy_add_socket_sources(page->options.policy, &sources);
    json_auto_t *argument = is_worker ? json_null() : json_text(sources.data);
    CLEANUP_FREE char *text = json_dumps(argument, JSON_ENCODE_ANY);
    return xasprintf("(%s)(%s)", script_guard, text);
}

struct command {
    const char *method;
    json_t *params;
};
enum { COMMAND_COUNT = 5 };

/* Of a tab or a frame. Chrome must not answer out of a service worker what nobody has judged. */
static void document_commands(struct page *page, struct command *ret_commands)
{
    CLEANUP_FREE char *script = guard_call(page, false);
    json_t *patterns = NULL;
    const char *fetch = route_command(page, &patterns);
    ret_commands[0] = (struct command){ fetch, patterns };
    ret_commands[1] =
        (struct command){ "Network.setBypassServiceWorker", json_pack("{s:b}", "bypass", 1) };
    ret_commands[2] = (struct command){ "Page.addScriptToEvaluateOnNewDocument",
                                        json_pack("{s:o, s:b}", "source", json_text(script),
                                                  "runImmediately", 1) };
    CLEANUP_FREE char *taker = xasprintf("(%s)()", script_unspeculate);
    ret_commands[3] = (struct command){ "Page.addScriptToEvaluateOnNewDocument",
                                        json_pack("{s:o, s:s}", "source", json_text(taker),
                                                  "worldName", page_world_name) };
    ret_commands[4] = (struct command){ "Target.setAutoAttach", frames_auto_attach(page) };
}

/* An older Chrome does not know how. */
static void forbid_prerendering(struct page *page, const char *session_id)
{
    cdp_post(page->client, session_id, "Page.setPrerenderingAllowed",
             json_pack("{s:b}", "isAllowed", 0));
}

bool guard_begin(struct page *page, struct br_error *err)
{
    struct command commands[COMMAND_COUNT];
    int64_t ids[COMMAND_COUNT];
    bool is_fine = true;
    if (!guard_is_on(page)) {
        return true;
    }
    document_commands(page, commands);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        ids[i] =
            cdp_send(page->client, page->session_id, commands[i].method, commands[i].params, err);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        struct br_error later;
        is_fine =
            cdp_receive(page->client, ids[i], commands[i].method, NULL, is_fine ? err : &later) &&
            is_fine;
    }
    forbid_prerendering(page, page->session_id);
    return is_fine || error_context(err, "the rules of the session could not be set");
}

static void tell_worker(struct page *page, const char *session_id)
{
    json_t *patterns = NULL;
    CLEANUP_FREE char *script = guard_call(page, true);
    const char *fetch = route_command(page, &patterns);
    cdp_post(page->client, session_id, fetch, patterns);
    cdp_post(page->client, session_id, "Runtime.evaluate",
             json_pack("{s:o}", "expression", json_text(script)));
    cdp_post(page->client, session_id, "Target.setAutoAttach", frames_auto_attach(page));
}

void guard_tell(struct page *page, const char *session_id, enum guard_kind kind)
{
    struct command commands[COMMAND_COUNT];
    if (!guard_is_on(page)) {
        return;
    }
    cdp_post(page->client, session_id, "Network.enable", NULL);
    if (kind == GUARD_WORKER) {
        tell_worker(page, session_id);
        return;
    }
    cdp_post(page->client, session_id, "Page.enable", NULL);
    document_commands(page, commands);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        cdp_post(page->client, session_id, commands[i].method, commands[i].params);
    }
    if (kind == GUARD_TAB) {
        forbid_prerendering(page, session_id);
    }
}

void guard_release(struct page *page, const char *session_id)
{
    if (session_id && targets_are_held(page->options.targets)) {
        cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
    }
}

/* Judging requests. */

static bool is_main_document(const struct page *page, const json_t *params)
{
    return equals(json_member_string(params, "resourceType"), "Document") && page->frame_id &&
           equals(json_member_string(params, "frameId"), page->frame_id);
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

/* The page stays where it is: a document is not gone to, in the place of an error page. */
static void refuse(struct page *page, const char *session_id, const json_t *params,
                   const struct br_error *why)
{
    bool is_document = equals(json_member_string(params, "resourceType"), "Document");
    note_refusal(page, params, why);
    cdp_post(page->client, session_id, "Fetch.failRequest",
             json_pack("{s:O, s:s}", "requestId", json_object_get(params, "requestId"),
                       "errorReason", is_document ? "Aborted" : "BlockedByClient"));
}

/* Chrome's word for where an answer came from, which it tells before the answer stops. */
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

static void look_at_answer(struct page *page, const char *session_id, const json_t *params)
{
    struct br_error why;
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    bool is_private = take_is_private(page, params);
    if (policy_check_address(page->options.policy, url ? url : "", is_private, &why)) {
        cdp_post(page->client, session_id, "Fetch.continueRequest",
                 json_pack("{s:O}", "requestId", json_object_get(params, "requestId")));
    } else {
        refuse(page, session_id, params, &why);
    }
}

bool guard_on_paused(struct page *page, const char *session_id, const json_t *params)
{
    struct br_error why;
    const char *url = json_member_string(json_object_get(params, "request"), "url");
    if (!guard_is_on(page)) {
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

/* Events. */

static void keep_space(struct page *page, const json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    json_t *space = json_object_get(params, "resourceIPAddressSpace");
    if (json_object_size(page->address_spaces) >= MAX_SPACES) {
        json_object_clear(page->address_spaces); /* answers of a page that has gone */
    }
    if (id && space) {
        json_object_set(page->address_spaces, id, space);
    }
}

/*
 * An answer that did not stop first, such as one of a worker's script: the page does not stay on
 * what it should not have seen.
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
        navigation_refuse(page, &why);
        cdp_post(page->client, session_id, "Page.navigate",
                 json_pack("{s:s}", "url", "about:blank"));
    }
}

static enum guard_kind kind_of(const json_t *params)
{
    const char *type = json_member_string(json_object_get(params, "targetInfo"), "type");
    return equals(type, "page") ? GUARD_TAB : equals(type, "iframe") ? GUARD_FRAME : GUARD_WORKER;
}

/* A frame or a worker of a tab that is not the page: nobody else hears of it. */
static void adopt_child(struct page *page, const char *parent, json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    if (!session_id || json_array_size(page->children_beside) >= MAX_CHILDREN) {
        return; /* it waits for ever */
    }
    cdp_client_adopt(page->client, session_id);
    guard_tell(page, session_id, kind_of(params));
    guard_release(page, session_id);
    json_array_append_new(page->children_beside,
                          json_pack("{s:s, s:O}", "parent", parent, "params", params));
}

static void forget_child(struct page *page, const json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    size_t index;
    json_t *child;
    json_array_foreach (page->children_beside, index, child) {
        if (session_id &&
            equals(json_member_string(json_object_get(child, "params"), "sessionId"), session_id)) {
            json_array_remove(page->children_beside, index);
            return;
        }
    }
}

static bool is_of_page(const struct page *page, const char *session_id)
{
    return !*session_id || equals(page->session_id, session_id) ||
           frames_has_session(page, session_id);
}

void guard_meet_children(struct page *page)
{
    size_t index = 0;
    while (index < json_array_size(page->children_beside)) {
        json_auto_t *child = json_incref(json_array_get(page->children_beside, index));
        const char *parent = json_member_string(child, "parent");
        index++;
        if (is_of_page(page, parent)) {
            json_array_remove(page->children_beside, --index);
            frames_on_event(page, parent, "Target.attachedToTarget",
                            json_object_get(child, "params"));
            index = 0; /* those of this one may stand before it */
        }
    }
}

bool guard_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    if (!guard_is_on(page)) {
        return false;
    }
    if (policy_judges_addresses(page->options.policy)) {
        if (strcmp(method, "Network.responseReceivedExtraInfo") == 0) {
            keep_space(page, params);
        } else if (strcmp(method, "Network.responseReceived") == 0) {
            check_peer(page, session_id, params);
        }
    }
    if (strcmp(method, "Target.detachedFromTarget") == 0) {
        forget_child(page, params);
    }
    if (strcmp(method, "Target.attachedToTarget") == 0 && !is_of_page(page, session_id)) {
        adopt_child(page, session_id, params);
        return true;
    }
    return false;
}

void guard_finish(struct page *page)
{
    json_decref(page->address_spaces);
    json_decref(page->children_beside);
}
