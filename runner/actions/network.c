#include "imaging/base64.h"
#include "runner/actions/journal_answer.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/observe/observed.h"
#include "runner/page/core/body.h"
#include "runner/page/core/url_pattern.h"
#include "runner/privacy/mask.h"

#include <browser_runner/event.h>
#include <string.h>

enum { BODY_BYTES = 256 * 1024, MAX_BODY_BYTES = 16 * 1024 * 1024, MAX_STATUS = 599 };

static const struct param params[] = {
    PARAM_SINCE,
    PARAM("id", INTEGER,
          "The id of one request of a list: returns it with its headers, its body and the "
          "response's body, as long as Chrome keeps it. Without any filter.",
          .min = 1, .max = JOURNAL_MAX_CURSOR),
    PARAM("url", NAME, "Only requests with this URL: a part of it, or a pattern with `*`.",
          .example = "/api/"),
    PARAM("status", INTEGERS,
          "Only requests with this response: a status, or its first digit (4: 400 to 499), or "
          "several.",
          .min = 1, .max = MAX_STATUS, .example = "[4, 5]"),
    PARAM("resourceTypes", NAMES, "Only requests of these types, as in networkEvents.", .min = 1,
          .example = "[\"xhr\", \"fetch\"]", .is_rare = true),
    PARAM("failed", BOOLEAN,
          "True: only requests that failed or had a status of 400 or higher; false: only the "
          "others."),
    PARAM("contains", NAME,
          "Only requests with this in their URL, error, content type, or the stored part of their "
          "bodies.",
          .is_rare = true),
    PARAM("maxBytes", INTEGER, "With id: maximum length of the response's body.", .min = 0,
          .max = MAX_BODY_BYTES, .default_value = "262144", .is_rare = true),
    PARAM_LIMIT,
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "since url status resourceTypes failed contains limit", .when = "id",
      .text = "is a filter, but id names a single request" },
    { RULE_ALL, "id", .when = "maxBytes", .about = "maxBytes",
      .text = "limits a body, which is only returned with id" },
    { 0 },
};

/* Rejects combinations of parameters that contradict each other. */
/* A number of one digit stands for all statuses that begin with it. */
static bool has_status(const json_t *wanted, int status)
{
    size_t index;
    json_t *item;
    json_array_foreach (wanted, index, item) {
        if (has_status(item, status)) {
            return true;
        }
    }
    json_int_t number = json_integer_value(wanted);
    return !json_is_array(wanted) && (number == status || number == status / 100);
}

static bool is_some(const json_t *wanted)
{
    return json_is_array(wanted) ? json_array_size(wanted) > 0 : wanted != NULL;
}

static bool is_wanted(const void *data, const struct br_event *event)
{
    const struct br_action *action = data;
    if (event->kind != BR_EVENT_NETWORK) {
        return false;
    }
    const struct br_network_event *request = &event->as.network.event;
    const json_t *status = json_object_get(action->params, "status");
    const char *pattern = param_text(action, "url", NULL);
    const char *const texts[] = { request->url, request->error, request->body, request->post_data,
                                  request->mime_type };
    return (!pattern || (request->url && url_pattern_matches(pattern, request->url))) &&
           (!is_some(status) || (request->status && has_status(status, request->status))) &&
           journal_takes(action, "resourceTypes", request->type) &&
           (!param_is_given(action, "failed") ||
            param_boolean(action, "failed", false) == network_event_has_failed(request)) &&
           journal_contains(action, texts, sizeof(texts) / sizeof(texts[0]));
}

static json_t *write(const struct br_event *event)
{
    json_t *entry = observed_request(&event->as.network.event);
    json_object_set_new(entry, "id", json_integer((json_int_t)event->sequence));
    if (event->action_id) {
        json_object_set_new(entry, "action", json_integer((json_int_t)event->action_id));
    }
    return entry;
}

static json_t *headers_json(const struct br_header *headers, size_t count)
{
    json_t *list = count ? json_array() : NULL;
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", json_text(headers[i].name),
                                              "value", json_text(headers[i].value)));
    }
    return list;
}

/* Masks what is secret by its name; other secrets are masked in the whole response. */
static json_t *shown_text(const char *text)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *first = text + strspn(text, " \t\r\n");
    if (*first == '{' || *first == '[') {
        mask_posted(&shown, text);
    } else {
        mask_urls(&shown, text, false);
    }
    return json_text(shown.data ? shown.data : "");
}

