#include "runner/observe/console.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/strbuf.h"
#include "runner/observe/console_typed.h"
#include "runner/observe/console_value.h"
#include "runner/observe/network.h"
#include "runner/observe/stream.h"

#include <browser_runner/response.h>
#include <ctype.h>
#include <jansson.h>
#include <string.h>

enum { MAX_STACK_FRAMES = 50, MAX_FUNCTION_NAME = 200 };

/*
 * Returns "url:line:column", counted from 1, for a call frame or the like; NULL without url. Caller
 * frees.
 */
static char *location_text(const json_t *place)
{
    const char *url = json_member_string(place, "url");
    if (!url || !*url) {
        return NULL;
    }
    /* The protocol counts lines and columns from 0. */
    return xasprintf("%s:%d:%d", url, (int)json_member_number(place, "lineNumber", 0) + 1,
                     (int)json_member_number(place, "columnNumber", 0) + 1);
}

/* Formats a Runtime.StackTrace, one frame a line; NULL if it is empty. Caller frees. */
static char *stack_text(const json_t *trace)
{
    struct strbuf text = STRBUF_INIT(LOG_MAX_TEXT);
    size_t index;
    json_t *frame;
    json_array_foreach (json_object_get(trace, "callFrames"), index, frame) {
        CLEANUP_FREE char *location = location_text(frame);
        CLEANUP_FREE char *function =
            cut_text(json_member_string(frame, "functionName"), MAX_FUNCTION_NAME);
        if (index == MAX_STACK_FRAMES || text.overflowed) {
            break;
        }
        strbuf_add_format(&text, "%sat %s (%s)", index ? "\n" : "",
                          function && *function ? function : "<anonymous>",
                          location ? location : "native");
    }
    if (text.length == 0) {
        strbuf_finish(&text);
        return NULL;
    }
    return strbuf_take(&text);
}

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

/*
 * Logs an Audits.InspectorIssue of content security, mixed content, CORS, cookies or deprecation;
 * ignores others.
 */
static void issue_log(struct log_list *logs, const json_t *issue)
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

/* Whether a message of Chrome's log reports the same as the entry of an issue. */
static bool issue_is_told_by(const struct br_log *issue, const char *message)
{
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        if (issue->kind == types[i].kind && types[i].marker) {
            return strstr(message, types[i].marker) && strstr(message, subject_of(issue));
        }
    }
    return false;
}

/*
 * Chrome logs this for every observer of performance entries, which includes us: it does not
 * concern the page.
 */
static const char noise[] = "Deprecated API for given entry type";

/*
 * Limit of the composed text before it is cut to LOG_MAX_TEXT. A part that does not fit is dropped
 * completely: the text is then long enough to be cut, and its mark says so.
 */
enum { CONSOLE_MAX_TEXT = 4 * LOG_MAX_TEXT };

/*
 * How long a call waits for the values of its arguments, if a subscriber wants them: the page
 * answers between two of its tasks, and late on a busy machine.
 */
enum { VALUES_WAIT_MS = 2000 };

/* CDP's names of console calls and log levels; any other is information. */
static const struct {
    const char *name;
    enum br_log_type type;
} levels[] = {
    { "error", BR_LOG_ERROR },     { "assert", BR_LOG_ERROR },     { "warning", BR_LOG_WARNING },
    { "debug", BR_LOG_DEBUG },     { "trace", BR_LOG_DEBUG },      { "verbose", BR_LOG_VERBOSE },
    { "startGroup", BR_LOG_INFO }, { "endGroup", BR_LOG_VERBOSE },
};

static enum br_log_type level_of(const char *name)
{
    for (size_t i = 0; name && i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (strcmp(name, levels[i].name) == 0) {
            return levels[i].type;
        }
    }
    return BR_LOG_INFO;
}

static void set_timestamp(struct br_log *log, const json_t *params)
{
    double timestamp = json_member_number(params, "timestamp", 0);
    if (timestamp > 0) {
        log->timestamp_ms = (int64_t)timestamp;
    }
}

