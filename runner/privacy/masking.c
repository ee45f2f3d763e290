#include "runner/privacy/masking.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/privacy/mask.h"

#include <string.h>

/* The texts of a value that is to be changed. */
static void mask_texts(const struct secrets *secrets, json_t *value)
{
    size_t index;
    const char *key;
    json_t *member;
    if (json_is_string(value)) {
        CLEANUP_FREE char *text = xstrdup(json_string_value(value));
        secrets_mask_owned(secrets, &text);
        mask_urls_owned(&text, false);
        json_string_set(value, text);
    }
    json_array_foreach (value, index, member) {
        mask_texts(secrets, member);
    }
    json_object_foreach (value, key, member) {
        mask_texts(secrets, member);
    }
}

/* What is no JSON is not told at all. */
static void mask_values(const struct secrets *secrets, char **text)
{
    struct br_error ignored;
    json_auto_t *value = json_parse(*text, strlen(*text), "arguments", &ignored);
    mask_texts(secrets, value);
    free(*text);
    *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
}

void masking_log(const struct secrets *secrets, struct br_log *log)
{
    char **const texts[] = { &log->message, &log->location, &log->stack, &log->generated_location };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        secrets_mask_owned(secrets, texts[i]);
        mask_urls_owned(texts[i], false);
    }
    if (log->arguments) {
        mask_values(secrets, &log->arguments);
    }
}

void masking_logs(const struct secrets *secrets, struct log_list *logs)
{
    for (size_t i = 0; i < logs->count; i++) {
        masking_log(secrets, &logs->items[i]);
    }
}

static void mask_headers(const struct secrets *secrets, struct br_header *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        secrets_mask_owned(secrets, &headers[i].value);
    }
}

static void mask_network(const struct secrets *secrets, struct br_network_event *event)
{
    char **const texts[] = {
        &event->url,           &event->error, &event->status_text, &event->redirected_to,
        &event->initiator_url, &event->body,  &event->post_data,
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        secrets_mask_owned(secrets, texts[i]);
    }
    mask_headers(secrets, event->request_headers, event->request_header_count);
    mask_headers(secrets, event->response_headers, event->response_header_count);
}

static void mask_fixed(const struct secrets *secrets, char *text, size_t size)
{
    CLEANUP_FREE char *known = secrets_mask(secrets, text);
    CLEANUP_FREE char *shown = mask_urls_copy(known ? known : text, false);
    size_t length = strlen(shown);
    length = length < size ? length : utf8_cut(shown, size - 1);
    memcpy(text, shown, length);
    text[length] = '\0';
}

static bool has_secret(const struct secrets *secrets, const json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;
    json_array_foreach ((json_t *)value, index, member) {
        if (has_secret(secrets, member)) {
            return true;
        }
    }
    json_object_foreach ((json_t *)value, key, member) {
        CLEANUP_FREE char *shown = secrets_mask(secrets, key);
        if (shown || has_secret(secrets, member)) {
            return true;
        }
    }
    CLEANUP_FREE char *shown =
        json_is_string(value) ? secrets_mask(secrets, json_string_value(value)) : NULL;
    return shown != NULL;
}

/* A new value; others may have parts of the one that it is made of. */
static json_t *without_secrets(const struct secrets *secrets, json_t *value)
{
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_string(value)) {
        CLEANUP_FREE char *shown = secrets_mask(secrets, json_string_value(value));
        return shown ? json_text(shown) : json_incref(value);
    }
    if (!json_is_array(value) && !json_is_object(value)) {
        return json_incref(value);
    }
    json_t *shown = json_is_array(value) ? json_array() : json_object();
    json_array_foreach (value, index, member) {
        json_array_append_new(shown, without_secrets(secrets, member));
    }
    json_object_foreach (value, key, member) {
        CLEANUP_FREE char *shown_key = secrets_mask(secrets, key);
        json_object_set_new_nocheck(shown, shown_key ? shown_key : key,
                                    without_secrets(secrets, member));
    }
    return shown;
}

