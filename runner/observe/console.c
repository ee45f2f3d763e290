#include "runner/observe/console.h"

#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/strbuf.h"
#include "runner/observe/console_typed.h"
#include "runner/observe/console_value.h"
#include "runner/observe/issues.h"
#include "runner/observe/location.h"
#include "runner/observe/network.h"
#include "runner/observe/stream.h"

#include <string.h>

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
