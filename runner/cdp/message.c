#include "runner/cdp/message.h"

#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/memory.h"
#include "runner/cdp/cbor.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The content that the copies of a message share. */
struct cdp_content {
    atomic_size_t holders;
    char *text;
    pthread_mutex_t mutex; /* guards the members below */
    bool is_parsed;
    json_t *params; /* NULL until parsed, and if they are not JSON */
};

static struct cdp_slice slice(const char *from, const char *to)
{
    return (struct cdp_slice){ .text = from, .length = (size_t)(to - from) };
}

static struct cdp_slice unquoted(struct cdp_slice value)
{
    if (value.length < 2 || value.text[0] != '"') {
        return (struct cdp_slice){ 0 };
    }
    return (struct cdp_slice){ .text = value.text + 1, .length = value.length - 2 };
}

bool cdp_slice_equals(struct cdp_slice value, const char *text)
{
    size_t length = strlen(text);
    return value.length == length && (length == 0 || memcmp(value.text, text, length) == 0);
}

struct member {
    struct cdp_slice key; /* without quotes, escapes not resolved */
    struct cdp_slice value;
};

/* Returns the position of an object's first member or of its closing brace; NULL: not an object. */
static const char *enter_object(const char *at, const char *end)
{
    at = json_scan_space(at, end);
    return at < end && *at == '{' ? json_scan_space(at + 1, end) : NULL;
}

/*
 * Reads the member at *at and advances to the next. Returns false if there is none: then *at is at
 * the closing brace, or NULL if the text is broken.
 */
static bool next_member(const char **at, const char *end, struct member *member)
{
    const char *key_end = *at ? json_scan_string(*at, end) : NULL;
    if (!key_end) {
        *at = *at && *at < end && **at == '}' ? *at : NULL;
        return false;
    }
    const char *colon = json_scan_space(key_end, end);
    const char *value = colon < end && *colon == ':' ? json_scan_space(colon + 1, end) : end;
    const char *value_end = json_scan_value(value, end);
    if (!value_end) {
        *at = NULL;
        return false;
    }
    member->key = unquoted(slice(*at, key_end));
    member->value = slice(value, value_end);
    const char *next = json_scan_space(value_end, end);
    if (next < end && *next == ',') {
        next = json_scan_space(next + 1, end);
        *at = next < end && *next == '"' ? next : NULL;
    } else {
        *at = next < end && *next == '}' ? next : NULL;
    }
    return true;
}

static bool take_id(struct cdp_message *message, struct cdp_slice value)
{
    char *end = NULL;
    message->id = strtoll(value.text, &end, 10);
    message->id_text = value;
    return end == value.text + value.length;
}

static void take_member(struct cdp_message *message, const struct member *member)
{
    const struct {
        const char *key;
        struct cdp_slice *slice;
        bool is_string;
    } table[] = {
        { "method", &message->method, true },  { "sessionId", &message->session_id, true },
        { "result", &message->result, false }, { "error", &message->failure, false },
        { "params", &message->params, false },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (cdp_slice_equals(member->key, table[i].key)) {
            *table[i].slice = table[i].is_string ? unquoted(member->value) : member->value;
        }
    }
}

/* Scans the whole text, because Chrome writes the id first and the session last. */
static bool scan_object(struct cdp_message *message)
{
    const char *end = message->text + message->length;
    const char *at = enter_object(message->text, end);
    struct member member;
    bool has_id = false;
    while (next_member(&at, end, &member)) {
        if (!cdp_slice_equals(member.key, "id")) {
            take_member(message, &member);
        } else if (take_id(message, member.value)) {
            has_id = true;
        } else {
            return false;
        }
    }
    if (!has_id && message->failure.length > 0) {
        /* Chrome's answer to a command that it could not parse; does not identify the command. */
        has_id = true;
        message->id = -1;
    }
    message->kind = has_id ? CDP_REPLY : CDP_EVENT;
    return at && json_scan_space(at + 1, end) == end && (has_id || message->method.length > 0);
}

static bool is_deeper(json_t *value, size_t limit)
{
    const char *key = NULL;
    json_t *member = NULL;
    size_t i = 0;
    if (!json_is_object(value) && !json_is_array(value)) {
        return false;
    }
    if (limit == 0) {
        return true;
    }
    json_object_foreach (value, key, member) {
        if (is_deeper(member, limit - 1)) {
            return true;
        }
    }
    json_array_foreach (value, i, member) {
        if (is_deeper(member, limit - 1)) {
            return true;
        }
    }
    return false;
}

static void destroy_link(struct message *link)
{
    cdp_message_destroy((struct cdp_message *)link);
}

/* Takes ownership of text. */
static struct cdp_message *create(char *text, size_t length)
{
    struct cdp_message *message = xcalloc(1, sizeof(*message));
    message->link.destroy = destroy_link;
    message->link.size = sizeof(*message) + length;
    message->content = xcalloc(1, sizeof(*message->content));
    message->content->holders = 1;
    message->content->text = text;
    pthread_mutex_init(&message->content->mutex, NULL);
    message->text = text;
    message->length = length;
    return message;
}

struct cdp_message *cdp_message_scan(char *text, size_t length)
{
    struct cdp_message *message = create(text, length);
    if (!scan_object(message)) {
        cdp_message_destroy(message);
        return NULL;
    }
    message->link.is_droppable = message->kind == CDP_EVENT;
    return message;
}

struct cdp_message *cdp_message_create(enum cdp_message_kind kind, const char *text)
{
    struct cdp_message *message = create(xstrdup(text), text ? strlen(text) : 0);
    message->kind = kind;
    return message;
}

