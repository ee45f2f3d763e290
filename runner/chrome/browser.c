#include "runner/chrome/browser.h"

#include "profiles/profile.h"
#include "profiles/run_directory.h"
#include "runner/base/log.h"
#include "runner/base/options.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/client.h"
#include "runner/chrome/browser_state.h"
#include "runner/chrome/command_line.h"
#include "runner/chrome/ending.h"
#include "runner/chrome/find.h"
#include "runner/chrome/process.h"
#include "runner/observe/stream.h"

#include <assert.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
    CLOSE_GRACE_MS = 5000,   /* until a browser that was asked to end is killed */
    KILL_GRACE_MS = 2000,    /* for the end of one that was killed */
    REMOVE_GRACE_MS = 3000,  /* for the files of its last processes */
    EXIT_GRACE_MS = 1000,    /* between the end of the pipe and that of the process */
    RELEASE_GRACE_MS = 1500, /* for a browser that is just ending to let go of the profile */
    END_MS = 10000,          /* for a browser to write its profile and end, with all of that */
    DEFAULT_WIDTH = 1280,
    DEFAULT_HEIGHT = 720,
    MAX_WINDOW = 10000,
};

struct browser_life {
    struct br_browser *browser;
    uint64_t generation;
    struct cdp_connection *connection;
    struct process *process; /* NULL: somebody else's browser */
    struct targets *targets;
    size_t references; /* guarded by the browser's mutex */
};

static const struct options_text texts[] = {
    { offsetof(struct br_browser_options, chrome), OPTIONS_TEXT },
    { offsetof(struct br_browser_options, connect), OPTIONS_TEXT },
    { offsetof(struct br_browser_options, project), OPTIONS_TEXT },
    { offsetof(struct br_browser_options, profile), OPTIONS_TEXT },
    { offsetof(struct br_browser_options, chrome_args), OPTIONS_TEXTS },
};

static bool check_options(const struct br_browser_options *options, struct br_error *err)
{
    if (options->window_width < 0 || options->window_height < 0 ||
        options->window_width > MAX_WINDOW || options->window_height > MAX_WINDOW) {
        return error_set(err, BR_INVALID_ACTION, "a window of %dx%d: up to %d each way",
                         options->window_width, options->window_height, MAX_WINDOW);
    }
    return true;
}

static struct loop *make_loop(const struct br_browser_options *options, struct br_error *err)
{
    const char *url = options->connect;
    bool with_tls = url && (strncmp(url, "wss:", 4) == 0 || strncmp(url, "https:", 6) == 0);
    if (!options->loop_of) {
        return loop_create(with_tls, err);
    }
    if (with_tls && !loop_has_tls(options->loop_of->loop)) {
        error_set(err, BR_INVALID_ACTION, "%s needs TLS, which the browser of loop_of has not",
                  url);
        return NULL;
    }
    return options->loop_of->loop;
}

struct br_browser *br_browser_open(const struct br_browser_options *options, struct br_error *err)
{
    struct loop *loop = check_options(options, err) ? make_loop(options, err) : NULL;
    if (!loop) {
        return NULL;
    }
    struct br_browser *browser = xcalloc(1, sizeof(*browser));
    browser->loop = loop;
    browser->is_loop_own = !options->loop_of;
    browser->options = *options;
    options_own(&browser->options, texts, sizeof(texts) / sizeof(texts[0]));
    browser->claim_fd = -1;
    pthread_mutex_init(&browser->mutex, NULL);
    condition_init(&browser->started);
    return browser;
}

const struct br_browser_options *browser_options(const struct br_browser *browser)
{
    return &browser->options;
}

/*
 * A runner that was killed a moment ago leaves a Chrome that is still writing its profile: waits a
 * little for the end of whoever holds it.
 */