json_t *masking_json(const struct secrets *secrets, json_t *value)
{
    return has_secret(secrets, value) ? without_secrets(secrets, value) : json_incref(value);
}

static void mask_named_headers(struct br_header *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (mask_is_secret_name(headers[i].name)) {
            free(headers[i].value);
            headers[i].value = xstrdup(mask_text);
        } else {
            mask_urls_owned(&headers[i].value, false);
        }
    }
}

static void mask_posted_owned(char **text)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    if (*text) {
        mask_posted(&shown, *text);
        free(*text);
        *text = strbuf_take(&shown);
    }
}

/* In a response it is masked where it is written: an archive may be asked for with all of it. */
static void mask_named(struct br_network_event *event)
{
    mask_urls_owned(&event->url, true);
    mask_urls_owned(&event->redirected_to, true);
    mask_urls_owned(&event->initiator_url, true);
    mask_urls_owned(&event->error, false);
    mask_posted_owned(&event->post_data);
    if (event->body && (*event->body == '{' || *event->body == '[')) {
        mask_posted_owned(&event->body);
    } else {
        mask_urls_owned(&event->body, false);
    }
    mask_named_headers(event->request_headers, event->request_header_count);
    mask_named_headers(event->response_headers, event->response_header_count);
}

static void mask_text_of(const struct secrets *secrets, char **text, bool is_url)
{
    secrets_mask_owned(secrets, text);
    mask_urls_owned(text, is_url);
}

void masking_event(const struct secrets *secrets, struct br_event *event)
{
    switch (event->kind) {
    case BR_EVENT_CONSOLE:
    case BR_EVENT_EXCEPTION:
    case BR_EVENT_LOG:
        masking_log(secrets, &event->as.log);
        break;
    case BR_EVENT_REQUEST:
    case BR_EVENT_NETWORK:
        mask_network(secrets, &event->as.network.event);
        mask_named(&event->as.network.event);
        break;
    case BR_EVENT_NAVIGATION:
        mask_text_of(secrets, &event->as.navigation.url, true);
        break;
    case BR_EVENT_DIALOG:
        mask_text_of(secrets, &event->as.dialog.message, false);
        break;
    case BR_EVENT_DOWNLOAD:
        mask_text_of(secrets, &event->as.download.url, true);
        secrets_mask_owned(secrets, &event->as.download.suggested_name);
        break;
    case BR_EVENT_PAGE:
        mask_text_of(secrets, &event->as.page.reason, false);
        break;
    case BR_EVENT_ACTION:
        secrets_mask_owned(secrets, &event->as.action.label);
        mask_text_of(secrets, &event->as.action.error, false);
        break;
    case BR_EVENT_PROGRESS:
        mask_text_of(secrets, &event->as.progress.text, false);
        break;
    case BR_EVENT_TAB:
    case BR_EVENT_DROPPED:
        break;
    }
}

void masking_response(const struct secrets *secrets, struct br_response *response, bool with_result)
{
    mask_fixed(secrets, response->error.message, sizeof(response->error.message));
    mask_fixed(secrets, response->error.hint, sizeof(response->error.hint));
    secrets_mask_owned(secrets, &response->label);
    secrets_mask_owned(secrets, &response->url);
    secrets_mask_owned(secrets, &response->title);
    if (response->url && response->title && strstr(response->url, response->title)) {
        mask_urls_owned(&response->title, true); /* a page without a title has its address there */
    }
    mask_urls_owned(&response->url, true);
    for (size_t i = 0; i < response->network_event_count; i++) {
        mask_network(secrets, &response->network_events[i]);
    }
    for (size_t i = 0; i < response->download_count; i++) {
        secrets_mask_owned(secrets, &response->downloads[i].url);
        mask_urls_owned(&response->downloads[i].url, true);
        secrets_mask_owned(secrets, &response->downloads[i].suggested_name);
    }
    response_set_delivered(response, masking_json(secrets, response->values->delivered));
    if (with_result) {
        response_set_result(response, masking_json(secrets, response->values->result));
    }
}
