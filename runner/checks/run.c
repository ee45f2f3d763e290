#include "runner/checks/run.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/checks/entry.h"
#include "runner/checks/environment.h"
#include "runner/checks/report/report.h"
#include "runner/checks/run_state.h"
#include "runner/checks/server.h"
#include "runner/chrome/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MAX_SETUP_LOSSES = 3 }; /* browser crashes during `setup` until it fails */

struct worker {
    struct run *run;
    struct br_session *session;
    pthread_t thread;
    int done_fd;
};

static const struct suite_check *take_check(struct run *run, size_t *ret_index)
{
    const struct suite_check *check = NULL;
    pthread_mutex_lock(&run->mutex);
    if (!run->is_stopped && run->next < run->selection.count) {
        *ret_index = run->next;
        check = run->selection.checks[run->next++];
    }
    pthread_mutex_unlock(&run->mutex);
    return check;
}

static void take_result(struct run *run, size_t index, json_t *entry)
{
    const struct check_options *options = run->options;
    enum check_status status = check_status(entry);
    pthread_mutex_lock(&run->mutex);
    json_array_set_new(run->entries, index, entry);
    run->done++;
    run->failed += status == CHECK_FAILED || status == CHECK_ERROR;
    run->is_stopped |= options->max_failures && run->failed >= (size_t)options->max_failures;
    if (options->on_result) {
        options->on_result(options->data, entry, run->done, run->selection.count);
    }
    pthread_mutex_unlock(&run->mutex);
}

static void *work(void *data)
{
    struct worker *worker = data;
    size_t index = 0;
    for (const struct suite_check *check; (check = take_check(worker->run, &index));) {
        json_t *entry = check->is_skipped ? entry_create(check, CHECK_SKIPPED)
                                          : run_check(worker->run, worker->session, check);
        if (entry) {
            take_result(worker->run, index, entry);
        }
    }
    eventfd_write(worker->done_fd, 1);
    return NULL;
}

/* Takes the pictures of the other side. */
static void *work_other_side(void *data)
{
    struct worker *worker = data;
    size_t index = 0;
    for (const struct suite_check *check; (check = take_check(worker->run, &index));) {
        if (!check->is_skipped) {
            run_check_other_side(worker->run, worker->session, check);
        }
    }
    eventfd_write(worker->done_fd, 1);
    return NULL;
}

static void interrupt_all(struct run *run, struct worker *workers, size_t count)
{
    pthread_mutex_lock(&run->mutex);
    run->is_stopped = true;
    run->is_interrupted = true;
    pthread_mutex_unlock(&run->mutex);
    for (size_t i = 0; i < count; i++) {
        br_session_interrupt(workers[i].session);
    }
}

/* Waits until all workers have ended, and passes an interrupt on to them. */
static void await_workers(struct run *run, struct worker *workers, size_t count, int done_fd)
{
    size_t ended = 0;
    struct pollfd fds[] = {
        { .fd = done_fd, .events = POLLIN },
        { .fd = run->options->interrupt_fd, .events = POLLIN },
    };
    while (ended < count) {
        poll(fds, 2, -1);
        eventfd_t news = 0;
        if (fds[0].revents && eventfd_read(done_fd, &news) == 0) {
            ended += news;
        }
        if (fds[1].revents) {
            fds[1].fd = -1;
            interrupt_all(run, workers, count);
        }
    }
}

/*
 * Runs `setup`, again if the browser crashes. Its state is saved to a file that only its owner can
 * read.
 */
static void *set_up(void *data)
{
    struct worker *worker = data;
    struct run *run = worker->run;
    struct attempt attempt = { 0 };
    int losses = 0;
    do {
        attempt_finish(&attempt);
        attempt_run(worker->session, run->suite->setup, &run->side, NULL, &attempt);
    } while (attempt.is_lost && ++losses < MAX_SETUP_LOSSES && !run_is_interrupted(run));
    if (attempt.error.code != BR_OK && !run_is_interrupted(run)) {
        if (attempt.error.code != BR_BROWSER_NOT_FOUND) {
            error_context(&attempt.error, "setup");
        }
        run_give_up(run, &attempt.error);
    }
    attempt_finish(&attempt);
    eventfd_write(worker->done_fd, 1);
    return NULL;
}

