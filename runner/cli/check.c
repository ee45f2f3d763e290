#include "runner/base/json.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/checks/approve.h"
#include "runner/checks/archive.h"
#include "runner/checks/init.h"
#include "runner/checks/report/command.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/checks/review.h"
#include "runner/checks/run.h"
#include "runner/checks/suite_load.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/serving.h"
#include "runner/formats/terminal_log.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PROBLEMS = 256 * 1024, DEFAULT_RETRIES = 1 };

/* Whether a CI system has set the variable; "false" and "0" count as unset. */
static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "false") != 0 && strcmp(value, "0") != 0;
}

static char *report_of(const struct cli_options *options, const char *suite)
{
    return options->check.report ? xstrdup(options->check.report) : suite_report_folder(suite);
}

/* Returns the command that approves pictures of this report. Caller frees. */
static char *command_of(const struct cli_options *options, const char *suite)
{
    return approve_command(suite, options->check.report, NULL);
}

static void clear_progress(void)
{
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
}

/* Shown only on a terminal. */
static void show_progress(void *data, const json_t *check, size_t done, size_t total)
{
    (void)data;
    if (isatty(STDERR_FILENO)) {
        clear_progress();
        CLEANUP_FREE char *id = terminal_one_line(results_text(check, "id"));
        fprintf(stderr, "[%zu/%zu] %s", done, total, id);
        fflush(stderr);
    }
}

/* Writes all reports that are made from the results. */
static bool write_reports(const struct cli_options *options, const json_t *results,
                          const char *report, struct br_error *err)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    struct report_terminal terminal = {
        .directory = report,
        .has_colors = isatty(STDOUT_FILENO) && !getenv("NO_COLOR"),
    };
    if (!report_write(results, report, err)) {
        return false;
    }
    if (is_set("GITHUB_ACTIONS")) {
        report_print_annotations(results, stdout);
    }
    report_print(results, &terminal, stdout);
    return (!options->check.junit ||
            report_write_junit(results, report, options->check.junit, err)) &&
           (!summary || !*summary || report_append_markdown(results, summary, err));
}

/* A run that ended early, or that ran no check, is not a success. */
static int exit_code_of(const struct cli_options *options, const json_t *results)
{
    size_t bad = results_count(results, CHECK_FAILED) + results_count(results, CHECK_ERROR);
    size_t flaky = results_count(results, CHECK_FLAKY);
    size_t good = results_count(results, CHECK_PASSED) + results_count(results, CHECK_NEW) +
                  results_count(results, CHECK_UPDATED) + flaky;
    bool is_complete = json_member_bool(results, "complete", false);
    if (json_object_get(results, "shard") && json_array_size(results_checks(results)) == 0) {
        return EXIT_SUCCESS;
    }
    if (bad == 0 && good == 0) {
        cli_warn("no check was run");
    }
    bool is_fine =
        bad == 0 && good > 0 && is_complete && !(options->check.fails_on_flaky && flaky > 0);
    return is_fine ? EXIT_SUCCESS : EXIT_ACTION_FAILED;
}

static int report_results(const struct cli_options *options, const json_t *results,
                          const char *report)
{
    struct br_error err = { 0 };
    if (!write_reports(options, results, report, &err)) {
        cli_print_error(&err);
        return EXIT_ACTION_FAILED;
    }
    return exit_code_of(options, results);
}

static int jobs_of(const struct cli_options *options)
{
    return options->check.jobs ? options->check.jobs : platform_processors();
}

/*
 * Loads the report of an earlier run: if it is missing, as in the very first run, the checks are
 * dealt in turn.
 */
static bool load_timings(const struct cli_check_options *given, json_t **ret_timings,
                         struct br_error *err)
{
    CLEANUP_FREE char *path = given->timings ? xasprintf("%s/results.json", given->timings) : NULL;
    if (!path) {
        return true;
    }
    if (access(path, F_OK) != 0) {
        cli_warn("%s does not exist: the shards are dealt in turn", path);
        return true;
    }
    *ret_timings = report_load(given->timings, err);
    return *ret_timings;
}

