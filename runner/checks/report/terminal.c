#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/formats/terminal_log.h"

#include <string.h>

/* Failed checks that are listed; the report has all. */
enum { MAX_LISTED = 30, MAX_PROBLEMS = 5, MAX_COMMAND = 1000 };

/* Characters of names in suites: none is special to a shell or in a glob. */
#define SUITE_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static const char color_end[] = "\033[0m";
static const char bold[] = "\033[1m";

static const char *const colors[] = {
    [CHECK_ERROR] = "\033[35m",   [CHECK_FAILED] = "\033[31m", [CHECK_NEW] = "\033[34m",
    [CHECK_UPDATED] = "\033[36m", [CHECK_FLAKY] = "\033[33m",  [CHECK_NOT_RUN] = "\033[2m",
    [CHECK_SKIPPED] = "\033[2m",  [CHECK_PASSED] = "\033[32m",
};

struct writer {
    FILE *stream;
    bool has_colors;
};

static void print(const struct writer *writer, const char *color, const char *text)
{
    CLEANUP_FREE char *harmless = terminal_harmless(text);
    fprintf(writer->stream, "%s%s%s", writer->has_colors ? color : "", harmless,
            writer->has_colors ? color_end : "");
}

static void print_line(const struct writer *writer, const char *prefix, const char *text)
{
    CLEANUP_FREE char *harmless = terminal_harmless(text);
    fprintf(writer->stream, "%s%s\n", prefix, harmless);
}

static void print_lines(const struct writer *writer, const char *prefix, const json_t *texts)
{
    size_t count = json_array_size(texts);
    for (size_t i = 0; i < count && i < MAX_PROBLEMS; i++) {
        print_line(writer, prefix, json_string_value(json_array_get(texts, i)));
    }
    if (count > MAX_PROBLEMS) {
        fprintf(writer->stream, "%s%zu more\n", prefix, count - MAX_PROBLEMS);
    }
}

/* Prints "failed home@desktop: 1,234 of 921,600 pixels differ" and details. */
static void print_check(const struct writer *writer, const json_t *check)
{
    enum check_status status = check_status(check);
    json_auto_t *problems = results_other_problems(check);
    const char *reason = results_text(check, "reason");
    fprintf(writer->stream, "  ");
    print(writer, colors[status], status_label(status));
    fprintf(writer->stream, "%*s", (int)(9 - strlen(status_label(status))), "");
    print(writer, bold, results_text(check, "id"));
    print_line(writer, *reason ? ": " : "", reason);
    if (*results_text(check, "hint")) {
        print_line(writer, "           ", results_text(check, "hint"));
    }
    print_lines(writer, "           ", problems);
    print_lines(writer, "           unstable: ", json_object_get(check, "unstable"));
}

/* Lists those of a status, whether they were stable or not. */
static void print_those(const struct writer *writer, const json_t *results,
                        enum check_status status, bool is_unstable, size_t *listed)
{
    size_t index;
    const json_t *check;
    json_array_foreach (results_checks(results), index, check) {
        bool is_that = check_status(check) == status &&
                       (json_array_size(json_object_get(check, "unstable")) > 0) == is_unstable;
        if (is_that && (*listed)++ < MAX_LISTED) {
            print_check(writer, check);
        }
    }
}

/* Unstable pictures come first: as baselines they make the check fail again and again. */
static void print_checks(const struct writer *writer, const json_t *results)
{
    size_t listed = 0;
    for (enum check_status status = 0; status <= CHECK_FLAKY; status++) {
        print_those(writer, results, status, true, &listed);
        print_those(writer, results, status, false, &listed);
    }
    if (listed > MAX_LISTED) {
        fprintf(writer->stream, "  and %zu more\n", listed - MAX_LISTED);
    }
    fputs(listed > 0 ? "\n" : "", writer->stream);
}

