#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/formats/terminal_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

/* GitHub refuses a summary over 1 MB, and all steps of a job share the limit. */
enum { MAX_MARKDOWN = 512 * 1024, MAX_ROWS = 50, MAX_CELL = 300 };

/*
 * Adds a text without a meaning in Markdown, HTML or a table: characters that could have one are
 * written as character references, which none of them interprets.
 */
static void add_plain(struct strbuf *out, const char *given)
{
    CLEANUP_FREE char *line = terminal_one_line(given);
    const char *text = line;
    size_t count = 0;
    for (; *text && count < MAX_CELL; text++, count++) {
        unsigned char byte = (unsigned char)*text;
        if (strchr("\\`*_{}[]<>()#+!|~&$@:\"'", byte)) {
            strbuf_add_format(out, "&#%d;", byte);
        } else {
            strbuf_add(out, text, 1);
        }
    }
    /* Never cuts within a character. */
    while (((unsigned char)*text & 0xC0) == 0x80) {
        strbuf_add(out, text++, 1);
    }
    if (*text) {
        strbuf_add_string(out, "…");
    }
}

static void add_code(struct strbuf *out, const char *text)
{
    strbuf_add_string(out, "<code>");
    add_plain(out, text);
    strbuf_add_string(out, "</code>");
}

static void add_totals(struct strbuf *out, const json_t *results)
{
    static const char *const signs[] = {
        [CHECK_ERROR] = "💥",        [CHECK_FAILED] = "❌",     [CHECK_NEW] = "🆕",
        [CHECK_UPDATED] = "🔁",      [CHECK_FLAKY] = "⚠️", [CHECK_NOT_RUN] = "⏹️",
        [CHECK_SKIPPED] = "⏭️", [CHECK_PASSED] = "✅",
    };
    for (enum check_status status = 0; status < CHECK_STATUS_COUNT; status++) {
        size_t count = results_count(results, status);
        if (count > 0) {
            CLEANUP_FREE char *counted = status_counted(status, count);
            strbuf_add_format(out, "%s %s · ", signs[status], counted);
        }
    }
    strbuf_add_format(out, "%.1f s\n\n", json_member_number(results, "durationMs", 0) / 1000);
}

static void add_row(struct strbuf *out, const json_t *check)
{
    const json_t *problems = json_object_get(check, "problems");
    const char *reason = results_text(check, "reason");
    const char *problem = json_string_value(json_array_get(problems, 0));
    strbuf_add_string(out, "| ");
    add_code(out, results_text(check, "id"));
    strbuf_add_format(out, " | %s | ", status_label(check_status(check)));
    add_plain(out, *reason || !problem ? reason : problem);
    strbuf_add_string(out, " | ");
    if (*results_picture(check)) {
        add_code(out, results_picture(check));
    }
    strbuf_add_string(out, " |\n");
}

/* Adds the checks that need attention, the most urgent first. */
static void add_table(struct strbuf *out, const json_t *results)
{
    size_t rows = 0;
    for (enum check_status status = 0; status <= CHECK_FLAKY; status++) {
        size_t index;
        const json_t *check;
        json_array_foreach (results_checks(results), index, check) {
            if (check_status(check) != status || rows++ >= MAX_ROWS) {
                continue;
            }
            if (rows == 1) {
                strbuf_add_string(out, "| check | | why | in the report |\n|---|---|---|---|\n");
            }
            add_row(out, check);
        }
    }
    if (rows > MAX_ROWS) {
        strbuf_add_format(out, "\n%zu more are in the report.\n", rows - MAX_ROWS);
    }
    strbuf_add_string(out, rows > 0 ? "\n" : "");
}

static void add_groups(struct strbuf *out, const json_t *results)
{
    const json_t *groups = json_object_get(results, "groups");
    size_t index;
    const json_t *group;
    json_array_foreach (groups, index, group) {
        const json_t *ids = json_object_get(group, "checks");
        if (index == 10) {
            strbuf_add_format(out, "- %zu more changes are in several checks\n",
                              json_array_size(groups) - index);
            break;
        }
        strbuf_add_format(out, "- the same change is in %zu checks, such as ",
                          json_array_size(ids));
        add_code(out, json_string_value(json_array_get(ids, 0)));
        strbuf_add_string(out, "\n");
    }
    strbuf_add_string(out, json_array_size(groups) > 0 ? "\n" : "");
}

static void add_warnings(struct strbuf *out, const json_t *results)
{
    const json_t *warnings = json_object_get(results, "warnings");
    CLEANUP_FREE char *stale = results_stale_note(results);
    size_t index;
    const json_t *warning;
    if (!json_member_bool(results, "complete", true)) {
        strbuf_add_string(out, "> ⚠️ The run ended early: not all checks were run.\n\n");
    }
    json_array_foreach (warnings, index, warning) {
        strbuf_add_string(out, "> ⚠️ ");
        add_plain(out, json_string_value(warning));
        strbuf_add_string(out, "\n\n");
        if (index == 9) {
            break;
        }
    }
    if (stale) {
        strbuf_add_format(out, "> %s.\n\n", stale);
    }
}

static bool append(const char *path, const struct strbuf *text, struct br_error *err)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    return (fd >= 0 && file_write_and_close(fd, text->data, text->length)) ||
           error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write the summary to %s", path);
}

bool report_append_markdown(const json_t *results, const char *path, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(MAX_MARKDOWN);
    strbuf_add_string(&text, "### Visual checks of ");
    add_code(&text, results_text(results, "suite"));
    strbuf_add_string(&text, "\n\n");
    add_totals(&text, results);
    add_warnings(&text, results);
    add_table(&text, results);
    add_groups(&text, results);
    return append(path, &text, err);
}