/* Checks before the first check that the files beside the report can be written. */
static bool prepare_files(const struct cli_check_options *given, struct br_error *err)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    int fd = -1;
    if (summary && *summary) {
        fd = open(summary, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
        if (fd < 0) {
            error_set_errno(err, BR_INVALID_ACTION, errno, "cannot write the summary to %s",
                            summary);
            return error_hint(err, "unset GITHUB_STEP_SUMMARY, or set it to a file");
        }
        close(fd);
    }
    return !given->junit || report_file_prepare(given->junit, "--junit FILE", err);
}

/* Refuses --update in CI, where no person has seen the pictures that would become baselines. */
static bool check_update(const struct cli_check_options *given, bool is_ci, struct br_error *err)
{
    if (given->update && given->against) {
        return error_set(err, BR_INVALID_ACTION,
                         "--against and --update exclude each other: "
                         "--against uses no baselines");
    }
    if (given->update && is_ci && !given->is_forced) {
        error_set(err, BR_INVALID_ACTION,
                  "--update is refused in CI: it would make any picture a baseline");
        return error_hint(err, "run it where the pictures are looked at, or add --force");
    }
    return true;
}

static int run_suite(const struct cli_options *options, struct suite *suite)
{
    const struct cli_check_options *given = &options->check;
    bool is_ci = given->is_ci || is_set("CI");
    CLEANUP_FREE char *report = report_of(options, suite->file);
    CLEANUP_FREE char *command = command_of(options, suite->file);
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    struct br_error err = { 0 };
    struct check_options run = {
        .browser = &options->browser,
        .session = &options->session,
        .report = report,
        .command = command,
        .select = { .names = given->names.items,
                    .tags = given->tags.items,
                    .shard_index = given->shard_index,
                    .shard_total = given->shard_total },
        .jobs = jobs_of(options),
        .retries = given->retries >= 0 ? given->retries : DEFAULT_RETRIES,
        .max_failures = given->max_failures,
        .against = given->against,
        .is_ci = is_ci,
        .allows_errors = given->allows_errors,
        .update = given->update             ? given->update
                  : is_ci || given->against ? UPDATE_NONE
                                            : UPDATE_MISSING,
        .interrupt_fd = interrupt_fd(interrupt),
        .on_result = show_progress,
    };
    json_auto_t *timings = NULL;
    bool is_fine = suite_load_clock(suite, options->has_virtual_clock,
                                    options->has_at ? options->at_ms : -1, &err) &&
                   check_update(given, is_ci, &err) && prepare_files(given, &err) &&
                   load_timings(given, &timings, &err);
    run.select.timings = timings;
    json_auto_t *results = is_fine ? check_run(suite, &run, &err) : NULL;
    clear_progress();
    int exit_code = EXIT_SUCCESS;
    if (results) {
        exit_code = report_results(options, results, report);
    } else {
        cli_print_error(&err);
        exit_code = cli_exit_code(&err);
    }
    if (interrupt_was_received(interrupt)) {
        exit_code = EXIT_INTERRUPTED;
    }
    interrupt_destroy(interrupt);
    return exit_code;
}

static int prune(const struct suite *suite)
{
    struct br_error err = { 0 };
    size_t index;
    json_t *name;
    json_auto_t *stale = baseline_stale(suite);
    if (!baseline_prune(suite, stale, &err)) {
        cli_print_error(&err);
        return EXIT_ACTION_FAILED;
    }
    json_array_foreach (stale, index, name) {
        CLEANUP_FREE char *path =
            xasprintf("%s/%s", suite->shown_baselines, json_string_value(name));
        CLEANUP_FREE char *shown = terminal_one_line(path);
        printf("removed %s\n", shown);
    }
    return EXIT_SUCCESS;
}