static void print_totals(const struct writer *writer, const json_t *results)
{
    fprintf(writer->stream, "%zu checks: ", json_array_size(results_checks(results)));
    for (enum check_status status = 0; status < CHECK_STATUS_COUNT; status++) {
        size_t count = results_count(results, status);
        if (count > 0) {
            CLEANUP_FREE char *text = status_counted(status, count);
            print(writer, colors[status], text);
            fputs(", ", writer->stream);
        }
    }
    fprintf(writer->stream, "in %.1f s\n", json_member_number(results, "durationMs", 0) / 1000);
}

/* Counts by check names how many viewports are to be approved. Caller decrefs. */
static json_t *count_names(const json_t *results)
{
    json_t *counts = json_object();
    size_t index;
    const json_t *check;
    json_array_foreach (results_checks(results), index, check) {
        const char *name = results_text(check, "name");
        json_int_t count = json_integer_value(json_object_get(counts, name));
        if (*results_text(check, "approve")) {
            json_object_set_new(counts, name, json_integer(count + 1));
        }
    }
    return counts;
}

/*
 * Returns the option for the check, as in its command. Several viewports of a check share one glob:
 * NULL if that was already printed, which a 0 in `counts` marks. Caller frees.
 */
static char *option_of(const json_t *check, json_t *counts)
{
    static const char option[] = " --approve ";
    const char *approve = results_text(check, "approve");
    const char *name = results_text(check, "name");
    const char *word = strstr(approve, option);
    json_int_t count = json_integer_value(json_object_get(counts, name));
    if (!word || count == 1 || strspn(name, SUITE_NAME_CHARACTERS) != strlen(name)) {
        return xstrdup(word ? word : approve);
    }
    json_object_set_new(counts, name, json_integer(0));
    return count > 0 ? xasprintf("%s'%s@*'", option, name) : NULL;
}

/*
 * Prints one command for everything to approve if it is short enough to read; otherwise one that
 * approves everything in the report.
 */
static void print_approval(const struct writer *writer, const json_t *results)
{
    CLEANUP_STRBUF struct strbuf command = STRBUF_INIT(MAX_COMMAND);
    CLEANUP_FREE char *program = NULL;
    json_auto_t *counts = count_names(results);
    size_t count = 0;
    size_t index;
    const json_t *check;
    json_array_foreach (results_checks(results), index, check) {
        const char *approve = results_text(check, "approve");
        if (!*approve || command.overflowed) {
            count += *approve != '\0';
            continue;
        }
        if (count++ == 0) {
            const char *end = strstr(approve, " --approve ");
            program = xstrndup(approve, end ? (size_t)(end - approve) : strlen(approve));
            strbuf_add_string(&command, end ? program : "");
        }
        CLEANUP_FREE char *option = option_of(check, counts);
        strbuf_add_string(&command, option ? option : "");
    }
    if (command.overflowed) {
        CLEANUP_FREE char *all = xasprintf("%s --approve '*'", program);
        CLEANUP_FREE char *before = xasprintf("approve all %zu: ", count);
        print_line(writer, before, all);
    } else if (count > 0) {
        print_line(writer, "approve: ", command.data);
    }
}

void report_print(const json_t *results, const struct report_terminal *terminal, FILE *stream)
{
    const struct writer writer = { .stream = stream, .has_colors = terminal->has_colors };
    const json_t *warnings = json_object_get(results, "warnings");
    CLEANUP_FREE char *stale = results_stale_note(results);
    print_checks(&writer, results);
    print_lines(&writer, "warning: ", warnings);
    if (!json_member_bool(results, "complete", true)) {
        fputs("warning: the run ended early: not all checks were run\n", stream);
    }
    if (stale) {
        print_line(&writer, "stale: ", stale);
    }
    print_totals(&writer, results);
    if (terminal->directory) {
        CLEANUP_FREE char *page = xasprintf("%s/index.html", terminal->directory);
        print_line(&writer, "report: ", page);
    }
    print_approval(&writer, results);
}