static void await_release(const char *directory)
{
    struct br_error ignored;
    struct profile_lock lock;
    if (!profile_lock_inspect(directory, &lock, &ignored) || lock.state != PROFILE_LOCK_HELD) {
        return;
    }
    int fd = platform_process_open(lock.pid);
    struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
    if (fd >= 0) {
        poll(&poll_fd, 1, RELEASE_GRACE_MS);
        close(fd);
    }
}

static void log_notice(struct log_list *logs, const char *notice)
{
    if (notice) {
        log_tool(logs, BR_LOG_INFO, "browser", "%s", notice);
    }
}

static char *profile_directory(struct br_browser *browser, struct br_error *err)
{
    const struct br_browser_options *options = &browser->options;
    if (options->temp_profile) {
        return xstrdup(run_directory_profile(browser->run));
    }
    return options->profile ? profile_directory_absolute(options->profile, err)
                            : profile_project_directory(options->project, err);
}

/* The directories of all lives are made for the first one. */
static bool prepare_directories(struct br_browser *browser, struct log_list *logs,
                                struct br_error *err)
{
    CLEANUP_FREE char *swept = NULL;
    CLEANUP_FREE char *unlocked = NULL;
    if (browser->run) {
        run_directory_clear_tmp(browser->run);
    } else {
        browser->run = run_directory_create(browser->options.temp_profile, &swept, err);
    }
    log_notice(logs, swept);
    if (browser->run && !browser->profile) {
        browser->profile = profile_directory(browser, err);
    }
    if (!browser->profile) {
        return false;
    }
    await_release(browser->profile);
    bool is_prepared = profile_prepare(browser->profile, &unlocked, err);
    log_notice(logs, unlocked);
    if (is_prepared && browser->claim_fd < 0) {
        browser->claim_fd = profile_lock_claim(browser->profile, err);
    }
    return is_prepared && browser->claim_fd >= 0;
}

static char **command_line(struct br_browser *browser, const char *program, struct log_list *logs,
                           struct br_error *err)
{
    const struct br_browser_options *options = &browser->options;
    bool is_root = geteuid() == 0;
    if (is_root && !options->no_sandbox && browser->generation == 1) {
        log_tool(logs, BR_LOG_WARNING, "browser",
                 "Chrome runs without its sandbox, since root cannot have it");
    }
    struct chrome_options chrome = {
        .program = program,
        .profile_directory = browser->profile,
        .is_headed = options->headed,
        .has_no_sandbox = options->no_sandbox || is_root,
        .has_stable_pixels = options->stable_pixels,
        .has_no_page = true,
        .viewport_width = options->window_width ? options->window_width : DEFAULT_WIDTH,
        .viewport_height = options->window_height ? options->window_height : DEFAULT_HEIGHT,
        .shared_memory_free = platform_shared_memory_free(),
        .user_args = options->chrome_args,
    };
    return chrome_command_line(&chrome, err);
}

static bool launch(struct br_browser *browser, struct browser_life *life, struct log_list *logs,
                   struct br_error *err)
{
    CLEANUP_FREE char *program = chrome_find(browser->options.chrome, err);
    if (!program || !prepare_directories(browser, logs, err)) {
        return false;
    }
    char **argv = command_line(browser, program, logs, err);
    struct transport *transport = NULL;
    if (argv) {
        life->process =
            process_start(browser->loop, argv, run_directory_tmp(browser->run), &transport, err);
    }
    chrome_command_line_destroy(argv);
    if (!life->process) {
        return false;
    }
    struct br_error ignored;
    /* By it a later runner ends this Chrome, should both of us be stopped in our tracks. */
    run_directory_record(browser->run, process_pid(life->process), browser->profile, &ignored);
    life->connection = cdp_connection_create(transport, err);
    return life->connection;
}

static bool connect_to(struct br_browser *browser, struct browser_life *life,
                       struct deadline deadline, struct br_error *err)
{
    const char *url = browser->options.connect;
    bool is_http = strncmp(url, "http", 4) == 0;
    CLEANUP_FREE char *found =
        is_http ? transport_websocket_discover(browser->loop, url, deadline, err) : xstrdup(url);
    struct transport *transport =
        found ? transport_websocket_connect(browser->loop, found, deadline, err) : NULL;
    life->connection = transport ? cdp_connection_create(transport, err) : NULL;
    return life->connection;
}