static bool is_text(const unsigned char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t sequence = bytes[at] ? utf8_sequence((const char *)bytes + at, size - at) : 0;
        if (sequence == 0) {
            return false;
        }
        at += sequence;
    }
    return true;
}

/* Adds the body up to `max`, as text if it is text. */
static void add_bytes(json_t *entry, unsigned char *bytes, size_t size, size_t max)
{
    bool is_whole = size <= max;
    bool is_readable = is_text(bytes, size);
    json_object_set_new(entry, "responseBodySize", json_integer((json_int_t)size));
    if (!is_whole) {
        json_object_set_new(entry, "responseBodyCut", json_true());
    }
    if (is_readable) {
        CLEANUP_FREE char *text =
            xstrndup((const char *)bytes, is_whole ? size : utf8_cut((const char *)bytes, max));
        json_object_set_new(entry, "responseBody", shown_text(text));
        return;
    }
    size_t kept = is_whole ? size : max;
    CLEANUP_FREE char *encoded = xmalloc(base64_encoded_size(kept) + 1);
    base64_encode(bytes, kept, encoded);
    json_object_set_new(entry, "responseBodyBase64",
                        json_stringn(encoded, base64_encoded_size(kept)));
}

static void add_response_body(struct action_run *run, const char *request_id, json_t *entry)
{
    struct br_error err;
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    if (!run->page) {
        error_set(&err, BR_PAGE_CRASHED, "the page does not respond");
    } else if (page_response_body(run->page, request_id, &bytes, &size, &err)) {
        add_bytes(entry, bytes, size, (size_t)param_integer(run->action, "maxBytes", BODY_BYTES));
        return;
    }
    json_object_set_new(entry, "responseBodyOmitted", json_text(err.message));
}

static void add_request_body(struct action_run *run, const struct br_network_step *step,
                             json_t *entry)
{
    CLEANUP_FREE char *asked = NULL;
    const char *body = step->event.post_data;
    if (!body && run->page && step->event.request_bytes != 0) {
        asked = page_request_body(run->page, step->id);
        body = asked;
    }
    if (body) {
        size_t length = strlen(body);
        CLEANUP_FREE char *kept =
            xstrndup(body, length > BODY_BYTES ? utf8_cut(body, BODY_BYTES) : length);
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        mask_posted(&shown, kept);
        json_object_set_new(entry, "requestBody", json_text(shown.data ? shown.data : ""));
    }
}

static bool is_one(const void *data, const struct br_event *event)
{
    return event->kind == BR_EVENT_NETWORK && event->sequence == *(const uint64_t *)data;
}

static bool run_one(struct action_run *run, struct br_error *err)
{
    uint64_t id = (uint64_t)param_integer(run->action, "id", 0);
    CLEANUP_JOURNAL_VIEW struct journal_view view =
        journal_read(run->journal, 0, 1, false, is_one, &id);
    if (view.count == 0) {
        error_set(err, BR_INVALID_ACTION, "no request with the id %llu is stored",
                  (unsigned long long)id);
        return error_hint(err, "`network` without an id lists the stored requests");
    }
    const struct br_network_step *step = &view.events[0]->as.network;
    const struct br_network_event *event = &step->event;
    json_t *entry = write(view.events[0]);
    json_auto_t *answer = json_pack("{s:o}", "request", entry);
    json_auto_t *headers = json_pack(
        "{s:o*, s:o*}", "requestHeaders",
        headers_json(event->request_headers, event->request_header_count), "responseHeaders",
        headers_json(event->response_headers, event->response_header_count));
    json_object_update(entry, headers);
    add_request_body(run, step, entry);
    if (event->status) {
        add_response_body(run, step->id, entry);
    }
    response_set_result(run->response, json_incref(answer));
    return true;
}

static bool run_network(struct action_run *run, struct br_error *err)
{
    return param_is_given(run->action, "id")
               ? run_one(run, err)
               : journal_answer(run, "requests", is_wanted, write, err);
}

const struct action_type action_network = {
    .name = "network",
    .text = "Lists the finished requests of this session so far, including those of earlier "
            "responses; or with id one of them with all details. Otherwise as logs.",
    .params = params,
    .rules = rules,
    .reads_journal = true,
    .run = run_network,
};
