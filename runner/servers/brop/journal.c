#include "runner/servers/brop/journal.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <browser_runner/error.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { MAX_TEXT = 500 };

struct line {
    int64_t at_ms;
    bool is_error;
    char *what, *who, *details;
    unsigned long long number;
};

struct brop_journal {
    pthread_mutex_t mutex; /* guards what follows */
    struct line lines[BROP_JOURNAL_MAX];
    size_t first, count;
    json_t *errors; /* the oldest first */
    unsigned long long last_number;
};

struct brop_journal *brop_journal_create(void)
{
    struct brop_journal *journal = xcalloc(1, sizeof(*journal));
    pthread_mutex_init(&journal->mutex, NULL);
    journal->errors = json_array();
    return journal;
}

static void finish_line(struct line *line)
{
    free(line->what);
    free(line->who);
    free(line->details);
}

static void clear_lines(struct brop_journal *journal)
{
    for (size_t i = 0; i < journal->count; i++) {
        finish_line(&journal->lines[(journal->first + i) % BROP_JOURNAL_MAX]);
    }
    journal->first = journal->count = 0;
}

void brop_journal_destroy(struct brop_journal *journal)
{
    if (!journal) {
        return;
    }
    clear_lines(journal);
    json_decref(journal->errors);
    pthread_mutex_destroy(&journal->mutex);
    free(journal);
}

/* Call with the mutex held. */
static void add_error(struct brop_journal *journal, const struct line *line)
{
    char id[32];
    CLEANUP_FREE char *message =
        xasprintf("%s: %s", line->what, line->details ? line->details : "");
    snprintf(id, sizeof(id), "error_%llu", line->number);
    if (json_array_size(journal->errors) == BROP_ERRORS_MAX) {
        json_array_remove(journal->errors, 0);
    }
    json_array_append_new(journal->errors,
                          json_pack("{s:s, s:I, s:s, s:o, s:s, s:s, s:s, s:{}}", "id", id,
                                    "timestamp", (json_int_t)line->at_ms, "type",
                                    "BROP Command Error", "message", json_text(message), "stack",
                                    "", "url", "browser-runner", "userAgent", "browser-runner",
                                    "context"));
}

static char *short_text(const char *text)
{
    return text ? xasprintf("%.*s", MAX_TEXT, text) : NULL;
}

void brop_journal_add(struct brop_journal *journal, bool is_error, const char *what,
                      const char *who, const char *details)
{
    struct line line = {
        .at_ms = clock_wall_ms(),
        .is_error = is_error,
        .what = short_text(what),
        .who = short_text(who),
        .details = short_text(details),
    };
    mutex_lock(&journal->mutex);
    line.number = ++journal->last_number;
    if (is_error) {
        add_error(journal, &line);
    }
    if (journal->count == BROP_JOURNAL_MAX) {
        finish_line(&journal->lines[journal->first]);
        journal->first = (journal->first + 1) % BROP_JOURNAL_MAX;
        journal->count--;
    }
    journal->lines[(journal->first + journal->count++) % BROP_JOURNAL_MAX] = line;
    mutex_unlock(&journal->mutex);
}

static json_t *line_json(const struct line *line)
{
    char at[32] = "";
    struct tm parts;
    time_t seconds = (time_t)(line->at_ms / 1000);
    if (gmtime_r(&seconds, &parts)) {
        strftime(at, sizeof(at), "%Y-%m-%d %H:%M:%S", &parts);
    }
    json_t *args = json_array();
    if (line->who) {
        json_array_append_new(args, json_text(line->who));
    }
    if (line->details) {
        json_array_append_new(args, json_text(line->details));
    }
    CLEANUP_FREE char *full =
        xasprintf("%s%s%s%s%s", line->what, line->who ? " " : "", line->who ? line->who : "",
                  line->details ? " " : "", line->details ? line->details : "");
    return json_pack("{s:s, s:o, s:o, s:o, s:s}", "timestamp", at, "message", json_text(line->what),
                     "args", args, "fullMessage", json_text(full), "level",
                     line->is_error ? "error" : "info");
}

json_t *brop_journal_json(struct brop_journal *journal, size_t limit)
{
    json_t *logs = json_array();
    mutex_lock(&journal->mutex);
    size_t total = journal->count;
    for (size_t i = limit < total ? total - limit : 0; i < total; i++) {
        json_array_append_new(logs,
                              line_json(&journal->lines[(journal->first + i) % BROP_JOURNAL_MAX]));
    }
    mutex_unlock(&journal->mutex);
    return json_pack("{s:I, s:I, s:o}", "total", (json_int_t)total, "returned",
                     (json_int_t)json_array_size(logs), "logs", logs);
}

json_t *brop_journal_errors(struct brop_journal *journal, size_t limit)
{
    json_t *errors = json_array();
    mutex_lock(&journal->mutex);
    size_t total = json_array_size(journal->errors);
    for (size_t i = total; i > 0 && json_array_size(errors) < limit; i--) {
        json_array_append_new(errors, json_deep_copy(json_array_get(journal->errors, i - 1)));
    }
    mutex_unlock(&journal->mutex);
    return json_pack("{s:o, s:I, s:i, s:{s:s, s:s, s:s}}", "errors", errors, "total_errors",
                     (json_int_t)total, "max_stored", BROP_ERRORS_MAX, "extension_info", "name",
                     "browser-runner", "version", br_version(), "id", "browser-runner");
}

size_t brop_journal_clear(struct brop_journal *journal, bool with_lines)
{
    mutex_lock(&journal->mutex);
    size_t count = json_array_size(journal->errors);
    json_array_clear(journal->errors);
    if (with_lines) {
        clear_lines(journal);
    }
    mutex_unlock(&journal->mutex);
    return count;
}
