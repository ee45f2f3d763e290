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

enum {
    MIN_DIGITS = 4, /* of a one-time code */
    MAX_DIGITS = 8,
    LINES_AFTER = 2, /* in which a number stands for the code that was announced */
};

/* How tokens of services begin, and the least length of the rest. */
static const struct {
    const char *begin;
    size_t least;
} forms[] = {
    { "eyJ", 40 },      { "ghp_", 20 },     { "gho_", 20 },        { "ghu_", 20 },
    { "ghs_", 20 },     { "ghr_", 20 },     { "glpat-", 16 },      { "xoxb-", 20 },
    { "xoxp-", 20 },    { "xoxa-", 20 },    { "xoxs-", 20 },       { "xapp-", 20 },
    { "sk-", 24 },      { "sk_live_", 16 }, { "sk_test_", 16 },    { "rk_live_", 16 },
    { "rk_test_", 16 }, { "whsec_", 20 },   { "AKIA", 16 },        { "ASIA", 16 },
    { "AIza", 30 },     { "ya29.", 20 },    { "npm_", 30 },        { "pypi-", 30 },
    { "hf_", 30 },      { "SG.", 30 },      { "github_pat_", 30 },
};

/* Words before or after a one-time code; they match in lower case. */
static const char *const announcements[] = {
    "one-time",          "one time code",
    "one time pass",     "verification code",
    "security code",     "login code",
    "log-in code",       "sign-in code",
    "confirmation code", "authentication code",
    "authenticator",     "passcode",
    "access code",       "2fa",
    "your code",         "temporary code",
    "backup code",       "recovery code",
    "code to sign in",   "otp",
};

static bool is_token_character(char character)
{
    return isalnum((unsigned char)character) || (character && strchr("_-.", character));
}

/* Whether it has what random texts have, and words have not. */
static bool is_random(const char *text, size_t length)
{
    bool has_digit = false;
    bool has_upper = false;
    for (size_t i = 0; i < length; i++) {
        has_digit |= isdigit((unsigned char)text[i]) != 0;
        has_upper |= isupper((unsigned char)text[i]) != 0;
    }
    return has_digit && has_upper;
}

/* Returns the length of the token that begins here; 0: none does. */
static size_t token_length(const char *text)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        size_t begin = strlen(forms[i].begin);
        if (strncmp(text, forms[i].begin, begin) != 0) {
            continue;
        }
        while (is_token_character(text[length])) {
            length++;
        }
        while (length > 0 && strchr("_-.", text[length - 1])) {
            length--; /* the end of a sentence */
        }
        return length >= begin + forms[i].least && is_random(text, length) ? length : 0;
    }
    return 0;
}

/* Returns whether the line has one of the words, as whole words. */
static bool announces_code(const char *line, size_t length)
{
    CLEANUP_FREE char *lower = xstrndup(line, length);
    for (char *at = lower; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    for (size_t i = 0; i < sizeof(announcements) / sizeof(announcements[0]); i++) {
        const char *at = lower;
        while ((at = strstr(at, announcements[i]))) {
            const char *end = at + strlen(announcements[i]);
            if ((at == lower || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)*end)) {
                return true;
            }
            at = end;
        }
    }
    return false;
}

/*
 * Returns the length of the code that begins here, also "123 456" and "123-456"; 0: none does. A
 * part of a larger number, of a date or of a place such as "1200,340" is none.
 */
static size_t code_length(const char *line, size_t at, size_t end)
{
    size_t count = 0;
    size_t length = 0;
    if (at > 0 && (isalnum((unsigned char)line[at - 1]) || strchr("_.,/@", line[at - 1]))) {
        return 0;
    }
    while (at + length < end) {
        const char *here = line + at + length;
        if (isdigit((unsigned char)*here)) {
            count++;
        } else if (!(count == 3 && length == 3 && (*here == ' ' || *here == '-') &&
                     at + length + 1 < end && isdigit((unsigned char)here[1]))) {
            break;
        }
        length++;
    }
    char next = at + length < end ? line[at + length] : '\0';
    char after = at + length + 1 < end ? line[at + length + 1] : '\0';
    bool goes_on = isalnum((unsigned char)next) ||
                   (next && strchr("_.,/:", next) && isdigit((unsigned char)after));
    return count >= MIN_DIGITS && count <= MAX_DIGITS && !goes_on ? length : 0;
}

/* Whether the number has a line, or a text in quotes, of its own. */
static bool is_alone(const char *line, size_t at, size_t length, size_t end)
{
    bool is_begin = at == 0 || line[at - 1] == '"' || strspn(line, " \t") == at;
    return is_begin && (at + length == end || line[at + length] == '"');
}

/* One line, without its newline. */
static void mask_line(struct strbuf *out, const char *line, size_t end, bool has_code,
                      bool may_have_code)
{
    size_t at = 0;
    while (at < end) {
        bool is_start = at == 0 || !is_token_character(line[at - 1]);
        size_t length = is_start ? token_length(line + at) : 0;
        if (length == 0 && (has_code || may_have_code)) {
            length = code_length(line, at, end);
            length = has_code || is_alone(line, at, length, end) ? length : 0;
        }
        if (length > 0) {
            strbuf_add_string(out, mask_text);
            at += length;
        } else {
            strbuf_add(out, line + at++, 1);
        }
    }
}

void mask_credentials(struct strbuf *out, const char *text)
{
    int near = 0; /* lines after an announcement */
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool has_code = announces_code(text, length);
        mask_line(out, text, length, has_code, near > 0);
        near = has_code ? LINES_AFTER : near > 0 ? near - 1 : 0;
        text += length;
        if (*text) {
            strbuf_add(out, text++, 1);
        }
    }
}
