#include "runner/console/envelope.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/rfc3339.h"
#include "runner/base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RECEIVED = 1024, MAX_TIMESTAMP = 48, DATE_LENGTH = 10 };

static const char *const types[] = { "console_event", "connection_status", "error", "ping",
                                     "pong" };

/* Skips a part of a version: digits without leading zeros. NULL: there is none. */
static const char *skip_number(const char *at)
{
    size_t digits = strspn(at, "0123456789");
    return digits == 0 || digits > 9 || (digits > 1 && *at == '0') ? NULL : at + digits;
}

/* Accepts versions of semver.org 2.0.0: three numbers, then optionally -pre and +build. */
static bool is_semver(const char *text)
{
    static const char letters[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-.";
    const char *at = skip_number(text);
    for (int i = 0; i < 2; i++) {
        at = at && *at == '.' ? skip_number(at + 1) : NULL;
    }
    if (at && *at == '-') {
        size_t length = strspn(at + 1, letters);
        at = length > 0 ? at + 1 + length : NULL;
    }
    if (at && *at == '+') {
        size_t length = strspn(at + 1, letters);
        at = length > 0 ? at + 1 + length : NULL;
    }
    return at && *at == '\0';
}

/* Brings the time into the form of RFC 3339, with at most milliseconds and a zone, and parses it.
 */
static bool read_time(const char *text, int64_t *ret_ms)
{
    char shown[MAX_TIMESTAMP + 8];
    size_t length = strlen(text);
    if (length > MAX_TIMESTAMP || length <= DATE_LENGTH) {
        return false;
    }
    const char *fraction = strchr(text, '.');
    size_t head =
        fraction ? (size_t)(fraction - text) : strcspn(text + DATE_LENGTH, "Z+-") + DATE_LENGTH;
    size_t digits = fraction ? strspn(fraction + 1, "0123456789") : 0;
    const char *zone = fraction ? fraction + 1 + digits : text + head;
    if (fraction && digits == 0) {
        return false;
    }
    snprintf(shown, sizeof(shown), "%.*s%.*s%s", (int)head, text,
             (int)(fraction ? 1 + (digits > 3 ? 3 : digits) : 0), fraction ? fraction : "",
             *zone ? zone : "Z");
    return rfc3339_parse(shown, ret_ms);
}

static bool find_type(const char *name, enum envelope_type *ret_type)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i], name) == 0) {
            *ret_type = (enum envelope_type)i;
            return true;
        }
    }
    return false;
}

static bool is_missing(const json_t *message, const char *field, struct envelope_fault *fault)
{
    fault->field = field;
    fault->why = NULL;
    return !json_object_get(message, field);
}

static bool is_fault(struct envelope_fault *fault, bool is_wrong, const char *why)
{
    fault->why = is_wrong ? why : fault->why;
    return is_wrong;
}

/* The message's version; NULL with the fault. */
static const char *read_version(const json_t *message, struct envelope_fault *fault)
{
    const char *version = json_member_string(message, "version");
    return is_missing(message, "version", fault) || is_fault(fault, !version, "must be a string") ||
                   is_fault(fault, !is_semver(version), "is not a semantic version")
               ? NULL
               : version;
}

static bool read_members(const json_t *message, struct envelope *envelope,
                         struct envelope_fault *fault)
{
    const char *type = json_member_string(message, "type");
    const char *time = json_member_string(message, "timestamp");
    if (is_missing(message, "type", fault) || is_fault(fault, !type, "must be a string") ||
        is_fault(fault, !find_type(type, &envelope->type), "is not a known type")) {
        return false;
    }
    if (is_missing(message, "timestamp", fault) || is_fault(fault, !time, "must be a string") ||
        is_fault(fault, !read_time(time, &envelope->time_ms), "is not a time of ISO 8601")) {
        return false;
    }
    envelope->payload = json_object_get(message, "payload");
    envelope->source = json_object_get(message, "source");
    return !is_missing(message, "payload", fault) &&
           !is_fault(fault, !json_is_object(envelope->payload), "must be an object");
}

