#include "runner/session/audit.h"

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_STRING = 2 * 1024, /* bytes of a string as JSON writes it */
    MAX_PARAMS = 8 * 1024, /* of all parameters together, so that a line stays under 16 KiB */
    MEMBER_COST = 24,      /* what a member or an item takes beside its name and its text */
    SHORT_SECRET = 4,      /* shorter ones are looked for as whole words only */
    CUT_SECRET = 8,        /* from this length on, the front of a secret at a text's end counts */
    LOCK_MS = 1000,        /* for another one to look at the end of the file */
};

struct audit {
    char *path;
    int fd;
    uint64_t session; /* random */
    bool is_torn;     /* the file does not end with a whole line */
    bool has_told;    /* of a failure */
    struct br_error failure;
};

/* Masking. */

static const char mask_text[] = "***";

/*
 * Names of what nobody is to read. They hold in any case, and as the end of a longer name:
 * "X-Api-Key", "access_token", "user[password]", "clientSecret".
 */
static const char *const secret_names[] = {
    "password", "passwd",    "pwd",    "pass",     "passphrase", "pin",       "otp",
    "code",     "secret",    "key",    "apikey",   "token",      "auth",      "authorization",
    "jwt",      "signature", "sig",    "session",  "session_id", "sessionid", "jsessionid",
    "sid",      "phpsessid", "cookie", "passcode",
};

/* Members that are secret in the actions of one type; type NULL: of any. */
static const struct {
    const char *type, *name;
} secret_members[] = {
    { "type", "text" },
    { "cookies", "value" },
    { "storage", "value" },
    { NULL, "promptText" },
};

/* How far the masking of an action has come. */
struct mask {
    const char *type;
    size_t left;     /* of MAX_PARAMS */
    bool has_names;  /* inside headers or credentials, whose members have names of their own */
    bool is_headers; /* inside headers, of which no value is told */
    json_t *secrets; /* object: a text as it was given, and as it is shown */
};

/* Whether a word of the name begins there, as in "api-key", "apiKey" and "APIKey". */
static bool is_boundary(const char *name, size_t at)
{
    return at == 0 || strchr("-_.[/", name[at - 1]) ||
           (isupper((unsigned char)name[at]) &&
            (!isupper((unsigned char)name[at - 1]) || islower((unsigned char)name[at + 1])));
}

static bool is_secret_name(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == ']') {
        length--;
    }
    for (size_t i = 0; i < sizeof(secret_names) / sizeof(secret_names[0]); i++) {
        size_t end = strlen(secret_names[i]);
        if (end <= length && strncasecmp(name + length - end, secret_names[i], end) == 0 &&
            is_boundary(name, length - end)) {
            return true;
        }
    }
    return false;
}

static unsigned hex_digit(char digit)
{
    return isdigit((unsigned char)digit) ? (unsigned)(digit - '0')
                                         : (unsigned)((digit | 0x20) - 'a' + 10);
}

/* Caller frees. */
static char *percent_decoded(const char *text, size_t length)
{
    char *decoded = xmalloc(length + 1);
    size_t end = 0;
    for (size_t i = 0; i < length; i++) {
        bool is_escape = text[i] == '%' && length - i > 2 && isxdigit((unsigned char)text[i + 1]) &&
                         isxdigit((unsigned char)text[i + 2]);
        decoded[end++] =
            is_escape ? (char)(hex_digit(text[i + 1]) << 4 | hex_digit(text[i + 2])) : text[i];
        i += is_escape ? 2 : 0;
    }
    decoded[end] = '\0';
    return decoded;
}

/* The length up to the first of `stops` or `ends`. */
static size_t span(const char *text, const char *stops, const char *ends)
{
    size_t length = 0;
    while (text[length] && !strchr(stops, text[length]) && !strchr(ends, text[length])) {
        length++;
    }
    return length;
}

/* From the colon behind a scheme up to the host. Returns the length that was read. */
static size_t mask_userinfo(struct strbuf *out, const char *text, const char *ends)
{
    size_t start = 1 + strspn(text + 1, "/\\");
    const char *user = text + start;
    const char *at = memrchr(user, '@', span(user, "/\\?#", ends));
    const char *colon = at ? memchr(user, ':', (size_t)(at - user)) : NULL;
    if (!colon) {
        strbuf_add(out, text, start);
        return start;
    }
    strbuf_add(out, text, (size_t)(colon + 1 - text));
    strbuf_add_string(out, mask_text);
    return (size_t)(at - text);
}

