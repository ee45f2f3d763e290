#include "runner/actions/journal_answer.h"
#include "runner/base/json.h"
#include "runner/base/log.h"
#include "runner/base/response.h"
#include "runner/observe/observed.h"
#include "runner/page/core/url_pattern.h"

static const char *const types[] = { "error", "warning", "info", "debug", "verbose", NULL };

static const struct param params[] = {
    PARAM_SINCE,
    PARAM("types", CHOICES, "Only entries of these types.", .choices = types, .is_rare = true),
    PARAM("minLevel", INTEGER,
          "Only entries of at least this severity: 0 verbose, 1 debug, 2 info, 3 warning, 4 error.",
          .min = BR_LOG_VERBOSE, .max = BR_LOG_ERROR),
    PARAM("categories", NAMES, "Only entries of these categories, as in the logs of responses.",
          .min = 1, .example = "[\"console\", \"exception\"]", .is_rare = true),
    PARAM("contains", NAME,
          "Only entries with this in their message, location or stack, ignoring case."),
    PARAM("url", NAME, "Only entries with this location: a part of its URL, or a pattern with `*`.",
          .example = "*/app.js*", .is_rare = true),
    PARAM_LIMIT,
    { 0 },
};

/* Converts an event to a log entry; also the event about dropped entries. Caller finishes it. */
static struct br_log entry_of(const struct br_event *event)
{
    if (event_is_log(event->kind)) {
        return log_copy(&event->as.log);
    }
    CLEANUP_FREE char *message =
        xasprintf("%llu entries of the page were not recorded: there are too many",
                  (unsigned long long)event->as.dropped);
    struct br_log log = log_entry(BR_LOG_WARNING, BR_SOURCE_TOOL, "browser", message);
    log.timestamp_ms = event->timestamp_ms;
    return log;
}

static bool is_at(const struct br_action *action, const struct br_log *log)
{
    const char *pattern = param_text(action, "url", NULL);
    return !pattern || (log->location && url_pattern_matches(pattern, log->location));
}

static bool is_wanted(const void *data, const struct br_event *event)
{
    const struct br_action *action = data;
    if (!event_is_log(event->kind) && event->kind != BR_EVENT_DROPPED) {
        return false;
    }
    struct br_log log = entry_of(event);
    const char *const texts[] = { log.message, log.location, log.stack };
    bool is_it = journal_takes(action, "types", log_type_name(log.type)) &&
                 journal_takes(action, "categories", log.category) &&
                 log.type >= param_integer(action, "minLevel", BR_LOG_VERBOSE) &&
                 is_at(action, &log) &&
                 journal_contains(action, texts, sizeof(texts) / sizeof(texts[0]));
    log_finish(&log);
    return is_it;
}

static json_t *write(const struct br_event *event)
{
    struct br_log log = entry_of(event);
    json_t *entry = observed_log(&log);
    json_auto_t *more =
        json_pack("{s:I, s:o*, s:o*}", "id", (json_int_t)event->sequence, "action",
                  event->action_id ? json_integer((json_int_t)event->action_id) : NULL, "hint",
                  log.hint ? json_text(log.hint) : NULL);
    json_object_update(entry, more);
    log_finish(&log);
    return entry;
}

static bool run_logs(struct action_run *run, struct br_error *err)
{
    return journal_answer(run, "entries", is_wanted, write, err);
}

const struct action_type action_logs = {
    .name = "logs",
    .text = "Reads the log entries of this session so far, of the page, Chrome and the program, "
            "including those of earlier responses, from its journal, which keeps the newest 4 MB. "
            "It does not touch the page, which may even hang.",
    .params = params,
    .reads_journal = true,
    .run = run_logs,
};