/* Opens the workers' sessions; returns how many were opened. */
static size_t open_sessions(struct run *run, const struct br_session_options *options,
                            struct worker *workers, size_t wanted, int done_fd,
                            struct br_error *err)
{
    size_t count = 0;
    while (count < wanted) {
        struct br_session *session = br_session_open(run->browser, options, err);
        if (!session) {
            break;
        }
        workers[count++] = (struct worker){ .run = run, .session = session, .done_fd = done_fd };
    }
    return count;
}

/* Runs the function in so many threads, each with a session, and waits for them. */
static bool run_workers(struct run *run, const struct br_session_options *options, size_t wanted,
                        void *(*function)(void *worker), struct br_error *err)
{
    struct worker *workers = xcalloc(wanted, sizeof(*workers));
    int done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    size_t count = 0;
    size_t started = 0;
    if (done_fd < 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot start threads");
    } else {
        count = open_sessions(run, options, workers, wanted, done_fd, err);
    }
    bool is_started = count == wanted;
    while (is_started && started < count) {
        int error = pthread_create(&workers[started].thread, NULL, function, &workers[started]);
        is_started =
            error == 0 ||
            (error_set_errno(err, BR_UNKNOWN_ERROR, error, "cannot start a thread"), false);
        started += is_started;
    }
    if (!is_started) {
        run_give_up(run, err);
    }
    await_workers(run, workers, started, done_fd);
    for (size_t i = 0; i < started; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        br_session_close(workers[i].session);
    }
    if (done_fd >= 0) {
        close(done_fd);
    }
    free(workers);
    return is_started;
}

static bool shows_whole_pages(const struct suite *suite)
{
    for (size_t i = 0; i < suite->check_count; i++) {
        if (suite->checks[i].is_full_page || suite->checks[i].selector) {
            return true;
        }
    }
    return false;
}

/* Takes pictures at full quality, without error limits, in a browser whose profile is temporary. */
static struct br_session_options session_options(const struct run *run)
{
    struct br_session_options session = *run->options->session;
    session.screenshots = BR_SCREENSHOTS_EXPLICIT;
    session.limits = (struct br_image_limits){ 0 };
    session.max_consecutive_errors = 0;
    session.total_error_threshold = 0;
    session.isolated = true;
    session.whole_pages = shows_whole_pages(run->suite);
    return session;
}

static struct br_browser_options browser_options_of(const struct run *run)
{
    struct br_browser_options browser = *run->options->browser;
    browser.stable_pixels = true;
    browser.stays = true; /* also while no worker has a page */
    browser.temp_profile |= !browser.profile && !browser.project && !browser.connect;
    return browser;
}

/* Starts a server, if there is one, in the place of the one before. */
static bool replace_server(struct run *run, const struct suite_server *wanted, struct br_error *err)
{
    server_stop(TAKE(run->server));
    if (!wanted || !wanted->command || run_is_interrupted(run)) {
        return true;
    }
    run->server = server_start(wanted, run->options->interrupt_fd, err);
    return run->server;
}

/* Runs the workers on one side: the setup, and then all checks. */
static bool run_side(struct run *run, const struct br_session_options *session,
                     void *(*function)(void *worker), struct br_error *err)
{
    size_t jobs = (size_t)run->options->jobs;
    size_t wanted = jobs < run->selection.count ? jobs : run->selection.count;
    run->next = 0;
    return (!run->side.state || run_workers(run, session, 1, set_up, err)) &&
           run_workers(run, session, wanted, function, err);
}

/* The other side comes first: its server may have the same address. */
static bool run_sides(struct run *run, const struct br_session_options *session,
                      struct br_error *err)
{
    const char *state = run->side.state;
    if (run->against) {
        const struct suite_server *server = against_server(run->against);
        /* An address needs no server of ours, but the suite's may have both. */
        run->side = *against_side(run->against);
        run->side.state = state;
        if ((server && !replace_server(run, server, err)) ||
            !run_side(run, session, work_other_side, err)) {
            return false;
        }
        run->side = (struct attempt_side){ .state = state };
    }
    return replace_server(run, &run->suite->server, err) && run_side(run, session, work, err);
}

