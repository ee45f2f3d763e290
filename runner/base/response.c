#include "runner/base/response.h"

#include "runner/base/clock.h"
#include "runner/base/cut.h"
#include "runner/base/stream.h"
#include "runner/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const log_type_names[] = {
    [BR_LOG_VERBOSE] = "verbose", [BR_LOG_DEBUG] = "debug", [BR_LOG_INFO] = "info",
    [BR_LOG_WARNING] = "warning", [BR_LOG_ERROR] = "error",
};

const char *log_type_name(enum br_log_type type)
{
    return log_type_names[type];
}

bool log_type_from_name(const char *name, enum br_log_type *ret_type)
{
    for (size_t i = 0; i < sizeof(log_type_names) / sizeof(log_type_names[0]); i++) {
        if (strcmp(name, log_type_names[i]) == 0) {
            *ret_type = (enum br_log_type)i;
            return true;
        }
    }
    return false;
}

/* How long it was in all is not known: parts of it may have been cut before. */
static char *copy_cut(const char *text)
{
    size_t length = strlen(text);
    if (length <= LOG_MAX_TEXT) {
        return xstrndup(text, length);
    }
    size_t kept = utf8_cut(text, LOG_MAX_TEXT - CUT_MARK_MAX);
    return xasprintf("%.*s… (more than %zu characters)", (int)kept, text, cut_count(text, kept));
}

static size_t text_length(const char *text)
{
    return text ? strlen(text) : 0;
}

size_t log_size(const struct br_log *log)
{
    return text_length(log->message) + text_length(log->location) + text_length(log->stack) +
           text_length(log->generated_location) + text_length(log->hint) +
           text_length(log->arguments);
}

/* Its place and its stack are added behind its message. */
static size_t last_size(const struct log_list *list)
{
    return list->count ? log_size(&list->items[list->count - 1]) : 0;
}

bool log_list_is_full(const struct log_list *list)
{
    return list->count >= LOG_MAX_ENTRIES || list->bytes + last_size(list) >= LOG_MAX_BYTES;
}

struct br_log log_entry(enum br_log_type type, enum br_log_source source, const char *category,
                        const char *message)
{
    return (struct br_log){
        .type = type,
        .source = source,
        .timestamp_ms = clock_wall_ms(),
        .message = copy_cut(message),
        .category = xstrdup(category),
    };
}

struct br_log *log_list_take(struct log_list *list, struct br_log *log)
{
    bool is_browser = log->source == BR_SOURCE_BROWSER;
    if (!list) {
        log_finish(log);
        return NULL;
    }
    if (list->count >= LOG_MAX_ENTRIES || (is_browser && log_list_is_full(list))) {
        list->dropped++;
        log_finish(log);
        return NULL;
    }
    list->bytes += last_size(list);
    list->items = array_reserve(list->items, list->count, &list->capacity, sizeof(*list->items));
    list->items[list->count] = *log;
    return &list->items[list->count++];
}

struct br_log *log_add(struct log_list *list, enum br_log_type type, enum br_log_source source,
                       const char *category, const char *message)
{
    struct br_log log = log_entry(type, source, category, message);
    return log_list_take(list, &log);
}

uint64_t log_put(struct log_list *list, struct br_log *log, int64_t details_ms)
{
    if (!list) {
        log_finish(log);
        return 0;
    }
    if (list->stream) {
        return stream_log(list->stream, log, details_ms);
    }
    log->id = ++list->last_id;
    uint64_t id = log->id;
    if (log_list_take(list, log) && details_ms == 0) {
        log_list_fold_last(list);
    }
    return id;
}

struct br_log *log_list_find(struct log_list *list, uint64_t id)
{
    for (size_t i = list->count; i-- > 0;) {
        if (list->items[i].id == id) {
            return &list->items[i];
        }
    }
    return NULL;
}

void log_list_count(struct log_list *list)
{
    list->bytes = 0;
    for (size_t i = 0; i + 1 < list->count; i++) {
        list->bytes += log_size(&list->items[i]);
    }
}

void log_set_message(struct br_log *log, const char *message)
{
    free(log->message);
    log->message = copy_cut(message);
}

void log_list_set_message(struct log_list *list, size_t index, const char *message)
{
    log_set_message(&list->items[index], message);
    log_list_count(list);
}

void log_list_shrink(struct log_list *list, size_t count)
{
    list->count = count;
    log_list_count(list);
}

void log_tool(struct log_list *list, enum br_log_type type, const char *category,
              const char *format, ...)
{
    char message[2048];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    if (length >= (int)sizeof(message)) {
        static const char more[] = "…";
        memcpy(message + utf8_cut(message, sizeof(message) - sizeof(more)), more, sizeof(more));
    }
    struct br_log log = log_entry(type, BR_SOURCE_TOOL, category, message);
    log_put(list, &log, 0);
}

void log_finish(struct br_log *log)
{
    free(log->message);
    free(log->category);
    free(log->location);
    free(log->stack);
    free(log->generated_location);
    free(log->hint);
    free(log->method);
    free(log->arguments);
}