/* A parameter, from the '?' or '&' in front of it. Returns the length that was read. */
static size_t mask_parameter(struct strbuf *out, const char *text, const char *ends)
{
    size_t length = span(text + 1, "=&#;?", ends);
    const char *value = text + 1 + length;
    CLEANUP_FREE char *name = percent_decoded(text + 1, length);
    if (*value != '=' || !is_secret_name(name)) {
        strbuf_add(out, text, 1);
        return 1;
    }
    strbuf_add(out, text, length + 2);
    strbuf_add_string(out, mask_text);
    return length + 2 + span(value + 1, "&#", ends);
}

/*
 * Adds the text with the secrets masked of all URLs in it; is_url: it is one from its first to its
 * last byte, of any scheme and with any white space.
 */
static void mask_urls(struct strbuf *out, const char *text, bool is_url)
{
    const char *ends = is_url ? "" : " \t\r\n\"'`<>";
    bool is_inside = is_url;
    while (*text) {
        size_t plain = strcspn(text, ":?&#; \t\r\n\"'`<>");
        strbuf_add(out, text, plain);
        text += plain;
        /* Chrome takes "https:/host" and "https:\\host" as well. */
        bool is_scheme_end = is_url ? *text == ':' && text[1] && strchr("/\\", text[1])
                                    : strncmp(text, "://", 3) == 0;
        if (is_scheme_end) {
            is_inside = true;
            text += mask_userinfo(out, text, ends);
        } else if (*text && is_inside && strchr("?&#;", *text)) {
            text += mask_parameter(out, text, ends);
        } else if (*text) {
            is_inside = is_inside && !strchr(ends, *text);
            strbuf_add(out, text++, 1);
        }
    }
}

/* The bytes that JSON writes for the character at `text`; *ret_length is those that it takes. */
static size_t written_size(const char *text, size_t *ret_length)
{
    unsigned char byte = (unsigned char)*text;
    size_t length = utf8_sequence(text, strnlen(text, 4));
    *ret_length = length ? length : 1;
    return byte < 0x20 ? 6 : !length ? 3 : byte == '"' || byte == '\\' ? 2 : length;
}

/* At most `limit` bytes of the text, without half a character. */
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

/* A text as the line shows it; errors that quote it show it so, too. */
static json_t *show(struct mask *mask, const char *given, const char *shown)
{
    if (strcmp(given, shown) != 0) {
        json_object_set_new_nocheck(mask->secrets, given, json_text(shown));
    }
    size_t limit = mask->left < MAX_STRING ? mask->left : MAX_STRING;
    json_t *value = cut_text(shown, limit);
    spend(mask, json_dumpb(value, NULL, 0, JSON_ENCODE_ANY));
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
    /* A `key` is one to press, or the name of something stored, unless somebody named it so. */
    return is_secret_name(name) && (mask->has_names || strcmp(name, "key") != 0);
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
        mask_urls(&shown, json_string_value(value), strcasecmp(name, "url") == 0);
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
    /* The action of a step of `diagnose`. */
    const char *outer_type = mask->type;
    const char *inner_type = strcmp(name, "action") == 0 ? json_member_string(value, "type") : NULL;
    mask->type = inner_type ? inner_type : outer_type;
    const char *pair = json_member_string(value, "name");
    const char *key;
    json_t *member;
    size_t index;
    json_object_foreach (value, key, member) {
        if (!spend(mask, MEMBER_COST + strlen(key))) {
            json_object_set_new(masked, "…", json_true());
            break;
        }
        /* {"name": "X-Api-Key", "value": "…"} is a member by another way of writing. */
        bool is_value = pair && strcmp(key, "value") == 0;
        bool is_secret = is_secret_member(mask, key) ||
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
        json_array_append_new(masked, mask_value(mask, name, member));
    }
    mask->has_names = had_names;
    mask->is_headers = was_headers;
    mask->type = outer_type;
    return masked;
}

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || (unsigned char)byte >= 0x80;
}

/* How much of `secret` stands at `at` in a text that begins at `text`; 0: it does not. */
static size_t secret_length(const char *secret, const char *text, const char *at)
{
    size_t length = 0;
    while (secret[length] && secret[length] == at[length]) {
        length++;
    }
    if (secret[length]) {
        /* The text may have been cut. */
        return length >= CUT_SECRET && !at[length] ? length : 0;
    }
    bool is_part = (at > text && is_word(at[-1])) || is_word(at[length]);
    return length < SHORT_SECRET && is_part ? 0 : length;
}

/* An error's text without what the parameters do not show either; NULL for none. */
static json_t *mask_error(const struct mask *mask, const char *text)
{
    CLEANUP_STRBUF struct strbuf known = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *at = text; *at;) {
        const char *given;
        json_t *instead;
        size_t length = 0;
        json_object_foreach (mask->secrets, given, instead) {
            length = secret_length(given, text, at);
            if (length) {
                strbuf_add_string(&known, json_string_value(instead));
                break;
            }
        }
        if (!length) {
            strbuf_add(&known, at, 1);
        }
        at += length ? length : 1;
    }
    mask_urls(&shown, known.data, false);
    return cut_text(shown.data, MAX_STRING);
}

