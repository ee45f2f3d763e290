#include "runner/page/world/backup.h"

#include "runner/base/json.h"
#include "runner/page/core/navigate.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/cookies.h"
#include "runner/page/world/describe.h"
#include "runner/page/world/origins.h"
#include "runner/page/world/setting.h"
#include "runner/page/world/settings.h"

#include <string.h>

enum { LOAD_MS = 2000 }; /* for the rest of a page that is already there */

void page_backup_finish(struct page_backup *backup)
{
    free(backup->url);
    json_decref(backup->settings);
    json_decref(backup->origins);
    free(backup->origin);
    free(backup->storage);
    *backup = (struct page_backup){ 0 };
}

void page_backup_set_url(struct page_backup *backup, const char *url)
{
    free(backup->url);
    backup->url = xstrdup(url);
    backup->is_posted = false;
}

void page_backup_take(struct page *page, struct page_backup *backup)
{
    const char *origin = NULL;
    const char *storage = NULL;
    describe_storage(page, &origin, &storage);
    if (page_document(page)->url) {
        page_backup_set_url(backup, page_document(page)->url);
        backup->is_posted =
            page->network.is_document_posted && page_has_document(page, page->network.document_id);
    }
    json_decref(backup->settings);
    backup->settings = json_incref(setting_all(page));
    json_decref(backup->origins);
    backup->origins = json_incref(page_origins(page));
    if (origin) {
        free(backup->origin);
        free(backup->storage);
        backup->origin = xstrdup(origin);
        backup->storage = xstrdup(storage);
    }
}

static bool is_same_cookie(const json_t *a, const json_t *b)
{
    static const char *const fields[] = { "name", "domain", "path", "partitionKey" };
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const json_t *of_a = json_object_get(a, fields[i]);
        const json_t *of_b = json_object_get(b, fields[i]);
        if ((of_a || of_b) && !json_equal(of_a, of_b)) {
            return false;
        }
    }
    return true;
}

static bool holds_cookie(const json_t *cookies, const json_t *wanted)
{
    size_t index;
    json_t *cookie;
    json_array_foreach (cookies, index, cookie) {
        if (is_same_cookie(cookie, wanted)) {
            return true;
        }
    }
    return false;
}

/* The profile may contain cookies that the page deleted just before the end. */
static void remove_other_cookies(struct page *page, const json_t *wanted)
{
    struct br_error ignored;
    json_auto_t *present = NULL;
    size_t index;
    json_t *cookie;
    if (!page_get_cookies(page, &present, &ignored)) {
        return;
    }
    json_array_foreach (present, index, cookie) {
        if (!holds_cookie(wanted, cookie)) {
            page_delete_cookie(page, cookie);
        }
    }
}

bool page_restore_cookies(struct page *page, json_t *cookies)
{
    struct br_error err;
    size_t count = json_array_size(cookies);
    if (!page_set_cookies(page, cookies, &err)) {
        page_log(page, BR_LOG_WARNING, "browser", "the cookies could not be restored: %s",
                 err.message);
        return false;
    }
    remove_other_cookies(page, cookies);
    if (count) {
        page_log(page, BR_LOG_INFO, "browser", "restored %zu cookies", count);
    }
    return true;
}

/* Makes Chrome run the script in each new document, until the first one has loaded. */
static void install_refill(struct page *page, const struct page_backup *backup,
                           const struct page_refill *parts)
{
    static const char *const ways[] = {
        [PAGE_REFILL_NOTHING] = "nothing",
        [PAGE_REFILL_MISSING] = "missing",
        [PAGE_REFILL_ALL] = "all",
    };
    struct br_error err;
    json_auto_t *reply = NULL;
    json_auto_t *argument =
        json_pack("{s:s, s:s, s:s, s:s, s:b}", "origin", backup->origin, "storage", backup->storage,
                  "newest", parts->newest ? parts->newest : backup->storage, "local",
                  ways[parts->local], "session", parts->has_session);
    CLEANUP_FREE char *text = json_dumps(argument, JSON_COMPACT);
    CLEANUP_FREE char *source = xasprintf("(%s)(%s)", script_refill, text);
    if (!page_command(page, "Page.addScriptToEvaluateOnNewDocument",
                      json_pack("{s:o, s:s}", "source", json_text(source), "worldName",
                                "browser-runner-refill"),
                      &reply, &err)) {
        page_log(page, BR_LOG_WARNING, "browser", "the storage of %s could not be restored: %s",
                 backup->origin, err.message);
        return;
    }
    free(page->refill_id);
    page->refill_id = xstrdup(json_member_string(reply, "identifier"));
}

void page_backup_refill(struct page *page, const struct page_backup *backup,
                        const struct page_refill *parts)
{
    if (parts->has_session) {
        page_set_again(page, backup->settings);
    }
    if (backup->origin && backup->storage) {
        install_refill(page, backup, parts);
    } else if (backup->origin) {
        page_log(page, BR_LOG_WARNING, "browser",
                 "the storage of %s was too large to be kept: what Chrome had not written is lost",
                 backup->origin);
    }
}

static bool is_loaded(void *data)
{
    const struct page *page = data;
    return page_document(page)->is_loaded;
}

bool page_backup_reopen(struct page *page, const struct page_backup *backup, struct br_error *err)
{
    if (!backup->url) {
        return true;
    }
    int status = 0;
    struct br_error late;
    if (!page_navigate(page, backup->url, PAGE_DOM_CONTENT_LOADED, &status, err)) {
        return false;
    }
    /* The page is usable; if something of it hangs, it hung before. */
    cdp_wait(page->client, is_loaded, page, "the load event", deadline_in_ms(LOAD_MS), &late);
    if (status >= 400) {
        page_log(page, BR_LOG_WARNING, "browser", "the page answered with HTTP status %d", status);
    }
    if (backup->is_posted) {
        page_log(page, BR_LOG_WARNING, "browser",
                 "the page was the response to a submitted form; it was requested without it");
    }
    page_log(page, BR_LOG_WARNING, "browser",
             "the page was opened again at %s; lost are what its scripts held, what was typed, its "
             "history, and what was stored since the last action",
             backup->url);
    return true;
}

void backup_finish(struct page *page)
{
    free(TAKE(page->refill_id));
}

void backup_end_refill(struct page *page)
{
    CLEANUP_FREE char *id = TAKE(page->refill_id);
    if (id) {
        page_post(page, "Page.removeScriptToEvaluateOnNewDocument",
                  json_pack("{s:s}", "identifier", id));
    }
}