static bool is_noise(const char *message)
{
    return message && strncmp(message, noise, strlen(noise)) == 0;
}

/* Returns the arguments whose previews are incomplete. Caller decrefs. */
static json_t *shallow_arguments(const json_t *args)
{
    size_t index;
    json_t *arg;
    json_t *objects = json_array();
    json_array_foreach (args, index, arg) {
        if (console_is_shallow(arg)) {
            json_array_append(objects, arg);
        }
    }
    return objects;
}

static void set_values(struct br_log *log, const json_t *args, const json_t *values, size_t first)
{
    json_auto_t *typed = console_typed_values(args, values, first);
    free(log->arguments);
    log->arguments = json_dumps(typed, JSON_COMPACT);
}

/* Logs the call, and notes which details to request; exceptions have no values. */
static void put_call(struct console_recorder *recorder, struct br_log *log, json_t *params,
                     bool is_thrown)
{
    const json_t *args = json_object_get(params, "args");
    bool wants_values = !is_thrown && stream_wants_values(recorder->logs->stream);
    struct console_wanted wanted = {
        .objects = recorder->tab ? json_array() : shallow_arguments(args),
        .wants_values = wants_values && console_wants_values(args),
    };
    bool is_enough = json_array_size(wanted.objects) == 0 && !wanted.wants_values;
    if (wants_values) {
        set_values(log, args, NULL, 0);
    }
    int64_t wait_ms = wanted.wants_values ? VALUES_WAIT_MS : STREAM_WAIT_MS;
    wanted.log = log_put(recorder->logs, log, is_enough ? 0 : wait_ms);
    if (is_enough) {
        console_wanted_finish(&wanted);
        return;
    }
    wanted.params = json_incref(params);
    console_wanted_finish(&recorder->wanted);
    recorder->wanted = wanted;
}

/*
 * Adds the call's text. Chrome gives an assertion without a message the function's name as the
 * message.
 */
static void add_call(struct strbuf *text, const json_t *params)
{
    const char *type = json_member_string(params, "type");
    const json_t *args = json_object_get(params, "args");
    const char *first = json_member_string(json_array_get(args, 0), "value");
    bool is_assertion = type && strcmp(type, "assert") == 0;
    bool is_bare = json_array_size(args) == 0 ||
                   (json_array_size(args) == 1 && first && strcmp(first, "console.assert") == 0);
    if (is_assertion) {
        strbuf_add_string(text, is_bare ? "Assertion failed" : "Assertion failed: ");
    }
    if (!is_assertion || !is_bare) {
        console_add_arguments(text, args);
    }
}

static void on_console_call(struct console_recorder *recorder, json_t *params)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(CONSOLE_MAX_TEXT);
    const char *type = json_member_string(params, "type");
    add_call(&text, params);
    if (!recorder->logs || is_noise(text.data)) {
        return;
    }
    json_t *trace = json_object_get(params, "stackTrace");
    struct br_log log = log_entry(level_of(type), BR_SOURCE_BROWSER, "console", text.data);
    log.method = xstrdup(type ? type : "log");
    log.location = location_text(json_array_get(json_object_get(trace, "callFrames"), 0));
    bool is_trace = type && strcmp(type, "trace") == 0;
    log.stack = log.type >= BR_LOG_WARNING || is_trace ? stack_text(trace) : NULL;
    set_timestamp(&log, params);
    put_call(recorder, &log, params, false);
}

