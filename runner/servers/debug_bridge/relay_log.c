#include "runner/servers/debug_bridge/relay_log.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/privacy/mask.h"
#include "runner/servers/debug_bridge/messages.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_SHOWN = 500 };

/* Writes JSON in ASCII, which cannot control a terminal; jansson does not escape DEL. Caller frees.
 */
static char *quote(const char *text)
{
    json_auto_t *value = json_text(text);
    char *shown = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    for (char *at = shown; (at = strchr(at, 0x7F)); at++) {
        *at = '?';
    }
    return shown;
}

void relay_log_peer(const struct relay_log *log, const struct peer *peer, const char *what)
{
    CLEANUP_FREE char *session = quote(peer->session->name);
    CLEANUP_FREE char *name = quote(peer->name);
    net_log_say(&log->lines, "debug-bridge: %s %s of session %s: %s",
                peer->is_app ? "app" : "agent", name, session, what);
}

void relay_log_end(const struct relay_log *log, const struct peer *peer)
{
    CLEANUP_FREE char *what =
        xasprintf("gone; sent %" PRIu64 " messages of %" PRIu64 " bytes, %" PRIu64 " refused",
                  peer->messages, peer->bytes, peer->refused);
    relay_log_peer(log, peer, what);
}

/* Types whose content may be logged: they carry no texts of pages and forms. */
static bool is_shown(const struct bridge_message *scan)
{
    static const char *const shown[] = { "hello", "capabilities",  "console", "error",
                                         "click", "navigate",      "scroll",  "hover",
                                         "focus", "command_result" };
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
        if (bridge_value_is(scan->type, shown[i])) {
            return true;
        }
    }
    return false;
}

/* Adds the beginning of the message, masked, as JSON. */
static void add_content(struct strbuf *line, const char *text, size_t length)
{
    struct strbuf posted = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *head = xstrndup(text, length);
    CLEANUP_FREE char *cut = cut_text(head, MAX_SHOWN);
    mask_posted(&posted, cut);
    CLEANUP_FREE char *masked = mask_urls_copy(posted.data, false);
    CLEANUP_FREE char *shown = quote(masked);
    strbuf_add_format(line, ": %s", shown);
    strbuf_finish(&posted);
}

void relay_log_message(const struct relay_log *log, const struct peer *peer, const char *text,
                       size_t length, const struct bridge_message *scan)
{
    struct strbuf what = STRBUF_INIT(STRBUF_UNCAPPED);
    if (!log->has_messages || !log->lines.on_line) {
        return;
    }
    CLEANUP_FREE char *type = bridge_value_text(scan->type);
    CLEANUP_FREE char *shown = quote(type ? type : "");
    strbuf_add_format(&what, "%.100s, %zu bytes", shown, length);
    if (is_shown(scan)) {
        add_content(&what, text, length);
    }
    relay_log_peer(log, peer, what.data);
    strbuf_finish(&what);
}
