#include "runner/session/masking.h"

#include "runner/base/json.h"
#include "runner/base/mask.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <string.h>

void masking_logs(const struct secrets *secrets, struct log_list *logs)
{
    for (size_t i = 0; i < logs->count; i++) {
        struct br_log *log = &logs->items[i];
        char **const texts[] = { &log->message, &log->location, &log->stack,
                                 &log->generated_location };
        for (size_t j = 0; j < sizeof(texts) / sizeof(texts[0]); j++) {
            secrets_mask_owned(secrets, texts[j]);
            mask_urls_owned(texts[j], false);
        }
    }
}

static void mask_headers(const struct secrets *secrets, struct br_header *headers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        secrets_mask_owned(secrets, &headers[i].value);
    }
}

static void mask_event(const struct secrets *secrets, struct br_network_event *event)
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

/*
 * A text of JSON, quotes and all, decoded for that, so that no escape is torn; NULL: nothing to
 * hide. Caller frees.
 */
static char *masked_token(const struct secrets *secrets, const char *token, size_t length)
{
    CLEANUP_FREE char *text = xstrndup(token, length);
    CLEANUP_FREE char *found = secrets_mask(secrets, text);
    json_auto_t *value = found ? json_loadb(token, length, JSON_DECODE_ANY, NULL) : NULL;
    CLEANUP_FREE char *shown = value ? secrets_mask(secrets, json_string_value(value)) : NULL;
    json_auto_t *masked = shown ? json_text(shown) : NULL;
    return masked ? json_dumps(masked, JSON_ENCODE_ANY) : NULL;
}

void masking_json(const struct secrets *secrets, char **text)
{
    CLEANUP_STRBUF struct strbuf out = STRBUF_INIT(STRBUF_UNCAPPED);
    bool has_found = false;
    for (const char *at = *text; at && *at;) {
        size_t length = *at == '"' ? mask_json_string_length(at) : strcspn(at, "\"");
        CLEANUP_FREE char *shown = *at == '"' ? masked_token(secrets, at, length) : NULL;
        strbuf_add(&out, shown ? shown : at, shown ? strlen(shown) : length);
        has_found |= shown != NULL;
        at += length;
    }
    if (has_found) {
        free(*text);
        *text = strbuf_take(&out);
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
        mask_event(secrets, &response->network_events[i]);
    }
    for (size_t i = 0; i < response->download_count; i++) {
        secrets_mask_owned(secrets, &response->downloads[i].url);
        mask_urls_owned(&response->downloads[i].url, true);
        secrets_mask_owned(secrets, &response->downloads[i].suggested_name);
    }
    masking_json(secrets, &response->delivered);
    if (with_result) {
        masking_json(secrets, &response->result);
    }
}