static void on_exception(struct console_recorder *recorder, json_t *params)
{
    json_t *details = json_object_get(params, "exceptionDetails");
    json_t *exception = json_object_get(details, "exception");
    const char *text = json_member_string(details, "text");
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(CONSOLE_MAX_TEXT);
    /*
     * In the form of a console call, so that the causes of an error are requested in the same way.
     */
    json_auto_t *call = json_pack("{s:[{s:s, s:s}], s:O*}", "args", "type", "string", "value",
                                  text ? text : "Uncaught", "executionContextId",
                                  json_object_get(details, "executionContextId"));
    if (exception) {
        json_array_append(json_object_get(call, "args"), exception);
    }
    add_call(&message, call);
    recorder->js_errors += recorder->tab == 0;
    struct br_log log = log_entry(BR_LOG_ERROR, BR_SOURCE_BROWSER, "javascript", message.data);
    bool is_rejection = text && strstr(text, "(in promise)");
    log.kind = is_rejection ? "rejection" : "exception";
    log.location = location_text(details);
    log.stack = stack_text(json_object_get(details, "stackTrace"));
    set_timestamp(&log, params);
    if (recorder->logs && console_is_error(exception)) {
        put_call(recorder, &log, call, true);
    } else {
        log_put(recorder->logs, &log, 0);
    }
}

/* The worker has a session of its own from now on: the page's reports about it are duplicates. */
static void note_worker(struct console_recorder *recorder, const json_t *params)
{
    const json_t *target = json_object_get(params, "targetInfo");
    const char *type = json_member_string(target, "type");
    if (type && strstr(type, "worker")) {
        char **place = &recorder->workers[recorder->worker_count++ % CONSOLE_MAX_WORKERS];
        free(*place);
        *place = xstrdup(json_member_string(target, "targetId"));
    }
}

static bool speaks_for_itself(const struct console_recorder *recorder, const char *worker_id)
{
    for (size_t i = 0; worker_id && i < CONSOLE_MAX_WORKERS; i++) {
        if (recorder->workers[i] && strcmp(recorder->workers[i], worker_id) == 0) {
            return true;
        }
    }
    return false;
}

static void on_log_entry(struct console_recorder *recorder, json_t *params)
{
    json_t *entry = json_object_get(params, "entry");
    const char *text = json_member_string(entry, "text");
    const char *url = json_member_string(entry, "url");
    const char *source = json_member_string(entry, "source");
    bool is_network = source && strcmp(source, "network") == 0;
    bool is_resource = json_member_bool(entry, NETWORK_IS_RESOURCE, false);
    bool is_worker = source && strcmp(source, "worker") == 0;
    if (is_noise(text) || speaks_for_itself(recorder, json_member_string(entry, "workerId"))) {
        return;
    }
    struct br_log log = log_entry(level_of(json_member_string(entry, "level")), BR_SOURCE_BROWSER,
                                  is_resource  ? "resource"
                                  : is_network ? "network"
                                               : "browser",
                                  text ? text : "");
    log.kind = is_worker ? "worker" : NULL;
    log.location = json_object_get(entry, "lineNumber") ? location_text(entry) : xstrdup(url);
    log.stack = stack_text(json_object_get(entry, "stackTrace"));
    set_timestamp(&log, entry);
    log_put(recorder->logs, &log, 0);
}

static void on_issue(struct console_recorder *recorder, json_t *params)
{
    issue_log(recorder->logs, json_object_get(params, "issue"));
}

/* The events that are log entries; when the list is full, they are not even parsed. */
static const struct {
    const char *method;
    void (*apply)(struct console_recorder *recorder, json_t *params);
} sayings[] = {
    { "Runtime.consoleAPICalled", on_console_call },
    { "Runtime.exceptionThrown", on_exception },
    { "Log.entryAdded", on_log_entry },
    { "Audits.issueAdded", on_issue },
};
enum { SAYINGS = sizeof(sayings) / sizeof(sayings[0]) };

/* Returns the index in the table; SAYINGS if the event is not a log entry. */
static size_t saying_of(const char *method)
{
    size_t i = 0;
    while (i < SAYINGS && strcmp(method, sayings[i].method) != 0) {
        i++;
    }
    return i;
}

bool console_skip(struct console_recorder *recorder, const char *method)
{
    size_t saying = saying_of(method);
    bool is_page = recorder->tab == 0;
    if (saying == SAYINGS || !recorder->logs || (is_page && !log_list_is_full(recorder->logs)) ||
        !stream_is_flooded(recorder->logs->stream)) {
        return false;
    }
    recorder->logs->dropped += is_page;
    stream_drop(recorder->logs->stream, 1);
    recorder->js_errors += is_page && sayings[saying].apply == on_exception;
    return true;
}

