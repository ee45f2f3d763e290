#include "runner/observe/issues.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/strbuf.h"
#include "runner/observe/location.h"
#include "runner/observe/stream.h"

#include <ctype.h>
#include <string.h>

/* "MissingAllowOriginHeader" becomes "missing allow origin header". */
static void add_words(struct strbuf *text, const char *name)
{
    for (size_t i = 0; name && name[i]; i++) {
        bool is_new_word =
            i > 0 && isupper((unsigned char)name[i]) &&
            (islower((unsigned char)name[i - 1]) || islower((unsigned char)name[i + 1]));
        char lower = (char)tolower((unsigned char)name[i]);
        strbuf_add_string(text, is_new_word ? " " : "");
        strbuf_add(text, &lower, 1);
    }
}

static const char *or_else(const char *text, const char *fallback)
{
    return text && *text ? text : fallback;
}

static enum br_log_type log_csp(struct strbuf *text, const json_t *details)
{
    const char *directive = json_member_string(details, "violatedDirective");
    const char *url = json_member_string(details, "blockedURL");
    const char *type = json_member_string(details, "contentSecurityPolicyViolationType");
    bool is_report = json_member_bool(details, "isReportOnly", false);
    bool is_eval = type && strstr(type, "Eval");
    bool is_inline = type && strstr(type, "Inline");
    strbuf_add_format(text, "Content Security Policy: %s %s %s", or_else(directive, "a directive"),
                      is_report ? "would block" : "blocks",
                      or_else(url, is_eval     ? "eval"
                                   : is_inline ? "inline code"
                                               : "what the page does"));
    return is_report ? BR_LOG_WARNING : BR_LOG_ERROR;
}

static enum br_log_type log_mixed_content(struct strbuf *text, const json_t *details)
{
    const char *status = json_member_string(details, "resolutionStatus");
    const char *url = json_member_string(details, "insecureURL");
    bool is_blocked = status && strstr(status, "Blocked");
    bool is_upgraded = status && strstr(status, "Upgraded");
    strbuf_add_format(text, "mixed content on a secure page%s: %s",
                      is_blocked    ? ", blocked"
                      : is_upgraded ? ", requested by https instead"
                                    : "",
                      or_else(url, "?"));
    return is_blocked ? BR_LOG_ERROR : BR_LOG_WARNING;
}

static enum br_log_type log_cors(struct strbuf *text, const json_t *details)
{
    const json_t *status = json_object_get(details, "corsErrorStatus");
    const char *origin = json_member_string(details, "initiatorOrigin");
    const char *url = json_member_string(json_object_get(details, "request"), "url");
    bool is_warning = json_member_bool(details, "isWarning", false);
    strbuf_add_string(text, "CORS: ");
    add_words(text, or_else(json_member_string(status, "corsError"), "refused"));
    strbuf_add_format(text, ", for %s: %s", or_else(origin, "this page"), or_else(url, "?"));
    return is_warning ? BR_LOG_WARNING : BR_LOG_ERROR;
}

static void add_reasons(struct strbuf *text, const json_t *reasons, const char *prefix)
{
    size_t index;
    json_t *reason;
    json_array_foreach (reasons, index, reason) {
        const char *name = or_else(json_string_value(reason), "?");
        size_t skip = strncmp(name, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
        strbuf_add_string(text, index ? ", " : ": ");
        add_words(text, name + skip);
    }
}

static enum br_log_type log_cookie(struct strbuf *text, const json_t *details)
{
    const char *name = json_member_string(json_object_get(details, "cookie"), "name");
    const char *operation = json_member_string(details, "operation");
    const char *url = json_member_string(details, "cookieUrl");
    const json_t *reasons = json_object_get(details, "cookieExclusionReasons");
    bool is_excluded = json_array_size(reasons) > 0;
    bool is_set = operation && strcmp(operation, "SetCookie") == 0;
    strbuf_add_format(text, "cookie %s of %s %s", or_else(name, "without a name"),
                      or_else(url, "the page"),
                      !is_excluded ? "may be refused in the future"
                      : is_set     ? "was not set"
                                   : "was not sent");
    add_reasons(text, is_excluded ? reasons : json_object_get(details, "cookieWarningReasons"),
                is_excluded ? "Exclude" : "Warn");
    return BR_LOG_WARNING;
}

static enum br_log_type log_deprecation(struct strbuf *text, const json_t *details)
{
    strbuf_add_string(text, "deprecated: ");
    add_words(text, or_else(json_member_string(details, "type"), "a feature"));
    return BR_LOG_WARNING;
}

static const struct issue_type {
    const char *code, *details; /* as the protocol names them */
    const char *kind, *category;
    const char *marker; /* text in Chrome's log entry about the same issue; NULL: none */
    enum br_log_type (*say)(struct strbuf *text, const json_t *details);
} types[] = {
    { "ContentSecurityPolicyIssue", "contentSecurityPolicyIssueDetails", "csp", "browser",
      "Content Security Policy", log_csp },
    { "MixedContentIssue", "mixedContentIssueDetails", "mixed-content", "network", "Mixed Content",
      log_mixed_content },
    { "CorsIssue", "corsIssueDetails", "cors", "network", "CORS policy", log_cors },
    { "CookieIssue", "cookieIssueDetails", "cookie", "network", NULL, log_cookie },
    { "DeprecationIssue", "deprecationIssueDetails", "deprecation", "browser", NULL,
      log_deprecation },
};
enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

void issue_log(struct log_list *logs, const json_t *issue)
{
    const char *code = json_member_string(issue, "code");
    for (size_t i = 0; code && i < TYPE_COUNT; i++) {
        const struct issue_type *type = &types[i];
        if (strcmp(code, type->code) != 0) {
            continue;
        }
        CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(LOG_MAX_TEXT);
        const json_t *details = json_object_get(json_object_get(issue, "details"), type->details);
        const json_t *place = json_object_get(details, "sourceCodeLocation");
        enum br_log_type severity = type->say(&text, details);
        struct br_log log = log_entry(severity, BR_SOURCE_BROWSER, type->category, text.data);
        log.kind = type->kind;
        log.location = location_text(place ? place : json_object_get(details, "location"));
        log_put(logs, &log, 0);
    }
}

/* The subject of an issue is the last word of its sentence. */
static const char *subject_of(const struct br_log *issue)
{
    const char *last = strrchr(issue->message, ' ');
    const char *subject = last ? last + 1 : issue->message;
    return strcmp(subject, "code") == 0 ? "inline" : subject;
}

bool issue_is_told_by(const struct br_log *issue, const char *message)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (issue->kind == types[i].kind && types[i].marker) {
            return strstr(message, types[i].marker) && strstr(message, subject_of(issue));
        }
    }
    return false;
}