static int approve_named(const struct cli_options *options, const struct suite *suite)
{
    struct br_error err = { 0 };
    size_t index;
    json_t *id;
    CLEANUP_FREE char *report = report_of(options, suite->file);
    json_auto_t *ids = approve(suite, report, options->check.approved.items, &err);
    if (!ids) {
        cli_print_error(&err);
        return cli_exit_code(&err);
    }
    json_array_foreach (ids, index, id) {
        CLEANUP_FREE char *shown = terminal_one_line(json_string_value(id));
        printf("approved %s\n", shown);
    }
    return EXIT_SUCCESS;
}

/* `check merge DIR…` */
static int merge(const struct cli_options *options)
{
    struct br_error err = { 0 };
    const char *report = options->check.report ? options->check.report : "smoke.report";
    const char *const *directories = (const char *const *)options->operands + 1;
    json_t *results = NULL;
    if (options->operand_count < 2) {
        error_set(&err, BR_INVALID_ACTION, "merge needs the folders of reports after it");
    } else if (report_folder_make(report, &err) && prepare_files(&options->check, &err)) {
        results = report_merge(directories, options->operand_count - 1, report, &err);
    }
    if (!results) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    int exit_code = report_results(options, results, report);
    json_decref(results);
    return exit_code;
}

static int init(const struct cli_options *options)
{
    struct br_error err = { 0 };
    const char *file = options->operands[0];
    if (options->operand_count < 2) {
        error_set(&err, BR_INVALID_ACTION, "--init needs the URLs of pages after the file");
        error_hint(&err, "browser-runner check --init %s http://localhost:3000/", file);
    } else if (check_init(file, (const char *const *)options->operands + 1,
                          options->operand_count - 1, &err)) {
        printf("wrote %s; next: browser-runner check %s\n"
               "\"strict\" in it also finds slightly changed colours, in areas of 1000 pixels and "
               "more; remove it if the pages' colours vary\n",
               file, file);
        return EXIT_SUCCESS;
    }
    cli_print_error(&err);
    return EXIT_USAGE;
}

static const char default_suite[] = "smoke.json";

/* The written suite is read again: whatever it lacks is said with its place. */
static int import(const struct cli_options *options)
{
    struct br_error err = { 0 };
    const char *file = options->output ? options->output : default_suite;
    json_auto_t *notes =
        import_suite(options->check.imported, file, options->check.baselines, &err);
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(MAX_PROBLEMS);
    size_t index;
    json_t *text;
    if (!notes) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    json_array_foreach (notes, index, text) {
        CLEANUP_FREE char *shown = terminal_one_line(json_string_value(text));
        printf("not taken: %s\n", shown);
    }
    struct suite *suite = suite_load(file, &problems);
    printf("wrote %s", file);
    if (suite) {
        printf(": %zu checks; next: browser-runner check %s", suite->check_count, file);
    }
    puts("");
    fputs(problems.data, stderr);
    suite_destroy(suite);
    return suite ? EXIT_SUCCESS : EXIT_USAGE;
}

/* What the operands name. */
struct subject {
    char *suite;    /* file */
    char *report;   /* folder */
    char *unpacked; /* the folder to which a report was unpacked; NULL: it was none */
};

static bool is_archive(const char *operand)
{
    size_t length = strlen(operand);
    return length > 4 && strcasecmp(operand + length - 4, ".zip") == 0;
}

static bool take_operand(struct subject *subject, const char *operand, struct br_error *err)
{
    struct stat info;
    bool is_folder = stat(operand, &info) == 0 && S_ISDIR(info.st_mode);
    bool is_report = is_folder || is_archive(operand);
    char **place = is_report ? &subject->report : &subject->suite;
    if (*place) {
        return error_set(err, BR_INVALID_ACTION, "%s and %s are both %s", *place, operand,
                         is_report ? "reports" : "suites");
    }
    if (is_report && !is_folder) {
        subject->unpacked = archive_unpack_report(operand, err);
        *place = xstrdup(subject->unpacked);
        return *place;
    }
    *place = xstrdup(operand);
    return true;
}