struct br_log log_copy(const struct br_log *log)
{
    struct br_log copy = *log;
    copy.message = xstrdup(log->message);
    copy.category = xstrdup(log->category);
    copy.location = xstrdup(log->location);
    copy.stack = xstrdup(log->stack);
    copy.generated_location = xstrdup(log->generated_location);
    copy.hint = xstrdup(log->hint);
    copy.method = xstrdup(log->method);
    copy.arguments = xstrdup(log->arguments);
    return copy;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool log_is_same(const struct br_log *a, const struct br_log *b)
{
    return a->type == b->type && a->source == b->source && a->kind == b->kind &&
           is_same_text(a->message, b->message) && is_same_text(a->location, b->location);
}

static struct br_log *find_same(struct log_list *list, size_t count, const struct br_log *log)
{
    for (size_t i = 0; i < count; i++) {
        if (log_is_same(&list->items[i], log)) {
            return &list->items[i];
        }
    }
    return NULL;
}

static int times(const struct br_log *log)
{
    return log->count ? log->count : 1;
}

void log_list_fold(struct log_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct br_log *log = &list->items[i];
        bool is_told = log->source == BR_SOURCE_BROWSER;
        struct br_log *same = is_told ? find_same(list, kept, log) : NULL;
        if (same) {
            same->count = times(same) + times(log);
            log_finish(log);
        } else {
            list->items[kept++] = *log;
        }
    }
    log_list_shrink(list, kept);
}

void log_list_sort(struct log_list *list)
{
    for (size_t i = 1; i < list->count; i++) { /* hardly anything is out of order */
        struct br_log log = list->items[i];
        size_t place = i;
        while (place > 0 && list->items[place - 1].timestamp_ms > log.timestamp_ms) {
            place--;
        }
        memmove(&list->items[place + 1], &list->items[place], (i - place) * sizeof(log));
        list->items[place] = log;
    }
}

void log_list_fold_last(struct log_list *list)
{
    struct br_log *last = list->count > 1 ? &list->items[list->count - 1] : NULL;
    if (last && log_is_same(&last[-1], last)) {
        last[-1].count = times(&last[-1]) + times(last);
        log_finish(last);
        list->count--;
        size_t size = last_size(list);
        list->bytes -= size < list->bytes ? size : list->bytes;
    }
}

static void logs_free(struct br_log *logs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        log_finish(&logs[i]);
    }
    free(logs);
}

void log_list_finish(struct log_list *list)
{
    logs_free(list->items, list->count);
    *list = (struct log_list){ 0 };
}

struct br_response *response_create(uint64_t id, const char *type)
{
    struct br_response *response = xcalloc(1, sizeof(*response));
    response->id = id;
    response->type = xstrdup(type);
    response->attempts = 1;
    response->metrics = (struct br_metrics){
        .load_time_ms = -1,
        .ttfb_ms = -1,
        .fcp_ms = -1,
        .lcp_ms = -1,
        .dom_content_loaded_ms = -1,
        .cls = -1,
        .inp_ms = -1,
        .long_tasks = -1,
        .long_task_ms = -1,
        .memory_usage_bytes = -1,
        .nodes = -1,
        .layouts = -1,
        .transfer_bytes = -1,
        .session_duration_ms = -1,
    };
    return response;
}

void capture_finish(struct br_capture *capture)
{
    free(capture->bytes);
    *capture = (struct br_capture){ 0 };
}

const char *capture_extension(const struct br_capture *capture)
{
    static const struct {
        const char *media_type, *extension;
    } formats[] = { { "image/png", "png" }, { "image/webp", "webp" } };
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(capture->media_type, formats[i].media_type) == 0) {
            return formats[i].extension;
        }
    }
    return "jpg";
}

bool response_picture_at(const struct br_response *response, size_t index,
                         struct response_picture *ret_picture)
{
    enum { FIRST_TILE = 2 };
    if (index >= FIRST_TILE + response->tile_count) {
        return false;
    }
    *ret_picture = (struct response_picture){
        .name = "pre",
        .capture = &response->pre,
    };
    if (index == 1) {
        *ret_picture = (struct response_picture){ .name = "post", .capture = &response->post };
    } else if (index >= FIRST_TILE) {
        ret_picture->tile = &response->tiles[index - FIRST_TILE];
        ret_picture->capture = &ret_picture->tile->picture;
        snprintf(ret_picture->name, sizeof(ret_picture->name), "tile-%02zu",
                 (index - FIRST_TILE + 1) % 1000);
    }
    return true;
}

void response_clear_tiles(struct br_response *response)
{
    for (size_t i = 0; i < response->tile_count; i++) {
        capture_finish(&response->tiles[i].picture);
    }
    free(response->tiles);
    response->tiles = NULL;
    response->tile_count = 0;
}

void network_headers_free(struct br_header *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(headers[i].name);
        free(headers[i].value);
    }
    free(headers);
}

