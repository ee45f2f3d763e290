/*
 * Data missing in events: requested at once, before Chrome discards it, and collected at the end.
 */
#include "runner/page/core/details.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/observe/console_typed.h"
#include "runner/observe/stream.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum {
    DETAILS_MS = 400,  /* time at the end of the action for missing replies */
    VALUES_MS = 2000,  /* the same if arguments of console calls are among them */
    MAX_DETAILS = 100, /* console calls per action whose objects are examined */
    MAX_VALUES = 200,  /* console calls whose arguments are requested at the same time */
    MAX_BATCH = 50,    /* console calls in one command */
    BATCH_MS = 15,     /* delay of a command after the previous one, */
    BUSY_BATCH = 8,    /* unless that one had this many calls; */
    BUSY_MS = 40,      /* then this delay: fewer commands cost the page less */
    VALUES_DEPTH = 10, /* depth to which arguments are serialised; as in values.js */
    BODY_MS = 200,     /* part of that time for the body of an error whose headers have arrived */
};

/* Object group of what Chrome keeps for us until it was examined. */
static const char values_group[] = "browserRunnerValues";

/* Console calls of one world whose arguments one command serialises. */
struct batch {
    struct console_wanted *calls;
    size_t count, capacity;
    char *session_id;   /* session in which they were made */
    json_t *context_id; /* of the world; borrowed from a call */
    bool by_handle;     /* by the function that already exists in that world */
};

/*
 * The function of values.js in the world of the last request, which Chrome then need not parse
 * again.
 */
struct handle {
    char *session_id, *object_id; /* object NULL: requested */
    json_t *context_id;
    int64_t call_id; /* of the request for it */
};

/* A pending reply and what it belongs to. */
struct page_detail {
    int64_t call_id;
    struct network_wanted body;   /* the request with this body, if it is a body */
    struct console_wanted logged; /* the console call whose objects are to be described */
    struct batch batch;           /* the calls whose arguments are serialised */
    bool is_handle;
};

struct details {
    struct page_detail *list; /* requested, for the next response */
    size_t count, capacity;
    size_t asked;         /* console calls examined in this action */
    struct batch waiting; /* collects the next batch */
    struct deadline next_batch;
    size_t values_awaited;
    struct handle handle;
};

void details_init(struct page *page)
{
    page->details = xcalloc(1, sizeof(*page->details));
}

static void batch_finish(struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++) {
        console_wanted_finish(&batch->calls[i]);
    }
    free(batch->calls);
    free(batch->session_id);
    *batch = (struct batch){ 0 };
}

static void handle_finish(struct handle *handle)
{
    free(handle->session_id);
    free(handle->object_id);
    json_decref(handle->context_id);
    *handle = (struct handle){ 0 };
}

static void detail_finish(struct page_detail *detail)
{
    free(TAKE(detail->body.request_id));
    console_wanted_finish(&detail->logged);
    batch_finish(&detail->batch);
}

/* Takes ownership of the detail's contents. */
static void add(struct page *page, struct page_detail detail)
{
    if (detail.call_id < 0) {
        detail_finish(&detail);
        return;
    }
    page->details->list = array_reserve(page->details->list, page->details->count,
                                        &page->details->capacity, sizeof(*page->details->list));
    page->details->list[page->details->count++] = detail;
}

/* Sends a function about arguments of console calls to the session where they were made. */
static int64_t send_about(struct page *page, const char *session_id, json_t *function,
                          json_t *arguments, json_t *how)
{
    struct br_error ignored;
    json_t *params = json_pack("{s:o, s:b, s:s}", "arguments", arguments, "silent", 1,
                               "objectGroup", values_group);
    json_object_update(params, function);
    json_object_update(params, how);
    json_decref(function);
    json_decref(how);
    return cdp_send(page->client, session_id, "Runtime.callFunctionOn", params, &ignored);
}

/* Converts an argument of a logged call to one of a function call. */
static json_t *argument_of(const json_t *object)
{
    return json_pack("{s:O*, s:O*, s:O*}", "objectId", json_object_get(object, "objectId"), "value",
                     json_object_get(object, "value"), "unserializableValue",
                     json_object_get(object, "unserializableValue"));
}

static void add_arguments(json_t *arguments, const json_t *objects)
{
    size_t index;
    json_t *object;
    json_array_foreach (objects, index, object) {
        json_array_append_new(arguments, argument_of(object));
    }
}