/* A report names its suite as it was given to the run; a suite has its report beside it. */
static bool complete_subject(struct subject *subject, const struct cli_options *options,
                             struct br_error *err)
{
    if (subject->report && options->check.report) {
        return error_set(err, BR_INVALID_ACTION, "%s and --report %s: give one of them",
                         subject->report, options->check.report);
    }
    if (subject->report && !subject->suite) {
        json_auto_t *results = report_load(subject->report, err);
        if (!results) {
            return false;
        }
        subject->suite = xstrdup(results_text(results, "suite"));
        return true;
    }
    if (!subject->suite) {
        subject->suite = xstrdup(default_suite);
    }
    if (!subject->report) {
        subject->report = options->check.report ? xstrdup(options->check.report)
                                                : suite_report_folder(subject->suite);
    }
    return true;
}

/* Opens the page in the desktop's browser, if there is a desktop. */
static void open_page(const char *url)
{
    const char *x11 = getenv("DISPLAY");
    const char *wayland = getenv("WAYLAND_DISPLAY");
    char program[] = "xdg-open";
    CLEANUP_FREE char *argument = xstrdup(url);
    char *const argv[] = { program, argument, NULL };
    const int fds[] = { -1, -1, -1 };
    const struct platform_start start = {
        .program = program, .argv = argv, .fds = fds, .fd_count = 3, .leads_session = true
    };
    pid_t pid = 0;
    if ((x11 && *x11) || (wayland && *wayland)) {
        if (platform_process_start(&start, &pid) != 0) {
            cli_warn("cannot run xdg-open: open %s yourself", url);
        }
    }
}

static void print_ids(const json_t *decided, const char *kind)
{
    size_t index;
    json_t *id;
    json_array_foreach (json_object_get(decided, kind), index, id) {
        CLEANUP_FREE char *shown = terminal_one_line(json_string_value(id));
        printf("%s %s\n", strcmp(kind, "accepted") == 0 ? "approved" : kind, shown);
    }
}

static bool serve_review(const struct cli_options *options, const struct review_options *what,
                         struct interrupt *interrupt, struct br_error *err)
{
    struct loop *loop = loop_create(false, err);
    struct review *review = loop ? review_open(loop, what, err) : NULL;
    if (review) {
        struct pollfd fds[] = {
            { .fd = interrupt_fd(interrupt), .events = POLLIN },
            { .fd = review_end_fd(review), .events = POLLIN },
        };
        serving_say(json_pack("{s:s, s:s, s:s}", "kind", "listening", "server", "review", "url",
                              review_url(review)));
        if (!options->check.has_no_open) {
            open_page(review_url(review));
        }
        while (poll(fds, 2, -1) < 0) {
            /* A debugger. */
        }
        json_auto_t *decided = review_close(review);
        print_ids(decided, "accepted");
        print_ids(decided, "rejected");
        printf("%.0f open\n", json_member_number(decided, "open", 0));
    }
    loop_destroy(loop);
    return review;
}