bool console_on_event(struct console_recorder *recorder, const char *method, json_t *params)
{
    size_t saying = saying_of(method);
    if (strcmp(method, "Target.attachedToTarget") == 0) {
        note_worker(recorder, params);
    }
    if (saying < SAYINGS) {
        sayings[saying].apply(recorder, params);
    }
    return saying < SAYINGS;
}

void console_wanted_finish(struct console_wanted *wanted)
{
    json_decref(wanted->params);
    json_decref(wanted->objects);
    *wanted = (struct console_wanted){ 0 };
}

void console_finish(struct console_recorder *recorder)
{
    console_wanted_finish(&recorder->wanted);
    for (size_t i = 0; i < CONSOLE_MAX_WORKERS; i++) {
        free(TAKE(recorder->workers[i]));
    }
}

bool console_take_wanted(struct console_recorder *recorder, struct console_wanted *ret_wanted)
{
    *ret_wanted = recorder->wanted;
    recorder->wanted = (struct console_wanted){ 0 };
    return ret_wanted->params;
}

/* Returns the entry, in the stream or already in the list; NULL if it is in neither. */
static struct br_log *find_log(const struct console_recorder *recorder, uint64_t id)
{
    struct br_event *event = recorder->logs ? stream_waiting(recorder->logs->stream, id) : NULL;
    return event ? &event->as.log : recorder->logs ? log_list_find(recorder->logs, id) : NULL;
}

void console_set_objects(struct console_recorder *recorder, const struct console_wanted *wanted,
                         const json_t *members)
{
    size_t index;
    json_t *object;
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(CONSOLE_MAX_TEXT);
    struct br_log *log = find_log(recorder, wanted->log);
    json_array_foreach (wanted->objects, index, object) {
        json_object_set(object, "members", json_array_get(members, index));
    }
    add_call(&text, wanted->params);
    if (log && text.length > 0) {
        log_set_message(log, text.data);
        log_list_count(recorder->logs);
    }
}

void console_set_values(struct console_recorder *recorder, const struct console_wanted *wanted,
                        const json_t *values, size_t *first)
{
    const json_t *args = json_object_get(wanted->params, "args");
    struct br_log *log = find_log(recorder, wanted->log);
    if (log) {
        set_values(log, args, values, *first);
    }
    *first += json_array_size(args);
}

void console_let_go(struct console_recorder *recorder, const struct console_wanted *wanted)
{
    if (recorder->logs) {
        stream_let_go(recorder->logs->stream, wanted->log);
    }
}

/* Whether the other entry reports the same. */
static bool is_duplicate_of(const struct br_log *log, const struct br_log *other)
{
    bool is_browser = other->source == BR_SOURCE_BROWSER;
    if (log->kind && strcmp(log->kind, "worker") == 0) {
        bool is_same_place = log->stack && other->location && strstr(log->stack, other->location);
        return is_browser && other->kind != log->kind && other->type == log->type &&
               (is_same_place || strncmp(other->message, log->message, strlen(log->message)) == 0);
    }
    return is_browser && !other->kind && issue_is_told_by(log, other->message);
}

void console_drop_twins(struct log_list *logs)
{
    size_t kept = 0;
    for (size_t i = 0; logs && i < logs->count; i++) {
        struct br_log *log = &logs->items[i];
        bool is_told = false;
        for (size_t k = 0; log->kind && k < logs->count && !is_told; k++) {
            bool is_gone = k >= kept && k < i;
            is_told = k != i && !is_gone && is_duplicate_of(log, &logs->items[k]);
        }
        if (is_told) {
            log_finish(log);
        } else {
            logs->items[kept++] = *log;
        }
    }
    if (logs) {
        log_list_shrink(logs, kept);
    }
}