/* A text with URLs, or a URL; NULL when it is absent. */
static json_t *optional_text(const char *text, bool is_url)
{
    if (!text || !*text) {
        return NULL;
    }
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    mask_urls(&shown, text, is_url);
    return cut_text(shown.data, MAX_STRING);
}

/* Lines. */

static json_t *line_begin(const struct audit *audit, const char *kind)
{
    char now[64];
    char session[32];
    int64_t now_ms = clock_wall_ms();
    time_t seconds = (time_t)(now_ms / 1000);
    struct tm utc;
    size_t length = strftime(now, sizeof(now), "%Y-%m-%dT%H:%M:%S", gmtime_r(&seconds, &utc));
    snprintf(now + length, sizeof(now) - length, ".%03dZ", (int)(now_ms % 1000));
    snprintf(session, sizeof(session), "%016" PRIx64, audit->session);
    return json_pack("{s:s, s:s, s:s}", "time", now, "session", session, "kind", kind);
}

/* Appends all bytes. A failure is kept for audit_take_error(). */
static void append(struct audit *audit, const char *bytes, size_t length)
{
    size_t written = 0;
    while (written < length) {
        ssize_t count = write(audit->fd, bytes + written, length - written);
        if (count < 0 && errno != EINTR) {
            error_set_errno(&audit->failure, BR_UNKNOWN_ERROR, errno,
                            "cannot write the audit trail to %s", audit->path);
            break;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    audit->is_torn = written > 0 ? bytes[written - 1] != '\n' : audit->is_torn;
}

static int add_to_line(const char *bytes, size_t length, void *line)
{
    strbuf_add(line, bytes, length);
    return 0;
}

/* Takes ownership of the line. */
static void line_end(struct audit *audit, json_t *line)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&text, audit->is_torn ? "\n" : "");
    json_dump_callback(line, add_to_line, &text, JSON_COMPACT | JSON_REAL_PRECISION(15));
    strbuf_add_string(&text, "\n");
    append(audit, text.data, text.length);
    json_decref(line);
}

/* Whether the last byte of a file is something else than a newline. */
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
 * Ends a line that was left without its newline. A line that somebody else is about to write looks
 * the same, so all who have the file open share a lock, and only who is alone with it looks.
 */
static void mend_last_line(struct audit *audit)
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

struct audit *audit_open(const char *path, struct br_error *err)
{
    uint64_t session = 0;
    /* A pipe that nobody reads is refused at once; later on, a slow reader is waited for. */
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0600);
    if (fd < 0 || getentropy(&session, sizeof(session)) != 0) {
        error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write the audit trail to %s", path);
        if (fd >= 0) {
            close(fd);
        }
        return NULL;
    }
    fcntl(fd, F_SETFL, O_APPEND);
    struct audit *audit = xcalloc(1, sizeof(*audit));
    audit->path = xstrdup(path);
    audit->fd = fd;
    audit->session = session;
    mend_last_line(audit);
    return audit;
}

json_t *audit_describe(const struct br_action *action, const struct br_response *response)
{
    json_auto_t *secrets = json_object();
    struct mask mask = { .type = action->type, .left = MAX_PARAMS, .secrets = secrets };
    json_t *params = mask_value(&mask, "", action->params);
    const struct br_error *error = response->success ? NULL : &response->error;
    return json_pack("{s:I, s:o, s:o, s:b, s:s*, s:o*, s:i, s:b, s:I, s:o*}", "id",
                     (json_int_t)response->id, "type", cut_text(action->type, MAX_STRING), "action",
                     params, "success", response->success, "errorCode",
                     error ? br_code_name(error->code) : NULL, "error",
                     error ? mask_error(&mask, error->message) : NULL, "attempts",
                     response->attempts, "recovered", response->recovered, "durationMs",
                     (json_int_t)response->duration_ms, "url", optional_text(response->url, true));
}

json_t *audit_mask_logs(const struct br_action *action, const struct log_list *logs)
{
    json_auto_t *secrets = json_object();
    struct mask mask = { .type = action->type, .left = MAX_PARAMS, .secrets = secrets };
    json_t *lines = json_array();
    json_decref(mask_value(&mask, "", action->params));
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
                  const struct br_response *response, uint64_t generation)
{
    if (audit) {
        json_t *line = line_begin(audit, "action");
        json_object_update_new(line, audit_describe(action, response));
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

bool audit_take_error(struct audit *audit, struct br_error *ret_err)
{
    if (!audit || audit->has_told || audit->failure.code == BR_OK) {
        return false;
    }
    audit->has_told = true;
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
    free(audit);
}