static bool run_browser(struct run *run, struct br_error *err)
{
    struct br_session_options session = session_options(run);
    struct br_browser_options browser = browser_options_of(run);
    run->browser = br_browser_open(&browser, err);
    if (!run->browser) {
        return false;
    }
    bool is_done =
        (!run->suite->has_virtual_clock || browser_set_virtual_clock(run->browser, err)) &&
        run_sides(run, &session, err);
    br_browser_close(run->browser);
    if (run->fatal.code != BR_OK) {
        *err = run->fatal;
        return false;
    }
    return is_done;
}

/*
 * Creates the file for the state of `setup`, and removes it after the run: it may contain what logs
 * in.
 */
static bool run_with_state(struct run *run, struct br_error *err)
{
    if (!run->suite->setup) {
        return run_browser(run, err);
    }
    const char *folder = getenv("TMPDIR");
    CLEANUP_FREE char *path =
        xasprintf("%s/browser-runner-setup-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", path);
    }
    close(fd);
    run->side.state = path;
    bool is_done = run_browser(run, err);
    run->side.state = NULL;
    unlink(path);
    return is_done;
}

enum { MAX_NAMED = 5, MAX_UNMATCHED = 20 };

/* Adds one warning for all the baselines. */
static void add_origins(const json_t *baselines, const char *before, const char *behind,
                        json_t *warnings)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    size_t count = json_array_size(baselines);
    strbuf_add_string(&text, before);
    for (size_t i = 0; i < count && i < MAX_NAMED; i++) {
        strbuf_add_format(&text, "%s%s", i ? ", " : "",
                          json_string_value(json_array_get(baselines, i)));
    }
    if (count > MAX_NAMED) {
        strbuf_add_format(&text, " and %zu more", count - MAX_NAMED);
    }
    strbuf_add_string(&text, behind);
    if (count) {
        json_array_append_new(warnings, json_text(text.data));
    }
}

/* Adds one warning for a selector that matches nothing, in any number of checks. */
static void add_unmatched(const json_t *entries, json_t *warnings)
{
    json_auto_t *ids_of = json_object();
    size_t index, at;
    json_t *entry, *text, *ids;
    const char *key;
    json_array_foreach (entries, index, entry) {
        json_array_foreach (json_object_get(entry, "warnings"), at, text) {
            key = json_string_value(text);
            if (!json_object_get(ids_of, key)) {
                json_object_set_new(ids_of, key, json_array());
            }
            json_array_append(json_object_get(ids_of, key), json_object_get(entry, "id"));
        }
    }
    at = 0;
    json_object_foreach (ids_of, key, ids) {
        if (at++ < MAX_UNMATCHED) {
            size_t count = json_array_size(ids);
            const char *first = json_string_value(json_array_get(ids, 0));
            CLEANUP_FREE char *line =
                count == 1 ? xasprintf("%s in %s", key, first)
                           : xasprintf("%s in %zu checks, such as %s", key, count, first);
            json_array_append_new(warnings, json_text(line));
        }
    }
    if (at > MAX_UNMATCHED) {
        CLEANUP_FREE char *line = xasprintf("%zu more selectors match nothing", at - MAX_UNMATCHED);
        json_array_append_new(warnings, json_text(line));
    }
}

static void add_warnings(const struct run *run, struct server *server, json_t *warnings)
{
    const char *difference;
    json_t *count;
    struct br_error err;
    json_object_foreach (run->mismatches, difference, count) {
        CLEANUP_FREE char *text =
            xasprintf("%lld baseline%s made with %s: this may cause small differences; "
                      "--update=all rewrites all baselines",
                      (long long)json_integer_value(count),
                      json_integer_value(count) == 1 ? " was" : "s were", difference);
        json_array_append_new(warnings, json_text(text));
    }
    add_origins(run->origins_written,
                "the .json beside a baseline was missing or broken and is written anew: ", "",
                warnings);
    add_origins(run->origins_unknown, "it is not known by which browser a baseline was made: ",
                "; --update=all makes it anew", warnings);
    add_unmatched(run->entries, warnings);
    if (server && !server_check(server, &err)) {
        json_array_append_new(warnings, json_text(err.message));
    }
}