static struct console_wanted wanted_again(const struct console_wanted *wanted)
{
    struct console_wanted again = *wanted;
    json_incref(again.params);
    json_incref(again.objects);
    return again;
}

static json_t *context_of(const struct console_wanted *logged)
{
    return json_object_get(logged->params, "executionContextId");
}

static json_t *by_source(const char *source, json_t *context_id)
{
    return json_pack("{s:s, s:O}", "functionDeclaration", source, "executionContextId", context_id);
}

/* Requests a description of a console call's objects. */
static void ask_for_words(struct page *page, const char *session_id,
                          const struct console_wanted *logged)
{
    json_t *arguments = json_array();
    add_arguments(arguments, logged->objects);
    int64_t call_id = send_about(page, session_id, by_source(script_inspect, context_of(logged)),
                                 arguments, json_pack("{s:b}", "returnByValue", 1));
    add(page, (struct page_detail){ .call_id = call_id, .logged = wanted_again(logged) });
}

static bool is_in_world(const struct handle *handle, const struct batch *batch)
{
    return handle->session_id && strcmp(handle->session_id, batch->session_id) == 0 &&
           json_equal(handle->context_id, batch->context_id);
}

static void ask_for_handle(struct page *page, const struct batch *batch)
{
    struct br_error ignored;
    struct handle *handle = &page->details->handle;
    CLEANUP_FREE char *expression = xasprintf("(%s)", script_values);
    if (handle->object_id) {
        cdp_post(page->client, handle->session_id, "Runtime.releaseObject",
                 json_pack("{s:s}", "objectId", handle->object_id));
    }
    handle_finish(handle);
    handle->session_id = xstrdup(batch->session_id);
    handle->context_id = json_incref(batch->context_id);
    handle->call_id = cdp_send(page->client, batch->session_id, "Runtime.evaluate",
                               json_pack("{s:s, s:O, s:b}", "expression", expression, "contextId",
                                         batch->context_id, "silent", 1),
                               &ignored);
    add(page, (struct page_detail){ .call_id = handle->call_id, .is_handle = true });
}

/* Takes ownership of the batch. */
static void send_batch(struct page *page, struct batch batch)
{
    static const char by_this[] = "function (...values) { return this(...values); }";
    struct details *details = page->details;
    json_t *arguments = json_array();
    for (size_t i = 0; i < batch.count; i++) {
        add_arguments(arguments, json_object_get(batch.calls[i].params, "args"));
    }
    if (!is_in_world(&details->handle, &batch)) {
        ask_for_handle(page, &batch);
    }
    const char *handle = details->handle.object_id;
    batch.by_handle = handle;
    json_t *function =
        handle ? json_pack("{s:s, s:s}", "functionDeclaration", by_this, "objectId", handle)
               : by_source(script_values, batch.context_id);
    int64_t call_id = send_about(page, batch.session_id, function, arguments,
                                 json_pack("{s:{s:s, s:i, s:{s:i, s:s}}}", "serializationOptions",
                                           "serialization", "deep", "maxDepth", VALUES_DEPTH + 1,
                                           "additionalParameters", "maxNodeDepth", 0,
                                           "includeShadowTree", "none"));
    details->values_awaited -= call_id >= 0 ? 0 : batch.count;
    add(page, (struct page_detail){ .call_id = call_id, .batch = batch });
}

static void send_waiting(struct page *page)
{
    struct details *details = page->details;
    if (details->waiting.count > 0) {
        struct batch batch = details->waiting;
        details->waiting = (struct batch){ 0 };
        details->next_batch = deadline_in_ms(batch.count < BUSY_BATCH ? BATCH_MS : BUSY_MS);
        send_batch(page, batch);
    }
}

/*
 * Collects calls made shortly after one another in one command: each command costs the page more.
 */
static void ask_for_values(struct page *page, const char *session_id,
                           const struct console_wanted *logged)
{
    struct details *details = page->details;
    struct batch *waiting = &details->waiting;
    if (waiting->count > 0 &&
        (waiting->count == MAX_BATCH || strcmp(waiting->session_id, session_id) != 0 ||
         !json_equal(waiting->context_id, context_of(logged)))) {
        send_waiting(page);
    }
    waiting->calls =
        array_reserve(waiting->calls, waiting->count, &waiting->capacity, sizeof(*waiting->calls));
    waiting->calls[waiting->count++] = wanted_again(logged);
    details->values_awaited++;
    if (waiting->count == 1) {
        waiting->session_id = xstrdup(session_id);
        waiting->context_id = context_of(logged);
    }
    if (deadline_passed(details->next_batch)) {
        send_waiting(page);
    }
}