static int review_subject(const struct cli_options *options, const struct subject *subject,
                          struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(MAX_PROBLEMS);
    struct suite *suite = suite_load(subject->suite, &problems);
    if (!suite) {
        fputs(problems.data, stderr);
        return EXIT_USAGE;
    }
    const struct review_options what = { .suite = suite,
                                         .report = subject->report,
                                         .port = options->check.port };
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    bool is_done = serve_review(options, &what, interrupt, err);
    interrupt_destroy(interrupt);
    suite_destroy(suite);
    if (!is_done) {
        cli_print_error(err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_USAGE;
}

static int review(const struct cli_options *options)
{
    struct br_error err = { 0 };
    struct subject subject = { 0 };
    bool is_fine = true;
    for (size_t i = 1; is_fine && i < options->operand_count; i++) {
        is_fine = take_operand(&subject, options->operands[i], &err);
    }
    is_fine = is_fine && complete_subject(&subject, options, &err);
    if (!is_fine) {
        cli_print_error(&err);
    }
    int exit_code = is_fine ? review_subject(options, &subject, &err) : EXIT_USAGE;
    free(subject.suite);
    free(subject.report);
    archive_remove(subject.unpacked);
    return exit_code;
}

/* Only names for --approve may follow the suite. */
static bool take_names(struct cli_options *options, struct br_error *err)
{
    struct cli_list *names = &options->check.approved;
    if (options->operand_count > 1 && !names->count) {
        error_set(err, BR_INVALID_ACTION, "what is \"%s\"?", options->operands[1]);
        return error_hint(err, "--filter %s runs only this check", options->operands[1]);
    }
    for (size_t i = 1; i < options->operand_count; i++) {
        cli_list_add(names, options->operands[i]);
    }
    return true;
}

static bool check_usage(struct cli_options *options, struct br_error *err)
{
    if (options->session.preset || options->session.viewport_width) {
        error_set(err, BR_INVALID_ACTION, "check does not take --preset and --viewport");
        return error_hint(err, "write them into the suite's \"viewports\"");
    }
    if (options->session.tab) {
        error_set(err, BR_INVALID_ACTION,
                  "check does not take --tab: each check opens its own page");
        return error_hint(err,
                          "browser-runner shot --connect URL --tab … takes a picture of a tab");
    }
    return take_names(options, err);
}

static int run_check(struct cli_options *options)
{
    struct br_error err = { 0 };
    if (options->check.imported) {
        return import(options);
    }
    if (options->check.is_init) {
        return init(options);
    }
    if (strcmp(options->operands[0], "merge") == 0) {
        return merge(options);
    }
    if (strcmp(options->operands[0], "review") == 0) {
        return review(options);
    }
    if (!check_usage(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    CLEANUP_STRBUF struct strbuf problems = STRBUF_INIT(MAX_PROBLEMS);
    struct suite *suite = suite_load(options->operands[0], &problems);
    if (!suite) {
        fputs(problems.data, stderr);
        return EXIT_USAGE;
    }
    int exit_code = options->check.approved.count ? approve_named(options, suite)
                    : options->check.prunes       ? prune(suite)
                                                  : run_suite(options, suite);
    suite_destroy(suite);
    return exit_code;
}

const struct command command_check = {
    .name = "check",
    .operands = "SUITE.json",
    .summary = "Compares pictures of pages with baselines",
    .description =
        "Takes a picture of each page of a suite, in each of its viewports, and compares it with "
        "its baseline. The report is a page that opens from disk; --approve makes a picture the "
        "new baseline. A missing baseline is written; in CI it is a failure. A failed check is "
        "tried again, and reported as flaky if it then passes. `check --init SUITE.json URL…` "
        "writes a first suite, `check review [SUITE.json] [REPORT]` serves the report, a folder or "
        "the .zip that CI kept, as a local "
        "page in which pictures are accepted or rejected, `check merge REPORT… --report DIR` "
        "merges "
        "the reports of several shards. Exit code 0: all passed; 1: a difference, an error, or "
        "nothing ran; 2: the suite "
        "is invalid; 3: no browser.",
    .examples = "  browser-runner check --init smoke.json http://localhost:3000/\n"
                "  browser-runner check smoke.json --jobs 4 --junit junit.xml\n"
                "  browser-runner check smoke.json --approve home@desktop\n"
                "  browser-runner check review smoke.json\n"
                "  browser-runner check review artifact.zip\n"
                "  browser-runner check smoke.json --update\n"
                "  browser-runner check merge report-1 report-2 --report report\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_CHECK,
    .min_operands = 1,
    .max_operands = 10000,
    .run = run_check,
};
