/*
 * Feeds any bytes as a message of a client to debug-bridge's relay. If jansson can read the text,
 * it must find the same content. The relay's additions, answers and log lines must be well-formed
 * for every input.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/servers/debug_bridge/messages.h"
#include "runner/servers/debug_bridge/relay_log.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_member(const json_t *root, const char *name, struct bridge_value value)
{
    const json_t *expected = json_object_get(root, name);
    CLEANUP_FREE char *text = bridge_value_text(value);
    assert(!expected == (value.length == 0));
    assert(!expected || text);
    if (json_is_string(expected)) {
        assert(strcmp(text, json_string_value(expected)) == 0);
        assert(bridge_value_is(value, "click") ==
               (strcmp(text, "click") == 0 && !memchr(value.from, '\\', value.length)));
    } else {
        assert(!bridge_value_is(value, "click"));
    }
}

/* Checks that a member inserted before the last brace becomes a member of the whole object. */
static void check_splice(const char *text, size_t length, const struct bridge_message *message,
                         const json_t *root)
{
    struct strbuf spliced = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add(&spliced, text, message->close);
    strbuf_add_format(&spliced, "%s\"appId\":\"spliced\"}", message->is_empty ? "" : ",");
    json_auto_t *whole = json_loadb(spliced.data, spliced.length, 0, NULL);
    assert(whole && message->close < length && text[message->close] == '}');
    assert(strcmp(json_member_string(whole, "appId"), "spliced") == 0);
    assert(json_object_size(whole) == json_object_size(root) + !json_object_get(root, "appId"));
    strbuf_finish(&spliced);
}

static void check_refusal(const struct peer *agent, const struct bridge_message *message)
{
    size_t length = 0;
    CLEANUP_FREE char *text = bridge_refusal_text(agent, message, "TIMEOUT", "late", &length);
    json_auto_t *root = json_loadb(text, length, 0, NULL);
    CLEANUP_FREE char *id = bridge_value_text(message->request_id);
    assert(root && length == strlen(text));
    const char *answered = json_member_string(root, "requestId");
    assert(answered && (id || strcmp(answered, "unknown") == 0));
    assert(json_member_string(root, "requestType"));
}

/* Checks that a log line cannot control a terminal: it must be printable ASCII. */
static void on_line(void *data, const char *line)
{
    (void)data;
    for (const char *at = line; *at; at++) {
        assert(*at >= ' ' && *at <= '~');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bridge_message message;
    struct peers peers = { 0 };
    const struct relay_log log = { .has_messages = true, .lines = { .on_line = on_line } };
    CLEANUP_FREE char *text = xmalloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    bool has_nul = memchr(text, '\0', size);
    bool is_scanned = bridge_scan(text, size, &message);
    json_auto_t *root = has_nul ? NULL : json_loadb(text, size, 0, NULL);
    assert(!is_scanned || !has_nul);
    assert(!json_is_object(root) || is_scanned);
    /* The relay does not find names that are written with escapes. */
    if (is_scanned && json_is_object(root) && !strstr(text, "\\u00")) {
        check_member(root, "type", message.type);
        check_member(root, "requestId", message.request_id);
        check_member(root, "appId", message.app_id);
        check_member(root, "origin", message.origin);
        check_member(root, "protocolVersion", message.version);
        check_splice(text, size, &message, root);
    }
    struct peer *agent = peers_add(&peers, "fuzz", false, "", 1);
    if (is_scanned) {
        check_refusal(agent, &message);
    }
    relay_log_message(&log, agent, text, size, &message);
    peers_finish(&peers);
    return 0;
}
