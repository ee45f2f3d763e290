#include "runner/session/audit.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/json_layout.h"
#include "runner/base/log.h"
#include "runner/base/rfc3339.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/base/utf8.h"
#include "runner/privacy/mask.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_STRING = 2 * 1024, /* bytes of a string, as written in JSON */
    MAX_PARAMS = 8 * 1024, /* bytes of all parameters together, so that a line stays under 16 KiB */
    MEMBER_COST = 24,      /* bytes counted for a member or an item in addition to its name and
                              text */
    LOCK_MS = 1000,        /* timeout for the lock held by another process that checks the end of
                              the file */
};

struct audit {
    char *path;
    int fd;
    char *session_id;
    bool is_torn;      /* the file does not end with a complete line */
    bool has_reported; /* a failure was already reported */
    struct br_error failure;
};

/* Secret members in the actions of one type; type NULL: in all types. */
static const struct {
    const char *type, *name;
} secret_members[] = {
    { "type", "text" },     { "fill", "value" },    { "cookies", "value" },
    { "storage", "value" }, { NULL, "promptText" },
};

/* State of masking one action. */
struct mask {
    const char *type;
    size_t left;         /* bytes left of MAX_PARAMS */
    bool has_names;      /* inside headers or credentials, whose member names are chosen by the
                            user */
    bool is_headers;     /* inside headers, whose values are never shown */
    struct secrets *own; /* secrets of this action, and how they are shown */
    const struct secrets *known; /* secrets of the session; NULL: none */
};

/* Returns the bytes that JSON needs for the character at `text`; *ret_length is its length. */
static size_t written_size(const char *text, size_t *ret_length)
{
    const char *next = text;
    size_t length = utf8_sequence(text, strnlen(text, 4));
    *ret_length = length ? length : 1;
    if (!length) {
        return 3;
    }
    /* A "##[" is written in eight bytes; a '#' alone takes less than is counted. */
    return unicode_is_control(unicode_decode(&next)) ? 6
           : *text == '#'                            ? 4
           : *text == '"' || *text == '\\'           ? 2
                                                     : length;
}

/* Cuts the text to `limit` bytes without splitting a character. */
static json_t *cut_text(const char *text, size_t limit)
{
    size_t end = 0;
    size_t size = 0;
    while (text[end]) {
        size_t length = 0;
        size += written_size(text + end, &length);
        if (size > limit) {
            CLEANUP_FREE char *front = xstrndup(text, end);
            CLEANUP_FREE char *cut = xasprintf("%s…", front);
            return json_text(cut);
        }
        end += length;
    }
    return json_text(text);
}

static bool spend(struct mask *mask, size_t size)
{
    bool is_left = size <= mask->left;
    mask->left -= is_left ? size : mask->left;
    return is_left;
}

static int add_to_line(const char *bytes, size_t length, void *line)
{
    strbuf_add(line, bytes, length);
    return 0;
}

static void add_json(struct strbuf *text, const json_t *value, size_t flags)
{
    json_dump_callback(value, add_to_line, text, flags);
    json_make_harmless(text);
}

/*
 * Returns the text as shown in the line. Remembers the original, so that error texts which quote it
 * are masked too.
 */
static json_t *show(struct mask *mask, const char *given, const char *shown)
{
    if (strcmp(given, shown) != 0) {
        secrets_add(mask->own, given, shown);
    }
    size_t limit = mask->left < MAX_STRING ? mask->left : MAX_STRING;
    json_t *value = cut_text(shown, limit);
    CLEANUP_STRBUF struct strbuf written = STRBUF_INIT(STRBUF_UNCAPPED);
    add_json(&written, value, JSON_ENCODE_ANY);
    spend(mask, written.length);
    return value;
}

static size_t character_count(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0) != 0x80;
    }
    return count;
}

static bool is_secret_member(const struct mask *mask, const char *name)
{
    for (size_t i = 0; i < sizeof(secret_members) / sizeof(secret_members[0]); i++) {
        if (strcmp(name, secret_members[i].name) == 0 &&
            (!secret_members[i].type || strcmp(mask->type, secret_members[i].type) == 0)) {
            return true;
        }
    }
    /* A `key` is a key to press or the name of a storage item, unless the user chose that name. */
    return mask_is_secret_name(name) && (mask->has_names || strcmp(name, "key") != 0);
}

static json_t *hide(struct mask *mask, const char *name, const json_t *value)
{
    const char *given = json_string_value(value);
    if (given && strcmp(mask->type, "type") == 0 && strcmp(name, "text") == 0) {
        size_t count = character_count(given);
        CLEANUP_FREE char *shown =
            xasprintf("%s (%zu character%s)", mask_text, count, count == 1 ? "" : "s");
        return show(mask, given, shown);
    }
    return show(mask, given ? given : "", mask_text);
}

