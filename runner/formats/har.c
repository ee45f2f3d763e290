#include "runner/formats/har.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/formats/response_json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ENTRIES = 20000, MAX_PAGES = 1000 };

struct har_page {
    char *navigation_id;
    json_t *page;
    bool is_failed; /* the current page of the browser is not the page of this entry */
};

struct har {
    FILE *file;
    char *path;
    off_t entries_end; /* where the next entry goes */
    size_t entry_count, left_out;
    struct har_page *pages;
    size_t page_count, page_capacity;
    char *browser_version;
    bool keeps_secrets;
};

static bool fail(const struct har *har, struct br_error *err)
{
    return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write to %s", har->path);
}

/*
 * Returns everything but the entries. These come first in the file, so that the rest can be written
 * again after them.
 */
static char *frame_text(const struct har *har)
{
    json_t *pages = json_array();
    for (size_t i = 0; i < har->page_count; i++) {
        json_array_append(pages, har->pages[i].page);
    }
    CLEANUP_FREE char *comment =
        har->left_out ? xasprintf("%zu more requests were left out", har->left_out) : NULL;
    json_auto_t *root = json_pack("{s:{s:[], s:s, s:{s:s, s:s}, s:{s:s, s:s}, s:o, s:s*}}", "log",
                                  "entries", "version", "1.2", "creator", "name", "browser-runner",
                                  "version", BROWSER_RUNNER_VERSION, "browser", "name", "Chrome",
                                  "version", har->browser_version ? har->browser_version : "",
                                  "pages", pages, "comment", comment);
    return json_line(root, NULL);
}

/* Writes what follows the entries. */
static bool write_rest(struct har *har, struct br_error *err)
{
    CLEANUP_FREE char *frame = frame_text(har);
    const char *rest = strchr(frame, '[') + 1;
    bool is_written = fseeko(har->file, har->entries_end, SEEK_SET) == 0 &&
                      fputs(rest, har->file) >= 0 && fputc('\n', har->file) != EOF &&
                      fflush(har->file) == 0 &&
                      ftruncate(fileno(har->file), ftello(har->file)) == 0;
    return is_written || fail(har, err);
}

static bool write_start(struct har *har, struct br_error *err)
{
    CLEANUP_FREE char *frame = frame_text(har);
    har->entries_end = strchr(frame, '[') + 1 - frame;
    bool is_written =
        fwrite(frame, 1, (size_t)har->entries_end, har->file) == (size_t)har->entries_end;
    return is_written ? write_rest(har, err) : fail(har, err);
}

struct har *har_create(const char *path, bool keeps_secrets, struct br_error *err)
{
    struct stat info;
    /*
     * Only the user can read it, because it has the pages' texts. Opening a pipe fails instead of
     * blocking.
     */
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write to %s", path);
        return NULL;
    }
    struct har *har = xcalloc(1, sizeof(*har));
    har->file = file;
    har->path = xstrdup(path);
    har->keeps_secrets = keeps_secrets;
    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        error_set(err, BR_INVALID_ACTION, "%s is not a file: an archive is written in place", path);
    } else if (write_start(har, err)) {
        return har;
    }
    har_destroy(har);
    return NULL;
}

static struct har_page *find_page(struct har *har, const char *navigation_id)
{
    for (size_t i = har->page_count; navigation_id && i-- > 0;) {
        if (strcmp(har->pages[i].navigation_id, navigation_id) == 0) {
            return &har->pages[i];
        }
    }
    return NULL;
}

static json_t *page_time(double value)
{
    return json_number(value >= 0 ? value : -1, 1000);
}

static struct har_page *page_of(struct har *har, const struct br_network_event *event)
{
    struct har_page *page = find_page(har, event->navigation_id);
    if (page || !event->navigation_id || har->page_count == MAX_PAGES) {
        return page;
    }
    har->pages =
        array_reserve(har->pages, har->page_count, &har->page_capacity, sizeof(*har->pages));
    CLEANUP_FREE char *id = xasprintf("page_%zu", har->page_count + 1);
    page = &har->pages[har->page_count++];
    *page = (struct har_page){
        .navigation_id = xstrdup(event->navigation_id),
        .page = json_pack("{s:o, s:s, s:o, s:{s:i, s:i}}", "startedDateTime",
                          har_time(event->timestamp_ms), "id", id, "title",
                          har_url(event->url, har->keeps_secrets), "pageTimings", "onContentLoad",
                          -1, "onLoad", -1),
    };
    return page;
}

/* Reads "HeadlessChrome/156.0.0.0" from the user agent. */
static void take_browser(struct har *har, const struct br_network_event *event)
{
    for (size_t i = 0; !har->browser_version && i < event->request_header_count; i++) {
        const char *value = event->request_headers[i].value;
        const char *version = strstr(value, "Chrome/");
        if (version) {
            version += strlen("Chrome/");
            har->browser_version = xstrndup(version, strcspn(version, " "));
        }
    }
}

