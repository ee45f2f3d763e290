#include "runner/page/world/downloads.h"

#include "runner/base/cut.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/cdp/targets.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/navigation.h"
#include "runner/page/core/state.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/world/file_name.h"
#include "runner/privacy/secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * page->downloads is an object of unreported downloads, by the browser's id: {url, suggestedName,
 * bytes, state, file}. It outlives the page, as downloads do.
 */
enum { MAX_DOWNLOADS = 200, MAX_NUMBER = 10000 };

static const char in_progress[] = "inProgress";

void downloads_init(struct page *page)
{
    json_t *list = page->options.download_list;
    page->downloads = list ? json_incref(list) : json_object();
}

void downloads_finish(struct page *page)
{
    json_decref(page->downloads);
}

bool downloads_begin(struct page *page, struct br_error *err)
{
    const char *directory = page->options.downloads;
    if (!directory && page->options.is_foreign) {
        return true; /* not launched here: downloads belong to its user */
    }
    CLEANUP_FREE char *present = NULL;
    if (!targets_take_downloads(page->options.targets, page, directory, &present)) {
        error_set(err, BR_INVALID_ACTION,
                  "another session saves the downloads of this context to %s", present);
        return error_hint(err, "give each session the same directory, or a context of its own");
    }
    if (!directory && present) {
        return true; /* downloads of this page are cancelled when they begin */
    }
    json_t *params =
        json_pack("{s:s, s:o*, s:b}", "behavior", directory ? "allowAndName" : "deny",
                  "downloadPath", directory ? json_text(directory) : NULL, "eventsEnabled", 1);
    return cdp_call(page->client, NULL, "Browser.setDownloadBehavior",
                    page_in_context(page, params), NULL, err);
}

/* Other pages of a shared browser have downloads, too. */
static bool is_ours(struct page *page, const char *frame_id)
{
    bool is_alone = !page->options.is_foreign && targets_is_alone(page->options.targets, page);
    return is_alone || frame_find(page, frame_id) || tabs_has_target(page, frame_id);
}

static void on_begin(struct page *page, json_t *params)
{
    const char *url = json_member_string(params, "url");
    const char *guid = json_member_string(params, "guid");
    const char *name = json_member_string(params, "suggestedFilename");
    if (!guid || !url || !is_ours(page, json_member_string(params, "frameId"))) {
        return;
    }
    navigation_count(page, NAVIGATION_DOWNLOAD);
    CLEANUP_FREE char *shown = cut_text(url, CUT_URL);
    if (!page->options.downloads) {
        page_log(page, BR_LOG_WARNING, "download",
                 "a download was refused: %s; ⟨downloads⟩ DIR saves them", url);
        cdp_post(page->client, NULL, "Browser.cancelDownload",
                 page_in_context(page, json_pack("{s:s}", "guid", guid)));
        return;
    }
    page_log(page, BR_LOG_INFO, "download", "a download has begun: %s", url);
    if (json_object_size(page->downloads) < MAX_DOWNLOADS) {
        json_object_set_new(page->downloads, guid,
                            json_pack("{s:o, s:o, s:i, s:s}", "url", json_text(shown),
                                      "suggestedName", json_text(name ? name : ""), "bytes", 0,
                                      "state", in_progress));
        tell_download(page, json_object_get(page->downloads, guid));
    }
}

/* Reserves an unused name by creating the file. Caller frees; NULL with an error. */
static char *claim_name(const char *directory, const char *suggested, struct br_error *err)
{
    CLEANUP_FREE char *name = file_name_clean(suggested);
    for (unsigned number = 0; number < MAX_NUMBER; number++) {
        CLEANUP_FREE char *numbered = file_name_numbered(name, number);
        char *path = xasprintf("%s/%s", directory, numbered);
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            close(fd);
            return path;
        }
        free(path);
        if (errno != EEXIST) {
            break;
        }
    }
    error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write %s to %s", name, directory);
    return NULL;
}