/* Requests as much as the limits allow. */
static bool ask_about(struct page *page, const char *session_id,
                      const struct console_wanted *logged)
{
    struct details *details = page->details;
    bool has_words = json_array_size(logged->objects) > 0 && details->asked < MAX_DETAILS;
    /* A subscriber to console values gets all of them, as fast as they are replied to. */
    bool has_values = logged->wants_values && details->values_awaited < MAX_VALUES;
    if (!context_of(logged)) {
        return false;
    }
    if (has_words) {
        details->asked++;
        ask_for_words(page, session_id, logged);
    }
    if (has_values) {
        ask_for_values(page, session_id, logged);
    }
    return has_words || has_values;
}

void page_ask_details(struct page *page, const char *session_id)
{
    struct br_error ignored;
    struct network_wanted wanted;
    struct console_wanted logged;
    if (network_take_wanted(&page->network, &wanted)) {
        int64_t call_id = cdp_send(page->client, session_id, "Network.getResponseBody",
                                   json_pack("{s:s}", "requestId", wanted.request_id), &ignored);
        add(page, (struct page_detail){ .call_id = call_id, .body = wanted });
    }
    if (console_take_wanted(&page->console, &logged)) {
        if (!ask_about(page, session_id, &logged)) {
            console_let_go(&page->console, &logged); /* the event itself has enough data */
        }
        console_wanted_finish(&logged);
    }
}

/* Sets the text of a body, decoded from base64 if necessary. */
static void take_body(struct page *page, const struct page_detail *detail, const json_t *reply)
{
    struct br_error ignored;
    const char *body = json_member_string(reply, "body");
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = body ? strlen(body) : 0;
    /* Chrome treats a body without a type as binary. */
    if (body && json_member_bool(reply, "base64Encoded", false)) {
        bool is_decoded = base64_decode(body, size, &bytes, &size, &ignored);
        body = is_decoded ? (const char *)bytes : NULL;
    }
    network_set_body(&page->network, &detail->body, body, size);
}

/* Takes the received part of a body that the page never reads. */
static void take_open_body(struct page *page, const char *request_id)
{
    struct br_error ignored;
    json_auto_t *reply = NULL;
    size_t size = 0;
    if (!page_command(page, "Network.streamResourceContent",
                      json_pack("{s:s}", "requestId", request_id), &reply, &ignored)) {
        return;
    }
    CLEANUP_FREE unsigned char *bytes = NULL;
    const char *text = json_member_string(reply, "bufferedData");
    if (text && base64_decode(text, strlen(text), &bytes, &size, &ignored)) {
        network_set_failing_body(&page->network, request_id, (const char *)bytes, size);
    }
}

static bool has_bodies(void *data)
{
    const struct page *page = data;
    return !network_has_bare_failing(&page->network);
}

static void take_open_bodies(struct page *page)
{
    struct br_error late;
    size_t index = 0;
    const char *found = NULL;
    cdp_wait(page->client, has_bodies, page, "bodies", deadline_in_ms(BODY_MS), &late);
    while ((found = network_failing(&page->network, &index))) {
        CLEANUP_FREE char *request_id = xstrdup(found);
        take_open_body(page, request_id);
    }
    network_tell_failing(&page->network);
}

static bool has_call(const struct batch *batch, uint64_t log)
{
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->calls[i].log == log) {
            return true;
        }
    }
    return false;
}

/* Returns whether more replies about the same call are pending. */
static bool is_awaited(const struct page *page, uint64_t log)
{
    for (size_t i = 0; i < page->details->count; i++) {
        const struct page_detail *detail = &page->details->list[i];
        if ((detail->logged.params && detail->logged.log == log) || has_call(&detail->batch, log)) {
            return true;
        }
    }
    return has_call(&page->details->waiting, log);
}

static void finish_call(struct page *page, const struct console_wanted *logged)
{
    if (!is_awaited(page, logged->log)) {
        console_let_go(&page->console, logged);
    }
}

