#include "runner/base/network_event.h"

#include "runner/base/memory.h"
#include "runner/base/url_parts.h"

#include <string.h>

static size_t text_length(const char *text)
{
    return text ? strlen(text) : 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
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
    return event->url && strcmp(event->url + url_origin_length(event->url), "/favicon.ico") == 0 &&
           is_same_text(event->type, other) && is_same_text(event->initiator_type, other);
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

/* Lists all its texts except those of headers. */
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