static json_t *mask_value(struct mask *mask, const char *name, json_t *value)
{
    if (json_is_string(value)) {
        CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
        CLEANUP_FREE char *known = xstrdup(json_string_value(value));
        secrets_mask_owned(mask->known, &known);
        mask_urls(&shown, known, strcasecmp(name, "url") == 0);
        return show(mask, json_string_value(value), shown.data);
    }
    if (!json_is_object(value) && !json_is_array(value)) {
        return json_incref(value);
    }
    json_t *masked = json_is_object(value) ? json_object() : json_array();
    bool had_names = mask->has_names;
    bool was_headers = mask->is_headers;
    mask->is_headers = was_headers || strcasecmp(name, "headers") == 0;
    mask->has_names = had_names || mask->is_headers || strcasecmp(name, "credentials") == 0;
    /* The action of a `diagnose` step. */
    const char *outer_type = mask->type;
    const char *inner_type = strcmp(name, "action") == 0 ? json_member_string(value, "type") : NULL;
    mask->type = inner_type ? inner_type : outer_type;
    bool is_fields = strcmp(mask->type, "fill") == 0 && strcmp(name, "fields") == 0;
    const char *pair = json_member_string(value, "name");
    const char *key;
    json_t *member;
    size_t index;
    json_object_foreach (value, key, member) {
        if (!spend(mask, MEMBER_COST + strlen(key))) {
            json_object_set_new(masked, "…", json_true());
            break;
        }
        /* {"name": "X-Api-Key", "value": "…"} is another notation for a member. */
        bool is_value = pair && strcmp(key, "value") == 0;
        bool is_secret = is_fields || is_secret_member(mask, key) ||
                         (is_value && is_secret_member(mask, pair)) ||
                         (mask->is_headers && (is_value || (!pair && json_is_string(member))));
        json_object_set_new(masked, key,
                            is_secret ? hide(mask, key, member) : mask_value(mask, key, member));
    }
    json_array_foreach (value, index, member) {
        if (!spend(mask, MEMBER_COST)) {
            json_array_append_new(masked, json_string("…"));
            break;
        }
        json_array_append_new(masked, mask_value(mask, is_fields ? "" : name, member));
    }
    mask->has_names = had_names;
    mask->is_headers = was_headers;
    mask->type = outer_type;
    return masked;
}

/* Masks in an error text what is hidden in the parameters; NULL for no error. */
static json_t *mask_error(const struct mask *mask, const char *text)
{
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *known = xstrdup(text);
    secrets_mask_owned(mask->own, &known);
    secrets_mask_owned(mask->known, &known);
    mask_urls(&shown, known, false);
    return cut_text(shown.data, MAX_STRING);
}

/* A URL, or a text that contains URLs; NULL when it is absent. */
static json_t *optional_text(const char *text, bool is_url)
{
    if (!text || !*text) {
        return NULL;
    }
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    mask_urls(&shown, text, is_url);
    return cut_text(shown.data, MAX_STRING);
}

static json_t *line_begin(const struct audit *audit, const char *kind)
{
    char now[RFC3339_SIZE];
    rfc3339_format(clock_wall_ms(), true, now);
    return json_pack("{s:s, s:s, s:s}", "time", now, "session", audit->session_id, "kind", kind);
}

/* Appends all bytes. Remembers a failure for audit_take_error(). */
static void append(struct audit *audit, const char *bytes, size_t length)
{
    size_t written = 0;
    if (!file_write_all(audit->fd, bytes, length, &written)) {
        error_set_errno(&audit->failure, BR_UNKNOWN_ERROR, errno,
                        "cannot write the audit trail to %s", audit->path);
    }
    audit->is_torn = written > 0 ? bytes[written - 1] != '\n' : audit->is_torn;
}

/* Takes ownership of the line. */
static void line_end(struct audit *audit, json_t *line)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, audit->is_torn ? "\n" : "");
    add_json(&text, line, JSON_COMPACT | JSON_REAL_PRECISION(15));
    strbuf_add_string(&text, "\n");
    append(audit, text.data, text.length);
    json_decref(line);
}

/* Returns whether the file's last byte is not a newline. */
static bool ends_torn(const char *path)
{
    struct stat info;
    char last = '\n';
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        pread(fd, &last, 1, info.st_size - 1) != 1) {
        last = '\n';
    }
    if (fd >= 0) {
        close(fd);
    }
    return last != '\n';
}

