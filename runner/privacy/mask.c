#include "runner/privacy/mask.h"

#include "runner/base/json_scan.h"
#include "runner/privacy/view.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

const char mask_text[] = "***";

/*
 * Names of secrets. They match in any case, and at the end of a longer name: "X-Api-Key",
 * "access_token", "user[password]", "clientSecret".
 */
static const char *const secret_names[] = {
    "password",
    "passwd",
    "pwd",
    "pass",
    "passphrase",
    "pin",
    "otp",
    "code",
    "secret",
    "key",
    "apikey",
    "token",
    "auth",
    "authorization",
    "jwt",
    "signature",
    "sig",
    "session",
    "session_id",
    "sessionid",
    "jsessionid",
    "sid",
    "phpsessid",
    "cookie",
    "passcode",
    "cvc",
    "cvv",
    "csc",
    "cardnumber",
    "card_number",
    "card-number",
    "cc-number",
    "ssn",
    "iban",
    "socialsecuritynumber",
    "social_security_number",
    "social-security-number",
};

/* Whether a word of the name begins at `at`, as in "api-key", "apiKey" and "APIKey". */
static bool is_boundary(const char *name, size_t at)
{
    return at == 0 || strchr("-_.[/", name[at - 1]) ||
           (isupper((unsigned char)name[at]) &&
            (!isupper((unsigned char)name[at - 1]) || islower((unsigned char)name[at + 1])));
}

bool mask_is_secret_name(const char *name)
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

/* Returns the length up to the first of `stops` or `ends`. */
static size_t span(const char *text, const char *stops, const char *ends)
{
    size_t length = 0;
    while (text[length] && !strchr(stops, text[length]) && !strchr(ends, text[length])) {
        length++;
    }
    return length;
}

/*
 * Masks user and password from after the scheme's colon up to the host. Returns the length
 * consumed.
 */
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

/* Masks a parameter, from the '?' or '&' before it. Returns the length consumed. */
static size_t mask_parameter(struct strbuf *out, const char *text, const char *ends)
{
    size_t length = span(text + 1, "=&#;?", ends);
    const char *value = text + 1 + length;
    CLEANUP_FREE char *name = view_percent_decoded(text + 1, length);
    if (*value != '=' || !mask_is_secret_name(name)) {
        strbuf_add(out, text, 1);
        return 1;
    }
    strbuf_add(out, text, length + 2);
    strbuf_add_string(out, mask_text);
    return length + 2 + span(value + 1, "&#", ends);
}

void mask_urls(struct strbuf *out, const char *text, bool is_url)
{
    const char *ends = is_url ? "" : " \t\r\n\"'`<>";
    bool is_inside = is_url;
    while (*text) {
        size_t plain = strcspn(text, ":?&#; \t\r\n\"'`<>");
        strbuf_add(out, text, plain);
        text += plain;
        /* Chrome also accepts "https:/host" and "https:\\host". */
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

/* Fast path: most texts contain no secret. */
static bool may_have_secrets(const char *text, bool is_url)
{
    return strpbrk(text, "=@") && (is_url || strstr(text, "://"));
}

char *mask_urls_copy(const char *text, bool is_url)
{
    if (!text || !may_have_secrets(text, is_url)) {
        return xstrdup(text);
    }
    CLEANUP_STRBUF struct strbuf shown = STRBUF_INIT(STRBUF_UNCAPPED);
    mask_urls(&shown, text, is_url);
    return strbuf_take(&shown);
}

void mask_urls_owned(char **text, bool is_url)
{
    if (*text && may_have_secrets(*text, is_url)) {
        char *shown = mask_urls_copy(*text, is_url);
        free(*text);
        *text = shown;
    }
}

/* Masking posted data. */

static const char white_space[] = " \t\r\n";

/* Masks fields of a form; also of a plain-text form, which has one on each line. */
static void mask_fields(struct strbuf *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "=&\r\n");
        size_t end = length + strcspn(text + length, "&\r\n");
        size_t next = end + strspn(text + end, "&\r\n");
        CLEANUP_FREE char *name = view_percent_decoded(text, length);
        if (end > length + 1 && mask_is_secret_name(name)) {
            strbuf_add(out, text, length + 1);
            strbuf_add_string(out, mask_text);
            strbuf_add(out, text + end, next - end);
        } else {
            strbuf_add(out, text, next);
        }
        text += next;
    }
}

/* Returns the length of the string that begins there; without an end, all of the rest. */
static size_t string_length(const char *text, const char *end)
{
    const char *behind = json_scan_string(text, end);
    return (size_t)((behind ? behind : end) - text);
}

/* Returns the length of any value, with everything before the next one: it may be invalid JSON. */
static size_t value_length(const char *text, const char *end)
{
    size_t depth = 0;
    size_t length = 0;
    while (text[length]) {
        bool is_end = strchr("]}", text[length]) != NULL;
        if (depth == 0 && (is_end || text[length] == ',')) {
            break;
        }
        depth += strchr("[{", text[length]) != NULL;
        depth -= is_end;
        length += text[length] == '"' ? string_length(text + length, end) : 1;
    }
    return length;
}

/* Scans instead of parsing, so that everything that is not secret stays as it was written. */
static void mask_members(struct strbuf *out, const char *text)
{
    const char *end = text + strlen(text);
    while (*text) {
        size_t length = *text == '"' ? string_length(text, end) : strcspn(text, "\"");
        size_t colon = length + strspn(text + length, white_space);
        bool is_name = *text == '"' && text[colon] == ':';
        CLEANUP_FREE char *name = is_name ? xstrndup(text + 1, length - 2) : NULL;
        if (is_name && mask_is_secret_name(name)) {
            length = colon + 1 + strspn(text + colon + 1, white_space);
            strbuf_add(out, text, length);
            strbuf_add_format(out, "\"%s\"", mask_text);
            text += length + value_length(text + length, end);
        } else {
            strbuf_add(out, text, length);
            text += length;
        }
    }
}

/* Returns the name of a part whose head ends at `end`; "" if it has none. Caller frees. */
static char *part_name(const char *head, const char *end)
{
    static const char mark[] = "; name=\"";
    const char *at = memmem(head, (size_t)(end - head), mark, strlen(mark));
    at = at ? at + strlen(mark) : end;
    const char *quote = memchr(at, '"', (size_t)(end - at));
    return xstrndup(at, (size_t)((quote ? quote : end) - at));
}

/* Masks parts of a multipart message (RFC 7578), which begins with its boundary. */
static void mask_parts(struct strbuf *out, const char *text)
{
    CLEANUP_FREE char *line = xstrndup(text, strcspn(text, "\r\n"));
    CLEANUP_FREE char *border = xasprintf("\r\n%s", line);
    while (*text) {
        const char *head_end = strstr(text, "\r\n\r\n");
        const char *content = head_end ? head_end + strlen("\r\n\r\n") : text + strlen(text);
        const char *next = strstr(content, border);
        next = next ? next : content + strlen(content);
        CLEANUP_FREE char *name = part_name(text, content);
        bool is_secret = next > content && mask_is_secret_name(name);
        strbuf_add(out, text, (size_t)((is_secret ? content : next) - text));
        strbuf_add_string(out, is_secret ? mask_text : "");
        text = next;
    }
}

void mask_posted(struct strbuf *out, const char *text)
{
    const char *first = text + strspn(text, white_space);
    if (*first == '{' || *first == '[') {
        mask_members(out, text);
    } else if (strncmp(text, "--", 2) == 0 && strcasestr(text, "content-disposition")) {
        mask_parts(out, text);
    } else {
        mask_fields(out, text);
    }
}