/* When the last one lets go of it. */
static void life_destroy(struct browser_life *life)
{
    cdp_connection_destroy(life->connection);
    targets_destroy(life->targets);
    process_destroy(life->process);
    free(life);
}

static struct browser_life *life_start(struct br_browser *browser, struct log_list *logs,
                                       struct deadline deadline, struct br_error *err)
{
    struct browser_life *life = xcalloc(1, sizeof(*life));
    life->browser = browser;
    life->references = 1;
    life->targets = targets_create();
    life->generation = ++browser->generation;
    bool is_started = browser->options.connect ? connect_to(browser, life, deadline, err)
                                               : launch(browser, life, logs, err);
    if (!is_started) {
        /* Whatever it was, a profile that cannot be written or a lack of descriptors. */
        err->code = err->code == BR_UNKNOWN_ERROR ? BR_BROWSER_CRASHED : err->code;
        life_destroy(life);
        return NULL;
    }
    return life;
}

void browser_life_release(struct browser_life *life)
{
    if (!life) {
        return;
    }
    pthread_mutex_lock(&life->browser->mutex);
    bool is_last = --life->references == 0;
    pthread_mutex_unlock(&life->browser->mutex);
    if (is_last) {
        life_destroy(life);
    }
}

/* Nobody shall wait for it any more, and nothing of it run on. */
static void life_end(struct browser_life *life)
{
    cdp_connection_close(life->connection, "the browser was given up");
    if (life->process) {
        process_kill(life->process);
        process_wait(life->process, deadline_in_ms(KILL_GRACE_MS));
    }
    browser_life_release(life);
}

static bool is_usable(const struct browser_life *life, uint64_t lost)
{
    return life && life->generation != lost && cdp_connection_is_open(life->connection);
}

/* Waits until nobody else starts the browser; with the mutex. */
static bool await_turn(struct br_browser *browser, struct deadline deadline, struct br_error *err)
{
    while (browser->is_starting && condition_wait(&browser->started, &browser->mutex, deadline)) {
    }
    return !browser->is_starting ||
           error_set(err, BR_TIMEOUT, "timed out waiting for the browser to be started");
}

/* Puts another life in the place of the present one; with the mutex, which is free meanwhile. */
static void renew(struct br_browser *browser, struct log_list *logs, struct deadline deadline,
                  struct br_error *err)
{
    struct browser_life *old = TAKE(browser->life);
    browser->is_starting = true;
    pthread_mutex_unlock(&browser->mutex);
    if (old) {
        life_end(old);
    }
    struct browser_life *life = life_start(browser, logs, deadline, err);
    pthread_mutex_lock(&browser->mutex);
    browser->life = life;
    browser->is_starting = false;
    pthread_cond_broadcast(&browser->started);
}

struct browser_life *browser_ensure(struct br_browser *browser, uint64_t lost,
                                    struct log_list *logs, struct deadline deadline,
                                    struct br_error *err)
{
    struct browser_life *life = NULL;
    pthread_mutex_lock(&browser->mutex);
    if (await_turn(browser, deadline, err)) {
        if (!is_usable(browser->life, lost)) {
            renew(browser, logs, deadline, err);
        }
        life = browser->life;
    }
    if (life) {
        browser_life_hold(life);
    }
    pthread_mutex_unlock(&browser->mutex);
    return life;
}

void browser_life_hold(struct browser_life *life)
{
    life->references++;
}

struct cdp_connection *browser_life_connection(const struct browser_life *life)
{
    return life->connection;
}

struct targets *browser_life_targets(const struct browser_life *life)
{
    return life->targets;
}

bool browser_life_drops_externals(const struct browser_life *life)
{
    return life->process && process_drops_externals(life->process);
}

