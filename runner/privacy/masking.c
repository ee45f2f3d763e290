#include "runner/privacy/masking.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/privacy/mask.h"

#include <string.h>
#include <strings.h>

/* Masks the texts of a value in place. */
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

/* Text that is not JSON is dropped. */
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
        secrets_mask_owned(secrets, &headers[i].name);
        secrets_mask_owned(secrets, &headers[i].value);
    }
}

static void mask_network(const struct secrets *secrets, struct br_network_event *event)
{
    char **const texts[] = {
        &event->url,           &event->error,    &event->status_text, &event->redirected_to,
        &event->initiator_url, &event->body,     &event->post_data,   &event->method,
        &event->mime_type,     &event->protocol,
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

static bool is_address(const char *key)
{
    static const char *const keys[] = { "url", "href", "src", "action" };
    for (size_t i = 0; key && i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Returns the masked text; NULL if nothing has to be masked. A page without a title shows its
 * address as the title. Caller frees.
 */
static char *shown_text(const struct secrets *secrets, const char *text, bool is_url)
{
    CLEANUP_FREE char *known = secrets_mask(secrets, text);
    char *shown = mask_urls_copy(known ? known : text, is_url);
    if (strcmp(shown, text) == 0) {
        free(shown);
        return NULL;
    }
    return shown;
}

static bool is_own_title(const char *key, const char *title, const char *url)
{
    return key && url && strcmp(key, "title") == 0 && *title && strstr(url, title);
}

/*
 * Returns a new value, because other values may share parts of the original; NULL if it contains no
 * secret. `key`: its name in `around`.
 */
static json_t *without_secrets(const struct secrets *secrets, json_t *value, const char *key,
                               const json_t *around)
{
    const char *name;
    json_t *member;
    size_t index;
    json_t *shown = NULL;
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        bool is_url = is_address(key) || is_own_title(key, text, json_member_string(around, "url"));
        CLEANUP_FREE char *masked = shown_text(secrets, text, is_url);
        return masked ? json_text(masked) : NULL;
    }
    json_array_foreach (value, index, member) {
        json_t *inner = without_secrets(secrets, member, key, around);
        if (inner) {
            shown = shown ? shown : json_copy(value);
            json_array_set_new(shown, index, inner);
        }
    }
    if (json_is_array(value)) {
        return shown;
    }
    json_object_foreach (value, name, member) {
        json_t *inner = without_secrets(secrets, member, name, value);
        CLEANUP_FREE char *shown_name = secrets_mask(secrets, name);
        if (inner || shown_name) {
            shown = shown ? shown : json_copy(value);
            if (shown_name) {
                json_object_del(shown, name);
            }
            json_object_set_new_nocheck(shown, shown_name ? shown_name : name,
                                        inner ? inner : json_incref(member));
        }
    }
    return shown;
}

json_t *masking_json(const struct secrets *secrets, json_t *value)
{
    json_t *shown = without_secrets(secrets, value, NULL, NULL);
    return shown ? shown : json_incref(value);
}

static bool is_header_of_address(const char *name)
{
    return strcasecmp(name, "Location") == 0 || strcasecmp(name, "Content-Location") == 0 ||
           strcasecmp(name, "Referer") == 0;
}

static void mask_named_headers(struct br_header *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (mask_is_secret_name(headers[i].name)) {
            free(headers[i].value);
            headers[i].value = xstrdup(mask_text);
        } else {
            mask_urls_owned(&headers[i].value, is_header_of_address(headers[i].name));
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

/*
 * Not for responses: their headers are masked when they are written, because an archive may be
 * requested with secrets.
 */
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
    if (response->title) {
        mask_urls_owned(&response->title, is_own_title("title", response->title, response->url));
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
    response_set_appeared(response, masking_json(secrets, response->values->appeared));
    json_t *timings = response->values->timings;
    response->values->timings = masking_json(secrets, timings);
    json_decref(timings);
    if (with_result) {
        response_set_result(response, masking_json(secrets, response->values->result));
    }
}