/*
 * Completes a last line that has no newline. A line that another process is writing looks the same.
 * Therefore every process that has the file open holds a shared lock, and only a process that gets
 * it exclusively checks the end.
 */
static void complete_last_line(struct audit *audit)
{
    struct deadline deadline = deadline_in_ms(LOCK_MS);
    bool is_alone = flock(audit->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (is_alone && ends_torn(audit->path)) {
        audit->is_torn = true;
        append(audit, "\n", 1);
    }
    while (flock(audit->fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
           !deadline_passed(deadline)) {
        usleep(1000);
    }
}

struct audit *audit_open(const char *path, const char *session_id, struct br_error *err)
{
    /*
     * With O_NONBLOCK, opening a pipe without a reader fails at once. The flag is cleared
     * afterwards, so a slow reader is waited for.
     */
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (fd < 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write the audit trail to %s", path);
        return NULL;
    }
    fcntl(fd, F_SETFL, O_APPEND);
    struct audit *audit = xcalloc(1, sizeof(*audit));
    audit->path = xstrdup(path);
    audit->fd = fd;
    audit->session_id = xstrdup(session_id);
    complete_last_line(audit);
    return audit;
}

static void mask_finish(struct mask *mask)
{
    secrets_destroy(mask->own);
}

/* Returns the action's parameters as shown, and remembers what was hidden in them. */
static json_t *describe_params(struct mask *mask, const struct br_action *action)
{
    mask->type = action->type;
    mask->left = MAX_PARAMS;
    mask->own = secrets_create();
    return mask_value(mask, "", action->params);
}

json_t *audit_describe(const struct br_action *action, const struct br_response *response,
                       const struct secrets *secrets)
{
    CLEANUP(mask_finish) struct mask mask = { .known = secrets };
    json_t *params = describe_params(&mask, action);
    const struct br_error *error = response->success ? NULL : &response->error;
    return json_pack("{s:I, s:o, s:o, s:b, s:s*, s:o*, s:i, s:b, s:I, s:o*}", "id",
                     (json_int_t)response->id, "type", cut_text(action->type, MAX_STRING), "action",
                     params, "success", response->success, "errorCode",
                     error ? br_code_name(error->code) : NULL, "error",
                     error ? mask_error(&mask, error->message) : NULL, "attempts",
                     response->attempts, "recovered", response->recovered, "durationMs",
                     (json_int_t)response->duration_ms, "url", optional_text(response->url, true));
}

json_t *audit_mask_logs(const struct br_action *action, const struct log_list *logs,
                        const struct secrets *secrets)
{
    CLEANUP(mask_finish) struct mask mask = { .known = secrets };
    json_t *lines = json_array();
    json_decref(describe_params(&mask, action));
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        json_t *message = mask_error(&mask, log->message);
        json_array_append_new(
            lines, json_pack("{s:s, s:o, s:I, s:s, s:s*, s:o*}", "type", log_type_name(log->type),
                             "message", message, "timestamp", (json_int_t)log->timestamp_ms,
                             "source", log->source == BR_SOURCE_BROWSER ? "browser" : "tool",
                             "category", log->category, "location",
                             log->location ? mask_error(&mask, log->location) : NULL));
    }
    return lines;
}

void audit_action(struct audit *audit, const struct br_action *action,
                  const struct br_response *response, const struct secrets *secrets,
                  uint64_t generation)
{
    if (audit) {
        json_t *line = line_begin(audit, "action");
        json_object_update_new(line, audit_describe(action, response, secrets));
        json_object_set_new(line, "generation", json_integer((json_int_t)generation));
        line_end(audit, line);
    }
}

void audit_step(struct audit *audit, const char *step, const char *detail, uint64_t generation)
{
    if (!audit) {
        return;
    }
    json_t *line = line_begin(audit, "step");
    json_object_update_new(line, json_pack("{s:o, s:o*, s:I}", "step", cut_text(step, MAX_STRING),
                                           "detail", optional_text(detail, false), "generation",
                                           (json_int_t)generation));
    line_end(audit, line);
}

void audit_line(struct audit *audit, const char *kind, json_t *members)
{
    json_auto_t *owned = members;
    if (audit) {
        json_t *line = line_begin(audit, kind);
        json_object_update(line, owned);
        line_end(audit, line);
    }
}

bool audit_take_error(struct audit *audit, struct br_error *ret_err)
{
    if (!audit || audit->has_reported || audit->failure.code == BR_OK) {
        return false;
    }
    audit->has_reported = true;
    *ret_err = audit->failure;
    return true;
}

void audit_close(struct audit *audit)
{
    if (!audit) {
        return;
    }
    close(audit->fd);
    free(audit->path);
    free(audit->session_id);
    free(audit);
}