static bool write_entry(struct har *har, const struct br_network_event *event, struct br_error *err)
{
    const struct har_page *page = page_of(har, event);
    const char *page_id = page ? json_member_string(page->page, "id") : NULL;
    json_auto_t *entry = har_entry(event, page_id, har->keeps_secrets);
    size_t length = 0;
    CLEANUP_FREE char *text = json_line(entry, &length);
    if ((har->entry_count > 0 && fputs(",\n", har->file) < 0) ||
        fwrite(text, 1, length, har->file) != length) {
        return fail(har, err);
    }
    har->entry_count++;
    return true;
}

static bool add_event(struct har *har, const struct br_network_event *event, struct br_error *err)
{
    bool is_closing = event->web_socket && strcmp(event->web_socket, "closed") == 0;
    if (is_closing) {
        return true; /* the opening of the socket has an entry already */
    }
    if (har->entry_count == MAX_ENTRIES) {
        har->left_out++;
        return true;
    }
    take_browser(har, event);
    if (!write_entry(har, event, err)) {
        return false;
    }
    struct har_page *page = find_page(har, event->navigation_id);
    if (page && event->is_navigation) {
        page->is_failed = event->error || event->is_canceled;
        json_object_set_new(page->page, "title", har_url(event->url, har->keeps_secrets));
    }
    return true;
}

/* Sets the load times of the newest page from the response. */
static void complete_page(struct har *har, const struct br_response *response)
{
    const struct br_metrics *metrics = &response->metrics;
    struct har_page *page = har->page_count ? &har->pages[har->page_count - 1] : NULL;
    if (!page || page->is_failed) {
        return;
    }
    if (response->title && *response->title) {
        json_object_set_new(page->page, "title", json_text(response->title));
    }
    json_t *timings = json_object_get(page->page, "pageTimings");
    if (metrics->dom_content_loaded_ms >= 0) {
        json_object_set_new(timings, "onContentLoad", page_time(metrics->dom_content_loaded_ms));
    }
    if (metrics->load_time_ms >= 0) {
        json_object_set_new(timings, "onLoad", page_time(metrics->load_time_ms));
    }
}

bool har_add(struct har *har, const struct br_response *response, struct br_error *err)
{
    if (fseeko(har->file, har->entries_end, SEEK_SET) != 0) {
        return fail(har, err);
    }
    for (size_t i = 0; i < response->network_event_count; i++) {
        if (!add_event(har, &response->network_events[i], err)) {
            return false;
        }
    }
    har->entries_end = ftello(har->file);
    har->left_out += response->network_events_dropped;
    complete_page(har, response);
    return write_rest(har, err);
}

void har_destroy(struct har *har)
{
    if (!har) {
        return;
    }
    fclose(har->file);
    for (size_t i = 0; i < har->page_count; i++) {
        free(har->pages[i].navigation_id);
        json_decref(har->pages[i].page);
    }
    free(har->pages);
    free(har->browser_version);
    free(har->path);
    free(har);
}

/* Returns a text of the object that must not be changed. */
static char *member_text(const json_t *object, const char *name)
{
    return (char *)json_member_string(object, name);
}

static struct br_network_timings read_timings(const json_t *timings)
{
    return (struct br_network_timings){
        .blocked_ms = json_member_number(timings, "blocked", -1),
        .dns_ms = json_member_number(timings, "dns", -1),
        .connect_ms = json_member_number(timings, "connect", -1),
        .tls_ms = json_member_number(timings, "tls", -1),
        .send_ms = json_member_number(timings, "send", -1),
        .wait_ms = json_member_number(timings, "wait", -1),
        .receive_ms = json_member_number(timings, "receive", -1),
    };
}

json_t *har_of_requests(const json_t *requests)
{
    size_t index;
    const json_t *request;
    json_t *entries = json_array();
    json_array_foreach (requests, index, request) {
        const json_t *sizes = json_object_get(request, "sizes");
        const struct br_network_event event = {
            .url = member_text(request, "url"),
            .method = member_text(request, "method"),
            .error = member_text(request, "error"),
            .status = (int)json_member_number(request, "status", 0),
            .timestamp_ms = (int64_t)json_member_number(request, "timestamp", 0),
            .type = member_text(request, "type"),
            .mime_type = member_text(request, "mimeType"),
            .protocol = member_text(request, "protocol"),
            .remote_address = member_text(request, "remoteAddress"),
            .redirected_to = member_text(request, "redirectedTo"),
            .is_from_cache = json_member_bool(request, "fromCache", false),
            .duration_ms = json_member_number(request, "durationMs", -1),
            .timings = read_timings(json_object_get(request, "timings")),
            .request_bytes = (int64_t)json_member_number(sizes, "request", -1),
            .response_bytes = (int64_t)json_member_number(sizes, "response", -1),
            .decoded_bytes = (int64_t)json_member_number(sizes, "decoded", -1),
            .body = member_text(request, "body"),
            .is_body_cut = json_member_bool(request, "bodyCut", false),
        };
        json_array_append_new(entries, har_entry(&event, NULL, false));
    }
    const struct har none = { 0 };
    CLEANUP_FREE char *frame = frame_text(&none);
    json_t *root = json_loads(frame, 0, NULL);
    json_object_set_new(json_object_get(root, "log"), "entries", entries);
    return root;
}
