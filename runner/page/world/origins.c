#include "runner/page/world/origins.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/call.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { MAX_ORIGINS = 256 };

struct origins {
    json_t *seen;     /* object: origins whose documents the session has seen; values are true */
    bool is_visiting; /* a tab for accessing storage is being opened */
    char *session_id; /* of that tab; NULL: none */
};

void origins_init(struct page *page, json_t *before)
{
    page->origins = xcalloc(1, sizeof(*page->origins));
    page->origins->seen = before ? json_incref(before) : json_object();
}

void origins_finish(struct page *page)
{
    json_decref(page->origins->seen);
    free(page->origins->session_id);
    free(TAKE(page->origins));
}

bool origins_is_visiting(const struct page *page)
{
    return page->origins->is_visiting;
}

bool origins_has_session(const struct page *page, const char *session_id)
{
    return page->origins->session_id && strcmp(session_id, page->origins->session_id) == 0;
}

void origins_note(struct page *page, const json_t *frame)
{
    const char *origin = json_member_string(frame, "securityOrigin");
    if (origin && url_is_web(origin) && json_object_size(page->origins->seen) < MAX_ORIGINS) {
        json_object_set_new(page->origins->seen, origin, json_true());
    }
}

json_t *page_origins(const struct page *page)
{
    return page->origins->seen;
}

/*
 * Opens a hidden tab that can access the storage of any origin: every document it requests is
 * replaced by an empty one, so that nothing goes over the network and no script of the site runs.
 */
static bool open_tab(struct page *page, char **ret_target_id, struct br_error *err)
{
    json_auto_t *created = NULL;
    json_auto_t *attached = NULL;
    const char *target_id = NULL;
    const char *session_id = NULL;
    targets_begin_making(page->options.targets, page, tabs_are_held(page), page_deadline(page));
    bool is_made =
        cdp_call(page->client, NULL, "Target.createTarget",
                 page_in_context(page, json_pack("{s:s, s:b, s:b}", "url", "about:blank", "hidden",
                                                 1, "background", 1)),
                 &created, err) &&
        json_read(created, "Target.createTarget", err, "{s:s}", "targetId", &target_id) &&
        targets_claim(page->options.targets, target_id, page);
    targets_end_making(page->options.targets, page);
    if (!is_made) {
        return false;
    }
    *ret_target_id = xstrdup(target_id);
    if (!cdp_call(page->client, NULL, "Target.attachToTarget",
                  json_pack("{s:s, s:b}", "targetId", target_id, "flatten", 1), &attached, err) ||
        !json_read(attached, "Target.attachToTarget", err, "{s:s}", "sessionId", &session_id)) {
        return false;
    }
    page->origins->session_id = xstrdup(session_id);
    cdp_client_adopt(page->client, session_id);
    return cdp_call(page->client, session_id, "Network.enable", NULL, NULL, err) &&
           cdp_call(page->client, session_id, "Network.setBypassServiceWorker",
                    json_pack("{s:b}", "bypass", 1), NULL, err) &&
           cdp_call(page->client, session_id, "Fetch.enable", NULL, NULL, err);
}

static void close_tab(struct page *page, const char *target_id)
{
    if (target_id) {
        page_close_target(page, target_id);
        targets_release(page->options.targets, target_id, page);
    }
    free(TAKE(page->origins->session_id));
    page->origins->is_visiting = false;
}

void origins_answer(struct page *page, const json_t *paused)
{
    cdp_post(page->client, page->origins->session_id, "Fetch.fulfillRequest",
             json_pack("{s:O, s:i, s:[{s:s, s:s}]}", "requestId",
                       json_object_get(paused, "requestId"), "responseCode", 200, "responseHeaders",
                       "name", "Content-Type", "value", "text/html"));
}

/* Calls origin.js in a document of the origin. Takes ownership of entries; NULL: reads them. */
static bool visit(struct page *page, const char *origin, json_t *entries, json_t **ret_entries,
                  struct br_error *err)
{
    const char *session_id = page->origins->session_id;
    CLEANUP_FREE char *url = xasprintf("%s/", origin);
    json_auto_t *argument =
        json_pack("{s:o, s:o*}", "origin", json_text(origin), "entries", entries);
    json_auto_t *global = NULL;
    json_auto_t *answer = NULL;
    json_t *object = NULL;
    json_t *value = NULL;
    if (!cdp_call(page->client, session_id, "Page.navigate",
                  json_pack("{s:o}", "url", json_text(url)), NULL, err) ||
        !cdp_call(page->client, session_id, "Runtime.evaluate",
                  json_pack("{s:s}", "expression", "globalThis"), &global, err) ||
        !json_read(global, "Runtime.evaluate", err, "{s:{s:o}}", "result", "objectId", &object) ||
        !cdp_call(page->client, session_id, "Runtime.callFunctionOn",
                  json_pack("{s:s, s:O, s:[{s:O}], s:b}", "functionDeclaration", script_origin,
                            "objectId", object, "arguments", "value", argument, "returnByValue", 1),
                  &answer, err) ||
        !json_read(answer, "Runtime.callFunctionOn", err, "{s:{s:o}}", "result", "value", &value) ||
        !call_answer_is_fine(value, err)) {
        return error_context(err, "the storage of %s", origin);
    }
    *ret_entries = json_incref(json_object_get(value, "entries"));
    return true;
}

static bool read_all(struct page *page, json_t *list, struct br_error *err)
{
    const char *origin;
    json_t *ignored;
    json_object_foreach (page->origins->seen, origin, ignored) {
        json_t *entries = NULL;
        if (!visit(page, origin, NULL, &entries, err)) {
            return false;
        }
        if (json_array_size(entries)) {
            json_array_append_new(
                list, json_pack("{s:s, s:o}", "origin", origin, "localStorage", entries));
        } else {
            json_decref(entries);
        }
    }
    return true;
}

bool page_get_origins(struct page *page, json_t **ret_origins, struct br_error *err)
{
    CLEANUP_FREE char *target_id = NULL;
    json_auto_t *list = json_array();
    page->origins->is_visiting = true;
    bool is_read = json_object_size(page->origins->seen) == 0 ||
                   (open_tab(page, &target_id, err) && read_all(page, list, err));
    close_tab(page, target_id);
    *ret_origins = is_read ? json_incref(list) : NULL;
    return is_read;
}

static bool write_all(struct page *page, const json_t *origins, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_array_foreach (origins, index, item) {
        const char *origin = json_member_string(item, "origin");
        json_auto_t *none = NULL;
        if (!visit(page, origin, json_incref(json_object_get(item, "localStorage")), &none, err)) {
            return false;
        }
        json_object_set_new(page->origins->seen, origin, json_true());
    }
    return true;
}

bool page_set_origins(struct page *page, const json_t *origins, struct br_error *err)
{
    CLEANUP_FREE char *target_id = NULL;
    page->origins->is_visiting = true;
    bool is_written = json_array_size(origins) == 0 ||
                      (open_tab(page, &target_id, err) && write_all(page, origins, err));
    close_tab(page, target_id);
    return is_written;
}
