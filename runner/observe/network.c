#include "runner/observe/network.h"

#include "runner/base/json.h"

#include <string.h>

enum { FIRST_ERROR_STATUS = 400, MAX_REQUESTS = 2000 };

struct network_request {
    char *id, *url, *method;
    char *frame_id, *loader_id; /* whose it is; NULL where Chrome does not say */
    int64_t timestamp_ms;
    int status; /* 0 until the response's head is there */
    bool is_document;
};

static void request_finish(struct network_request *request)
{
    free(request->id);
    free(request->url);
    free(request->method);
    free(request->frame_id);
    free(request->loader_id);
}

static struct network_request *find(struct network_recorder *recorder, const char *id)
{
    for (size_t i = 0; i < recorder->request_count; i++) {
        if (strcmp(recorder->requests[i].id, id) == 0) {
            return &recorder->requests[i];
        }
    }
    return NULL;
}

static void forget(struct network_recorder *recorder, struct network_request *request)
{
    request_finish(request);
    *request = recorder->requests[--recorder->request_count];
}

static void add_event(struct network_recorder *recorder, const struct network_request *request,
                      int status, const char *error)
{
    recorder->errors += error || status >= FIRST_ERROR_STATUS;
    if (recorder->event_count == LOG_MAX_ENTRIES) {
        return;
    }
    recorder->events = array_reserve(recorder->events, recorder->event_count,
                                     &recorder->event_capacity, sizeof(*recorder->events));
    recorder->events[recorder->event_count++] = (struct br_network_event){
        .url = xstrdup(request->url),
        .method = xstrdup(request->method),
        .error = xstrdup(error),
        .status = status,
        .timestamp_ms = request->timestamp_ms,
    };
}

static int status_of(const json_t *response)
{
    return (int)json_member_number(response, "status", 0);
}

static bool equals(const char *text, const char *other)
{
    return text && other && strcmp(text, other) == 0;
}

static void on_request(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    const json_t *http = json_object_get(params, "request");
    const char *url = json_member_string(http, "url");
    const char *method = json_member_string(http, "method");
    const json_t *redirect = json_object_get(params, "redirectResponse");
    if (!id || !url || strncmp(url, "data:", 5) == 0) {
        return;
    }
    struct network_request *request = find(recorder, id);
    if (request) {
        /* A redirect goes on under the same id. */
        add_event(recorder, request, status_of(redirect), NULL);
        forget(recorder, request);
    }
    if (recorder->request_count == MAX_REQUESTS) {
        return;
    }
    recorder->requests = array_reserve(recorder->requests, recorder->request_count,
                                       &recorder->request_capacity, sizeof(*recorder->requests));
    recorder->requests[recorder->request_count++] = (struct network_request){
        .id = xstrdup(id),
        .url = xstrdup(url),
        .method = xstrdup(method ? method : "GET"),
        .frame_id = xstrdup(json_member_string(params, "frameId")),
        .loader_id = xstrdup(json_member_string(params, "loaderId")),
        .timestamp_ms = (int64_t)(json_member_number(params, "wallTime", 0) * 1000),
        .is_document = equals(json_member_string(params, "type"), "Document") &&
                       equals(json_member_string(params, "frameId"), frame_id),
    };
}

static void set_document(struct network_recorder *recorder, const struct network_request *request)
{
    char *document_id = xstrdup(request->id);
    free(recorder->document_id);
    free(TAKE(recorder->document_failure));
    recorder->document_id = document_id;
    recorder->document_status = request->status;
    recorder->is_document_posted = equals(request->method, "POST");
}

static void on_response(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    struct network_request *request = id ? find(recorder, id) : NULL;
    (void)frame_id;
    if (!request) {
        return;
    }
    /* Chrome says 200 for files and other local things, too; only HTTP has a status. */
    bool is_http = strncmp(request->url, "http", 4) == 0;
    request->status = is_http ? status_of(json_object_get(params, "response")) : 0;
    if (request->is_document) {
        set_document(recorder, request);
    }
}

static void on_finished(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    struct network_request *request = id ? find(recorder, id) : NULL;
    (void)frame_id;
    if (request) {
        add_event(recorder, request, request->status, NULL);
        forget(recorder, request);
    }
}

static void on_failed(struct network_recorder *recorder, const char *frame_id, json_t *params)
{
    const char *id = json_member_string(params, "requestId");
    const char *text = json_member_string(params, "errorText");
    struct network_request *request = id ? find(recorder, id) : NULL;
    (void)frame_id;
    if (!request) {
        return;
    }
    /* An error status with an empty body: Chrome shows a page of its own, but it was answered. */
    bool was_answered = text && strstr(text, "ERR_HTTP_RESPONSE_CODE_FAILURE");
    /* What a navigation cancelled is no failure. */
    bool is_failure = !was_answered && !json_member_bool(params, "canceled", false);
    if (is_failure || was_answered) {
        add_event(recorder, request, request->status, is_failure ? text : NULL);
    }
    if (is_failure && request->is_document) {
        set_document(recorder, request);
        recorder->document_failure = xstrdup(text ? text : "failed");
    }
    forget(recorder, request);
}

bool network_on_event(struct network_recorder *recorder, const char *main_frame_id,
                      const char *method, json_t *params)
{
    static const struct {
        const char *method;
        void (*apply)(struct network_recorder *recorder, const char *frame_id, json_t *params);
    } table[] = {
        { "Network.requestWillBeSent", on_request },
        { "Network.responseReceived", on_response },
        { "Network.loadingFinished", on_finished },
        { "Network.loadingFailed", on_failed },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(method, table[i].method) == 0) {
            table[i].apply(recorder, main_frame_id, params);
            return true;
        }
    }
    return false;
}

void network_leave_frame(struct network_recorder *recorder, const char *frame_id,
                         const char *loader_id)
{
    for (size_t i = recorder->request_count; frame_id && i-- > 0;) {
        struct network_request *request = &recorder->requests[i];
        if (equals(request->frame_id, frame_id) && !equals(request->loader_id, loader_id)) {
            forget(recorder, request);
        }
    }
}

void network_forget_requests(struct network_recorder *recorder)
{
    while (recorder->request_count) {
        request_finish(&recorder->requests[--recorder->request_count]);
    }
}

void network_finish(struct network_recorder *recorder)
{
    network_forget_requests(recorder);
    for (size_t i = 0; i < recorder->event_count; i++) {
        network_event_finish(&recorder->events[i]);
    }
    free(recorder->events);
    free(recorder->requests);
    free(recorder->document_id);
    free(recorder->document_failure);
    *recorder = (struct network_recorder){ 0 };
}

int network_document_status(const struct network_recorder *recorder, const char *loader_id)
{
    return equals(recorder->document_id, loader_id) ? recorder->document_status : 0;
}

const char *network_document_failure(const struct network_recorder *recorder, const char *loader_id)
{
    return equals(recorder->document_id, loader_id) ? recorder->document_failure : NULL;
}

void network_take_events(struct network_recorder *recorder, struct br_response *response)
{
    response->network_events = TAKE(recorder->events);
    response->network_event_count = recorder->event_count;
    response->metrics.network_errors = recorder->errors;
    recorder->event_count = 0;
    recorder->event_capacity = 0;
    recorder->errors = 0;
}