void browser_life_check(struct browser_life *life)
{
    if (life->process && process_is_over(life->process)) {
        cdp_connection_close(life->connection, "the browser has ended");
    }
}

uint64_t browser_life_generation(const struct browser_life *life)
{
    return life->generation;
}

bool browser_life_explain(struct browser_life *life, struct br_error *err)
{
    /* A command that could not be written fails before the loop has seen the end of the pipe. */
    if (err->code != BR_DISCONNECTED && cdp_connection_is_open(life->connection)) {
        return false;
    }
    if (cdp_connection_is_stuck(life->connection)) {
        error_set(err, BR_BROWSER_CRASHED, "the browser does not answer any more: it is given up");
    } else if (life->process && process_wait(life->process, deadline_in_ms(EXIT_GRACE_MS))) {
        ending_explain(life->process, life->browser->profile, err);
    } else {
        err->code = BR_DISCONNECTED;
    }
    return true;
}

/* Asks a browser with a profile to write it and end. One that keeps nothing is just ended. */
static void ask_to_end(struct br_browser *browser, struct browser_life *life,
                       struct deadline deadline)
{
    struct deadline end = deadline_earlier(deadline, deadline_in_ms(CLOSE_GRACE_MS));
    if (life->process && !browser->options.temp_profile &&
        cdp_connection_is_open(life->connection)) {
        struct br_error ignored;
        cdp_connection_send(life->connection, NULL, NULL, "Browser.close", NULL, end, &ignored);
        process_wait(life->process, end);
    }
}

/* The browser, if it runs, and what it leaves behind. Of the thread that starts. */
static void end(struct br_browser *browser, struct browser_life *life, struct deadline deadline)
{
    if (life) {
        ask_to_end(browser, life, deadline);
        life_end(life);
    }
    if (browser->claim_fd >= 0) {
        close(browser->claim_fd);
        browser->claim_fd = -1;
    }
    if (browser->run) {
        struct br_error ignored;
        struct deadline removed = deadline_in_ms(REMOVE_GRACE_MS);
        run_directory_remove(browser->run, deadline_earlier(deadline, removed), &ignored);
        run_directory_destroy(TAKE(browser->run));
    }
    free(TAKE(browser->profile));
}

void browser_join(struct br_browser *browser)
{
    pthread_mutex_lock(&browser->mutex);
    browser->users++;
    pthread_mutex_unlock(&browser->mutex);
}

bool browser_is_shared(struct br_browser *browser)
{
    pthread_mutex_lock(&browser->mutex);
    bool is_shared = browser->users > 1;
    pthread_mutex_unlock(&browser->mutex);
    return is_shared;
}

void browser_leave(struct br_browser *browser, struct deadline deadline)
{
    struct br_error ignored;
    pthread_mutex_lock(&browser->mutex);
    bool is_last = --browser->users == 0 && !browser->options.stays;
    /* Whoever joins and asks for a life meanwhile waits for its turn. */
    if (is_last && await_turn(browser, deadline, &ignored) && browser->users == 0) {
        struct browser_life *life = TAKE(browser->life);
        browser->is_starting = true;
        contexts_forget(browser);
        pthread_mutex_unlock(&browser->mutex);
        end(browser, life, deadline);
        pthread_mutex_lock(&browser->mutex);
        browser->is_starting = false;
        pthread_cond_broadcast(&browser->started);
    }
    pthread_mutex_unlock(&browser->mutex);
}

void br_browser_close(struct br_browser *browser)
{
    if (!browser) {
        return;
    }
    assert(browser->users == 0 && !browser->contexts);
    end(browser, TAKE(browser->life), deadline_in_ms(END_MS));
    if (browser->is_loop_own) {
        loop_destroy(browser->loop);
    }
    pthread_cond_destroy(&browser->started);
    pthread_mutex_destroy(&browser->mutex);
    options_free(&browser->options, texts, sizeof(texts) / sizeof(texts[0]));
    free(browser);
}
