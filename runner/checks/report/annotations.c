/*
 * GitHub's workflow commands: "::error title=…::message" on a line of its own. In a value %, \r and
 * \n are escaped, in a property also : and ,; so no text of a page can begin a command.
 */
#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/base/unicode.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/formats/terminal_log.h"

#include <string.h>

/* GitHub shows this many of a step's errors, and of its warnings, and drops the others. */
enum { MAX_SHOWN = 10, MAX_MESSAGE = 4000 };

/* Other control characters and direction marks would change the look of the job's log, or worse. */
static void add_escaped(struct strbuf *out, const char *text, const char *escaped)
{
    while (*text) {
        const char *start = text;
        uint32_t character = unicode_decode(&text);
        if (character < 0x80 && strchr(escaped, (int)character)) {
            strbuf_add_format(out, "%%%02X", (unsigned)character);
        } else if (unicode_is_control(character)) {
            strbuf_add_string(out, "\xEF\xBF\xBD");
        } else {
            strbuf_add(out, start, (size_t)(text - start));
        }
    }
}

static void print_command(FILE *stream, const char *level, const json_t *results, const char *title,
                          const char *message)
{
    CLEANUP_STRBUF struct strbuf line = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(MAX_MESSAGE);
    add_escaped(&text, message, "%\r\n");
    strbuf_add_format(&line, "::%s file=", level);
    add_escaped(&line, results_text(results, "suite"), "%\r\n:,");
    strbuf_add_string(&line, ",title=");
    add_escaped(&line, title, "%\r\n:,");
    strbuf_add_string(&line, "::");
    strbuf_add_string(&line, text.data);
    fprintf(stream, "%s\n", line.data);
}

static void print_check(FILE *stream, const char *level, const json_t *results, const json_t *check)
{
    CLEANUP_STRBUF struct strbuf message = STRBUF_INIT(MAX_MESSAGE);
    json_auto_t *problems = results_other_problems(check);
    size_t index;
    const json_t *problem;
    strbuf_add_string(&message, results_text(check, "reason"));
    if (*results_text(check, "hint")) {
        strbuf_add_string(&message, "\n");
        strbuf_add_string(&message, results_text(check, "hint"));
    }
    json_array_foreach (problems, index, problem) {
        strbuf_add_string(&message, message.length > 0 ? "\n" : "");
        strbuf_add_string(&message, json_string_value(problem));
    }
    if (*results_picture(check)) {
        strbuf_add_string(&message, "\nin the report: ");
        strbuf_add_string(&message, results_picture(check));
    }
    if (*results_text(check, "approve")) {
        strbuf_add_string(&message, "\nto approve: ");
        strbuf_add_string(&message, results_text(check, "approve"));
    }
    print_command(stream, level, results, results_text(check, "id"),
                  message.length > 0 ? message.data : status_label(check_status(check)));
}

static void print_errors(FILE *stream, const json_t *results)
{
    size_t total = results_count(results, CHECK_ERROR) + results_count(results, CHECK_FAILED);
    /* The last annotation says how many more there are. */
    size_t most = total > MAX_SHOWN ? MAX_SHOWN - 1 : total;
    size_t shown = 0;
    for (enum check_status status = CHECK_ERROR; status <= CHECK_FAILED; status++) {
        size_t index;
        const json_t *check;
        json_array_foreach (results_checks(results), index, check) {
            if (check_status(check) == status && shown < most) {
                print_check(stream, "error", results, check);
                shown++;
            }
        }
    }
    if (total > shown) {
        CLEANUP_FREE char *message =
            xasprintf("%zu more checks failed: the report has them all", total - shown);
        print_command(stream, "error", results, "visual checks", message);
    }
}

static void print_warnings(FILE *stream, const json_t *results)
{
    size_t shown = 0;
    size_t index;
    const json_t *warning, *check;
    if (!json_member_bool(results, "complete", true)) {
        print_command(stream, "warning", results, "visual checks",
                      "the run ended early: not all checks were run");
        shown++;
    }
    json_array_foreach (json_object_get(results, "warnings"), index, warning) {
        if (shown++ < MAX_SHOWN) {
            print_command(stream, "warning", results, "visual checks", json_string_value(warning));
        }
    }
    json_array_foreach (results_checks(results), index, check) {
        if (check_status(check) == CHECK_FLAKY && shown++ < MAX_SHOWN) {
            print_check(stream, "warning", results, check);
        }
    }
}

void report_print_annotations(const json_t *results, FILE *stream)
{
    print_errors(stream, results);
    print_warnings(stream, results);
}