/* Renames a file from the browser's name to its final name. */
static bool save(struct page *page, const char *guid, json_t *download, struct br_error *err)
{
    const char *directory = page->options.downloads;
    CLEANUP_FREE char *from = xasprintf("%s/%s", directory, guid);
    CLEANUP_FREE char *suggested = xstrdup(json_member_string(download, "suggestedName"));
    secrets_mask_owned(page->options.secrets, &suggested);
    CLEANUP_FREE char *path = claim_name(directory, suggested, err);
    if (!path) {
        return false;
    }
    if (chmod(from, 0600) != 0 || rename(from, path) != 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot rename %s to %s", from, path);
        unlink(path);
        return false;
    }
    json_object_set_new(download, "file", json_text(path));
    return true;
}

static void on_end(struct page *page, const char *guid, json_t *download, const char *state)
{
    struct br_error err;
    const char *url = json_member_string(download, "url");
    bool is_complete = strcmp(state, "completed") == 0;
    if (is_complete && save(page, guid, download, &err)) {
        page_log(page, BR_LOG_INFO, "download", "saved %s as %s", url,
                 json_member_string(download, "file"));
    } else if (is_complete) {
        page_log(page, BR_LOG_ERROR, "download", "the download of %s was lost: %s", url,
                 err.message);
        state = "failed";
    } else {
        page_log(page, BR_LOG_WARNING, "download", "the download of %s broke off", url);
    }
    json_object_set_new(download, "state", json_string(state));
    tell_download(page, download);
}

static void on_progress(struct page *page, json_t *params)
{
    const char *guid = json_member_string(params, "guid");
    const char *state = json_member_string(params, "state");
    json_t *download = guid ? json_object_get(page->downloads, guid) : NULL;
    if (!download || !state || !page->options.downloads) {
        return;
    }
    json_object_set_new(download, "bytes",
                        json_integer((json_int_t)json_member_number(params, "receivedBytes", 0)));
    if (strcmp(state, in_progress) != 0 &&
        strcmp(json_member_string(download, "state"), in_progress) == 0) {
        on_end(page, guid, download, state);
    }
}

bool downloads_on_event(struct page *page, const char *method, json_t *params)
{
    if (strcmp(method, "Browser.downloadWillBegin") == 0) {
        on_begin(page, params);
        return true;
    }
    if (strcmp(method, "Browser.downloadProgress") == 0) {
        on_progress(page, params);
        return true;
    }
    return false;
}

static bool has_no_new(void *data)
{
    const struct page *page = data;
    const char *guid;
    json_t *download;
    json_object_foreach (page->downloads, guid, download) {
        if (!json_member_bool(download, "isTold", false) &&
            strcmp(json_member_string(download, "state"), in_progress) == 0) {
            return false;
        }
    }
    return true;
}

bool downloads_wait(struct page *page, struct deadline deadline)
{
    struct br_error late;
    if (has_no_new(page)) {
        return false;
    }
    cdp_wait(page->client, has_no_new, page, "downloads", deadline, &late);
    return true;
}

void page_take_downloads(struct page *page, struct br_response *response)
{
    const char *guid;
    json_t *download;
    void *next;
    json_object_foreach_safe(page->downloads, next, guid, download)
    {
        const char *state = json_member_string(download, "state");
        response_add_download(
            response, &(struct br_download){
                          .url = xstrdup(json_member_string(download, "url")),
                          .file = xstrdup(json_member_string(download, "file")),
                          .suggested_name = xstrdup(json_member_string(download, "suggestedName")),
                          .state = xstrdup(state),
                          .bytes = (int64_t)json_member_number(download, "bytes", 0),
                      });
        if (strcmp(state, in_progress) == 0) {
            json_object_set_new(download, "isTold", json_true());
        } else {
            json_object_del(page->downloads, guid);
        }
    }
}

void page_downloads_abandon(const char *directory, json_t *list)
{
    const char *guid;
    json_t *download;
    json_object_foreach (list, guid, download) {
        if (strcmp(json_member_string(download, "state"), in_progress) == 0) {
            CLEANUP_FREE char *path = xasprintf("%s/%s", directory, guid);
            CLEANUP_FREE char *partial = xasprintf("%s.crdownload", path);
            unlink(path);
            unlink(partial);
            json_object_set_new(download, "state", json_string("canceled"));
        }
    }
}