struct cdp_message *cdp_message_share(const struct cdp_message *message)
{
    struct cdp_message *other = xmalloc(sizeof(*other));
    *other = *message;
    atomic_fetch_add(&message->content->holders, 1);
    return other;
}

json_t *cdp_message_params(const struct cdp_message *message)
{
    struct br_error ignored;
    struct cdp_content *content = message->content;
    pthread_mutex_lock(&content->mutex);
    if (!content->is_parsed) {
        content->is_parsed = true;
        content->params =
            message->params.length
                ? json_parse(message->params.text, message->params.length, "an event", &ignored)
                : json_object();
    }
    json_t *params = content->params;
    pthread_mutex_unlock(&content->mutex);
    return params;
}

struct cdp_message *cdp_message_create_refusal(int64_t id, const char *session_id)
{
    json_auto_t *reply = json_pack(
        "{s:I, s:{s:i, s:s}, s:s*}", "id", (json_int_t)id, "error", "code", CDP_SESSION_NOT_FOUND,
        "message", "the page was closed before it answered", "sessionId", session_id);
    char *text = json_dumps(reply, JSON_COMPACT);
    return cdp_message_scan(text, strlen(text));
}

json_t *cdp_command_create(int64_t id, const char *session_id, const char *method, json_t *params,
                           struct br_error *err)
{
    if (is_deeper(params, CDP_MAX_DEPTH)) {
        error_set(err, BR_INVALID_ACTION, "the parameters are nested deeper than %d levels",
                  CDP_MAX_DEPTH);
        return NULL;
    }
    json_t *command = json_pack("{s:I, s:s, s:O*, s:s*}", "id", (json_int_t)id, "method", method,
                                "params", params, "sessionId", session_id);
    if (!command) {
        error_set(err, BR_INVALID_ACTION, "the command is no UTF-8");
    }
    return command;
}

char *cdp_command_encode(const json_t *command, bool is_cbor, size_t *ret_length,
                         struct br_error *err)
{
    char *bytes = is_cbor ? cbor_encode(command, ret_length) : json_dumps(command, JSON_COMPACT);
    if (!bytes) {
        error_set(err, BR_INVALID_ACTION, "the command cannot be written as JSON");
    } else if (!is_cbor) {
        *ret_length = strlen(bytes);
    }
    return bytes;
}

void cdp_message_destroy(struct cdp_message *message)
{
    if (!message) {
        return;
    }
    struct cdp_content *content = message->content;
    free(message);
    if (atomic_fetch_sub(&content->holders, 1) == 1) {
        json_decref(content->params);
        pthread_mutex_destroy(&content->mutex);
        free(content->text);
        free(content);
    }
}

/* Takes the text from a message without other copies. Only events are shared. */
static char *take_text(struct cdp_message *message)
{
    assert(atomic_load(&message->content->holders) == 1);
    return TAKE(message->content->text);
}

char *cdp_message_take_result(struct cdp_message *reply, size_t *ret_length)
{
    struct cdp_slice result = reply->result;
    char *text = take_text(reply);
    memmove(text, result.text, result.length);
    text[result.length] = '\0';
    *ret_length = result.length;
    return text;
}

/* Overwrites with spaces, which JSON ignores between parts of an object: nothing has to move. */
static void blank(char *from, const char *to)
{
    memset(from, ' ', (size_t)(to - from));
}

static bool is_space(char character)
{
    return character && strchr(" \t\r\n", character);
}

/* Blanks the member with this string, and one comma beside it. `value` excludes the quotes. */
static void blank_member(char *text, struct cdp_slice value)
{
    char *from = text + (value.text - text) - 1;
    char *to = from + value.length + 2;
    for (int quotes = 0; quotes < 2;) {
        quotes += *--from == '"';
    }
    char *before = from;
    while (is_space(before[-1])) {
        before--;
    }
    char *behind = to;
    while (is_space(*behind)) {
        behind++;
    }
    if (before[-1] == ',') {
        from = before - 1;
    } else if (*behind == ',') {
        to = behind + 1;
    }
    blank(from, to);
}

/* Replaces the present id. The text may move. */
static char *replace_id(char *text, size_t *length, struct cdp_slice old, int32_t id)
{
    char digits[16];
    size_t count = (size_t)snprintf(digits, sizeof(digits), "%d", (int)id);
    size_t at = (size_t)(old.text - text);
    if (count > old.length) {
        size_t more = count - old.length;
        text = xrealloc(text, *length + more + 1);
        memmove(text + at + count, text + at + old.length, *length + 1 - at - old.length);
        *length += more;
    } else {
        blank(text + at + count, text + at + old.length);
    }
    memcpy(text + at, digits, count);
    return text;
}

char *cdp_message_take_text(struct cdp_message *message, int32_t id, const char *hidden,
                            size_t *ret_length)
{
    char *text = take_text(message);
    *ret_length = message->length;
    if (hidden && cdp_slice_equals(message->session_id, hidden)) {
        blank_member(text, message->session_id);
    }
    if (message->kind == CDP_REPLY && message->id_text.length > 0) {
        text = replace_id(text, ret_length, message->id_text, id);
    }
    cdp_message_destroy(message);
    return text;
}

struct cdp_slice cdp_slice_string(struct cdp_slice object, const char *key)
{
    if (object.length == 0) {
        return object;
    }
    const char *end = object.text + object.length;
    const char *at = enter_object(object.text, end);
    struct member member;
    while (next_member(&at, end, &member)) {
        if (cdp_slice_equals(member.key, key)) {
            return unquoted(member.value);
        }
    }
    return (struct cdp_slice){ 0 };
}