/* Marks checks without an entry as not run. */
static void fill_gaps(struct run *run)
{
    for (size_t i = 0; i < run->selection.count; i++) {
        if (json_is_null(json_array_get(run->entries, i))) {
            json_array_set_new(run->entries, i,
                               entry_create(run->selection.checks[i], CHECK_NOT_RUN));
        }
    }
}

static json_t *make_document(struct run *run, int64_t started_at_ms, int64_t began_ms,
                             struct server *server)
{
    const struct check_options *options = run->options;
    fill_gaps(run);
    json_t *warnings = json_array();
    if (run->selection.count == 0) {
        CLEANUP_FREE char *text =
            xasprintf("shard %d of %d has no check: there are fewer checks than shards",
                      options->select.shard_index, options->select.shard_total);
        json_array_append_new(warnings, json_text(text));
    }
    add_warnings(run, server, warnings);
    json_t *document = json_pack(
        "{s:i, s:o, s:o, s:I, s:I, s:O, s:o, s:o, s:b, s:o, s:o, s:O}", "version", 1, "suite",
        json_text(run->suite->file), "baselines", json_text(run->suite->shown_baselines),
        "startedAt", (json_int_t)started_at_ms, "durationMs",
        (json_int_t)(clock_monotonic_ms() - began_ms), "environment", run->environment, "warnings",
        warnings, "stale", baseline_stale(run->suite), "complete",
        run->done == run->selection.count, "totals", report_totals(run->entries), "groups",
        report_groups(run->entries), "checks", run->entries);
    if (run->against) {
        json_object_set_new(document, "against", json_text(against_label(run->against)));
        json_object_set_new(document, "stale", json_array());
    }
    if (options->select.shard_total) {
        json_object_set_new(document, "shard",
                            json_pack("{s:i, s:i, s:s}", "index", options->select.shard_index,
                                      "total", options->select.shard_total, "deal",
                                      run->selection.deal));
    }
    return document;
}

static json_t *run_selected(struct run *run, struct br_error *err)
{
    const struct check_options *options = run->options;
    int64_t started_at_ms = clock_wall_ms();
    int64_t began_ms = clock_monotonic_ms();
    json_t *document = NULL;
    if (options->against && !(run->against = against_open(run->suite, options->against, err))) {
        return NULL;
    }
    bool is_ready = entry_prepare_report(options->report, err);
    if (is_ready && (run->selection.count == 0 || run_with_state(run, err))) {
        document = make_document(run, started_at_ms, began_ms, run->server);
    }
    if (!server_stop(TAKE(run->server)) && document) {
        json_array_append_new(json_object_get(document, "warnings"),
                              json_text("the server could not be ended whole: see what is left of "
                                        "it"));
    }
    against_close(run->against);
    return document;
}

json_t *check_run(const struct suite *suite, const struct check_options *options,
                  struct br_error *err)
{
    struct run run = { .suite = suite, .options = options };
    json_t *document = NULL;
    if (!select_checks(suite, &options->select, &run.selection, err)) {
        return NULL;
    }
    pthread_mutex_init(&run.mutex, NULL);
    run.environment = environment_describe(options->is_ci);
    json_object_set_new(run.environment, "clock",
                        json_string(suite->has_virtual_clock ? "virtual" : "real"));
    run.mismatches = json_object();
    run.other_faults = json_object();
    run.origins_written = json_array();
    run.origins_unknown = json_array();
    run.entries = json_array();
    for (size_t i = 0; i < run.selection.count; i++) {
        json_array_append_new(run.entries, json_null());
    }
    document = run_selected(&run, err);
    json_decref(run.entries);
    json_decref(run.mismatches);
    json_decref(run.other_faults);
    json_decref(run.origins_written);
    json_decref(run.origins_unknown);
    json_decref(run.environment);
    pthread_mutex_destroy(&run.mutex);
    selection_finish(&run.selection);
    return document;
}