void network_event_init(struct br_network_event *event)
{
    *event = (struct br_network_event){
        .duration_ms = -1,
        .timings = { -1, -1, -1, -1, -1, -1, -1 },
        .request_bytes = -1,
        .response_bytes = -1,
        .decoded_bytes = -1,
    };
}

const char *const network_filter_names[] = {
    [BR_NETWORK_ALL] = "all",       [BR_NETWORK_XHR] = "xhr",   [BR_NETWORK_DOCUMENT] = "document",
    [BR_NETWORK_FAILED] = "failed", [BR_NETWORK_NONE] = "none", NULL,
};

bool network_event_is_icon(const struct br_network_event *event)
{
    static const char other[] = "other";
    const char *host = event->url ? strstr(event->url, "://") : NULL;
    const char *path = host ? strchr(host + strlen("://"), '/') : NULL;
    return path && strcmp(path, "/favicon.ico") == 0 && is_same_text(event->type, other) &&
           is_same_text(event->initiator_type, other);
}

bool network_event_has_failed(const struct br_network_event *event)
{
    return (event->error || event->status >= 400) && !network_event_is_icon(event);
}

struct br_header *network_headers_copy(const struct br_header *headers, size_t count)
{
    struct br_header *copies = xcalloc(count + 1, sizeof(*copies));
    for (size_t i = 0; i < count; i++) {
        copies[i].name = xstrdup(headers[i].name);
        copies[i].value = xstrdup(headers[i].value);
    }
    return copies;
}

enum { NETWORK_TEXTS = 16 };

/* Its texts, all but those of headers. */
static void list_texts(struct br_network_event *event, char **ret_texts[NETWORK_TEXTS])
{
    char **const texts[NETWORK_TEXTS] = {
        &event->url,           &event->method,         &event->error,
        &event->type,          &event->mime_type,      &event->protocol,
        &event->status_text,   &event->remote_address, &event->blocked_reason,
        &event->redirected_to, &event->initiator_type, &event->initiator_url,
        &event->body,          &event->body_omitted,   &event->navigation_id,
        &event->post_data,
    };
    memcpy(ret_texts, texts, sizeof(texts));
}

struct br_network_event network_event_copy(const struct br_network_event *event)
{
    char **texts[NETWORK_TEXTS];
    struct br_network_event copy = *event;
    list_texts(&copy, texts);
    for (size_t i = 0; i < NETWORK_TEXTS; i++) {
        *texts[i] = xstrdup(*texts[i]);
    }
    copy.request_headers =
        network_headers_copy(event->request_headers, event->request_header_count);
    copy.response_headers =
        network_headers_copy(event->response_headers, event->response_header_count);
    return copy;
}

static size_t headers_size(const struct br_header *headers, size_t count)
{
    size_t size = count * sizeof(*headers);
    for (size_t i = 0; i < count; i++) {
        size += text_length(headers[i].name) + text_length(headers[i].value);
    }
    return size;
}

size_t network_event_size(const struct br_network_event *event)
{
    char **texts[NETWORK_TEXTS];
    struct br_network_event borrowed = *event;
    list_texts(&borrowed, texts);
    size_t size = headers_size(event->request_headers, event->request_header_count) +
                  headers_size(event->response_headers, event->response_header_count);
    for (size_t i = 0; i < NETWORK_TEXTS; i++) {
        size += text_length(*texts[i]);
    }
    return size;
}

void network_event_finish(struct br_network_event *event)
{
    char **texts[NETWORK_TEXTS];
    list_texts(event, texts);
    for (size_t i = 0; i < NETWORK_TEXTS; i++) {
        free(*texts[i]);
    }
    network_headers_free(event->request_headers, event->request_header_count);
    network_headers_free(event->response_headers, event->response_header_count);
}

void download_finish(struct br_download *download)
{
    free(download->url);
    free(download->file);
    free(download->suggested_name);
    free(download->state);
}

void response_add_download(struct br_response *response, const struct br_download *download)
{
    size_t capacity = response->download_count;
    response->downloads = array_reserve(response->downloads, response->download_count, &capacity,
                                        sizeof(*response->downloads));
    response->downloads[response->download_count++] = *download;
}

void br_response_destroy(struct br_response *response)
{
    if (!response) {
        return;
    }
    logs_free(response->logs, response->log_count);
    for (size_t i = 0; i < response->network_event_count; i++) {
        network_event_finish(&response->network_events[i]);
    }
    free(response->network_events);
    for (size_t i = 0; i < response->download_count; i++) {
        download_finish(&response->downloads[i]);
    }
    free(response->downloads);
    capture_finish(&response->pre);
    capture_finish(&response->post);
    response_clear_tiles(response);
    free(response->type);
    free(response->label);
    free(response->session_id);
    free(response->url);
    free(response->title);
    free(response->result);
    free(response->debug_dir);
    for (size_t i = 0; i < response->debug_file_count; i++) {
        free(response->debug_files[i]);
    }
    free(response->debug_files);
    free(response->delivered);
    free(response);
}