static void take_words(struct page *page, const struct console_wanted *logged, const json_t *reply)
{
    const json_t *members = json_object_get(json_object_get(reply, "result"), "value");
    if (json_is_array(members)) {
        console_set_objects(&page->console, logged, members);
    }
    finish_call(page, logged);
}

/* Returns whether the world was replaced by another one with the same number. */
static bool is_handle_gone(const struct page_detail *detail, const struct br_error *err)
{
    return detail->batch.by_handle && err->code != BR_TIMEOUT;
}

/* Takes the values of all calls in order, followed by the number of omitted members of each. */
static void take_values(struct page *page, const struct batch *batch, const json_t *reply)
{
    const json_t *result = json_object_get(reply, "result");
    json_t *values = json_object_get(json_object_get(result, "deepSerializedValue"), "value");
    size_t first = 0;
    console_values_separate(values);
    page->details->values_awaited -= batch->count;
    for (size_t i = 0; i < batch->count; i++) {
        console_set_values(&page->console, &batch->calls[i], values, &first);
        finish_call(page, &batch->calls[i]);
    }
    cdp_post(page->client, batch->session_id, "Runtime.releaseObjectGroup",
             json_pack("{s:s}", "objectGroup", values_group));
}

static void take_handle(struct page *page, int64_t call_id, const json_t *reply)
{
    struct handle *handle = &page->details->handle;
    const char *id = json_member_string(json_object_get(reply, "result"), "objectId");
    if (id && handle->call_id == call_id) { /* otherwise the handle belongs to an earlier world */
        handle->object_id = xstrdup(id);
    }
}

/* Waits for a pending reply and removes it from the list. */
static void take_detail(struct page *page, size_t index)
{
    struct br_error err;
    json_auto_t *reply = NULL;
    struct page_detail detail = page->details->list[index];
    bool is_call = detail.logged.params || detail.batch.count > 0;
    const char *what = detail.is_handle ? "Runtime.evaluate"
                       : is_call        ? "Runtime.callFunctionOn"
                                        : "Network.getResponseBody";
    memmove(&page->details->list[index], &page->details->list[index + 1],
            (--page->details->count - index) * sizeof(detail));
    bool is_there = cdp_receive(page->client, detail.call_id, what, &reply, &err);
    if (detail.is_handle) {
        take_handle(page, detail.call_id, reply);
    } else if (!is_there && is_handle_gone(&detail, &err)) {
        handle_finish(&page->details->handle);
        send_batch(page, detail.batch);
        detail.batch = (struct batch){ 0 };
    } else if (detail.batch.count > 0) {
        take_values(page, &detail.batch, reply);
    } else if (detail.logged.params) {
        take_words(page, &detail.logged, reply);
    } else if (is_there || err.code != BR_TIMEOUT) {
        take_body(page, &detail, reply);
    }
    detail_finish(&detail);
}

static void take_ready(struct page *page)
{
    for (size_t i = 0; i < page->details->count;) {
        if (cdp_has_reply(page->client, page->details->list[i].call_id)) {
            take_detail(page, i); /* does not wait */
        } else {
            i++;
        }
    }
}

struct deadline page_tend_details(struct page *page)
{
    struct details *details = page->details;
    take_ready(page);
    if (deadline_passed(details->next_batch)) {
        send_waiting(page);
    }
    return details->waiting.count > 0 ? details->next_batch : DEADLINE_NEVER;
}

void page_take_details(struct page *page)
{
    struct deadline before = page_deadline(page);
    struct deadline details_due = deadline_earlier(before, deadline_in_ms(DETAILS_MS));
    struct deadline values_due = deadline_earlier(before, deadline_in_ms(VALUES_MS));
    page_set_deadline(page, details_due);
    take_open_bodies(page);
    send_waiting(page);
    while (page->details->count) {
        /* More may arrive during the wait, also the first call whose values are wanted. */
        page_set_deadline(page, page->details->values_awaited > 0 ? values_due : details_due);
        take_detail(page, 0);
        send_waiting(page);
    }
    page->details->asked = 0;
    page_set_deadline(page, before);
    if (page->options.stream) {
        stream_flush(page->options.stream);
    }
    console_drop_twins(page->console.logs);
}

void details_finish(struct page *page)
{
    for (size_t i = 0; i < page->details->count; i++) {
        detail_finish(&page->details->list[i]);
    }
    batch_finish(&page->details->waiting);
    handle_finish(&page->details->handle);
    free(page->details->list);
    free(TAKE(page->details));
}
