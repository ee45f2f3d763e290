#include "runner/page/world/guard.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/policy.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frame.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/judge.h"
#include "runner/page/world/route.h"

#include <string.h>

enum { MAX_CHILDREN = 1000 };

/*
 * Returns the text that calls guard.js, which must run before all scripts of the page. Caller
 * frees.
 */
static char *guard_call(const struct page *page, bool is_worker)
{
    CLEANUP_STRBUF struct strbuf sources = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&sources, "http: https: data: blob: ");
    policy_add_socket_sources(page->options.policy, &sources);
    json_auto_t *argument = is_worker ? json_null() : json_text(sources.data);
    CLEANUP_FREE char *text = json_dumps(argument, JSON_ENCODE_ANY);
    return xasprintf("(%s)(%s)", script_guard, text);
}

static bool equals(const char *text, const char *other)
{
    return text && strcmp(text, other) == 0;
}

struct command {
    const char *method;
    json_t *params;
};
enum { COMMAND_COUNT = 5 };

/*
 * Returns the commands for a tab or a frame. Bypasses service workers, whose answers would escape
 * the rules.
 */
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

/* An older Chrome does not support it. */
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
    if (!judge_is_on(page)) {
        return true;
    }
    document_commands(page, commands);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        ids[i] = page_send(page, commands[i].method, commands[i].params, err);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        struct br_error later;
        is_fine =
            cdp_receive(page->client, ids[i], commands[i].method, NULL, is_fine ? err : &later) &&
            is_fine;
    }
    forbid_prerendering(page, page_session(page));
    return is_fine || error_context(err, "the rules of the session could not be set");
}

static void send_worker_rules(struct page *page, const char *session_id)
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
    if (!judge_is_on(page)) {
        return;
    }
    cdp_post(page->client, session_id, "Network.enable", NULL);
    if (kind == GUARD_WORKER) {
        send_worker_rules(page, session_id);
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

static enum guard_kind kind_of(const json_t *params)
{
    const char *type = json_member_string(json_object_get(params, "targetInfo"), "type");
    return equals(type, "page") ? GUARD_TAB : equals(type, "iframe") ? GUARD_FRAME : GUARD_WORKER;
}

/* Handles a frame or worker of a tab that is not the page; no other part sees its events. */
static void adopt_child(struct page *page, const char *parent, json_t *params)
{
    const char *session_id = json_member_string(params, "sessionId");
    if (!session_id || json_array_size(page->children_beside) >= MAX_CHILDREN) {
        return; /* it stays paused */
    }
    cdp_client_adopt(page->client, session_id);
    if (tabs_are_heard(page)) {
        cdp_post(page->client, session_id, "Runtime.enable", NULL);
        cdp_post(page->client, session_id, "Target.setAutoAttach", frames_auto_attach(page));
    }
    guard_tell(page, session_id, kind_of(params));
    cdp_post(page->client, session_id, "Runtime.runIfWaitingForDebugger", NULL);
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

static const json_t *find_child(const struct page *page, const char *session_id)
{
    size_t index;
    json_t *child;
    json_array_foreach (page->children_beside, index, child) {
        if (equals(json_member_string(json_object_get(child, "params"), "sessionId"), session_id)) {
            return child;
        }
    }
    return NULL;
}

int guard_tab_of_child(const struct page *page, const char *session_id)
{
    const json_t *child = find_child(page, session_id);
    const char *parent = NULL;
    while (child) {
        parent = json_member_string(child, "parent");
        child = find_child(page, parent);
    }
    return tabs_number_of(page, parent);
}

static bool is_of_page(const struct page *page, const char *session_id)
{
    return !*session_id || wire_is_own(page, session_id) || frames_has_session(page, session_id);
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
            /* Chrome reports its worlds again only after Runtime.disable. */
            cdp_post(page->client,
                     json_member_string(json_object_get(child, "params"), "sessionId"),
                     "Runtime.disable", NULL);
            frames_on_event(page, parent, "Target.attachedToTarget",
                            json_object_get(child, "params"));
            index = 0; /* the list may have changed: start again */
        }
    }
}

bool guard_on_event(struct page *page, const char *session_id, const char *method, json_t *params)
{
    if (judge_is_on(page)) {
        judge_on_event(page, session_id, method, params);
    } else if (!tabs_are_heard(page)) {
        return false;
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

void guard_init(struct page *page)
{
    page->children_beside = json_array();
}

void guard_finish(struct page *page)
{
    json_decref(page->children_beside);
}