enum envelope_verdict envelope_read(const json_t *message, struct envelope *ret_envelope,
                                    struct envelope_fault *ret_fault)
{
    *ret_envelope = (struct envelope){ 0 };
    *ret_fault = (struct envelope_fault){ "message", "must be an object" };
    if (!json_is_object(message)) {
        return ENVELOPE_INVALID;
    }
    const char *version = read_version(message, ret_fault);
    if (!version) {
        return ENVELOPE_INVALID;
    }
    if (strncmp(version, "1.", 2) != 0) {
        return ENVELOPE_UNSUPPORTED;
    }
    return read_members(message, ret_envelope, ret_fault) ? ENVELOPE_FINE : ENVELOPE_INVALID;
}

char *envelope_text(const char *type, int64_t time_ms, json_t *source, json_t *payload)
{
    char time[RFC3339_SIZE];
    rfc3339_format(time_ms, true, time);
    json_auto_t *message =
        json_pack("{s:s, s:s, s:s, s:o*, s:o}", "version", CONSOLE_PROTOCOL, "type", type,
                  "timestamp", time, "source", source, "payload", payload);
    return json_dumps(message, JSON_COMPACT);
}

/* Takes ownership of the payload. */
static char *message_text(const char *type, json_t *payload)
{
    return envelope_text(type, clock_wall_ms(), NULL, payload);
}

/* Names of systems as Node has them in process.platform. */
static const char *node_platform(void)
{
    const char *name = platform_name();
    return strcmp(name, "macos") == 0 ? "darwin" : strcmp(name, "windows") == 0 ? "win32" : name;
}

char *envelope_connected(void)
{
    return message_text("connection_status",
                        json_pack("{s:s, s:{s:s, s:s}}", "status", "connected", "clientInfo",
                                  "cliVersion", BROWSER_RUNNER_VERSION, "platform",
                                  node_platform()));
}

char *envelope_ping(const char *id)
{
    return message_text("ping", json_pack("{s:s}", "id", id));
}

/* Some extensions send no id. */
char *envelope_pong(const json_t *ping_payload)
{
    json_t *id = json_object_get(ping_payload, "id");
    json_t *payload = json_object();
    if (id) {
        json_object_set(payload, "id", id);
    }
    return message_text("pong", payload);
}

static char *error_text(const char *code, const char *why, json_t *details)
{
    return message_text("error", json_pack("{s:s, s:o, s:o}", "code", code, "message",
                                           json_text(why), "details", details));
}

char *envelope_unsupported(const json_t *message)
{
    const char *version = json_member_string(message, "version");
    CLEANUP_FREE char *cut = xstrndup(version, strnlen(version, 64));
    CLEANUP_FREE char *why = xasprintf("Protocol version %s is not supported", cut);
    return error_text(
        "UNSUPPORTED_VERSION", why,
        json_pack("{s:s, s:[s]}", "receivedVersion", cut, "supportedVersions", CONSOLE_PROTOCOL));
}

char *envelope_fault_text(const struct envelope_fault *fault)
{
    return fault->why ? xasprintf("Invalid message: %s %s", fault->field, fault->why)
                      : xasprintf("Missing required field: %s", fault->field);
}

/* The message itself if it is short, else the beginning of its text. */
static json_t *received_json(const json_t *received, const char *text)
{
    CLEANUP_FREE char *dump =
        received ? json_dumps(received, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    const char *shown = dump ? dump : text;
    if (dump && strlen(dump) <= MAX_RECEIVED) {
        return json_incref((json_t *)received);
    }
    size_t length = strlen(shown);
    CLEANUP_FREE char *cut =
        xstrndup(shown, length > MAX_RECEIVED ? utf8_cut(shown, MAX_RECEIVED) : length);
    return json_text(cut);
}

char *envelope_invalid(const struct envelope_fault *fault, const json_t *received, const char *text)
{
    CLEANUP_FREE char *why = envelope_fault_text(fault);
    return error_text(
        "INVALID_MESSAGE", why,
        json_pack("{s:s, s:o}", "field", fault->field, "received", received_json(received, text)));
}

char *envelope_rate_limit(int max_rate, size_t dropped)
{
    CLEANUP_FREE char *why =
        xasprintf("Only %d messages a second are shown for each tab", max_rate);
    return error_text("RATE_LIMIT", why,
                      json_pack("{s:i, s:I}", "maxRate", max_rate, "dropped", (json_int_t)dropped));
}
