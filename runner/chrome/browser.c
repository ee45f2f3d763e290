#include "runner/chrome/browser.h"

#include "profiles/profile.h"
#include "profiles/run_directory.h"
#include "runner/base/log.h"
#include "runner/base/options.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/base/thread.h"
#include "runner/cdp/client.h"
#include "runner/cdp/silence.h"
#include "runner/chrome/command_line.h"
#include "runner/chrome/discover.h"
#include "runner/chrome/find.h"
#include "runner/chrome/process.h"
#include "runner/net/way_out.h"
#include "runner/observe/stream.h"

#include <assert.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum {
    CLOSE_GRACE_MS = 5000,   /* time for a browser to end after it was asked, before it is killed */
    REMOVE_GRACE_MS = 3000,  /* time for its last processes to stop writing files */
    RELEASE_GRACE_MS = 1500, /* time for an ending browser to release the profile */
    END_MS = 10000,          /* time to write the profile and end, including the times above */
    DEFAULT_WIDTH = 1280,
    DEFAULT_HEIGHT = 720,
    MAX_WINDOW = 10000,
};

struct br_browser {
    struct loop *loop;
    bool is_loop_own;
    struct br_browser_options options; /* strings are copies */
    bool has_virtual_clock;
    pthread_mutex_t mutex;     /* guards the fields below */
    pthread_cond_t changed;    /* signals that is_starting or a context's is_busy became
                                  false, or returning smaller */
    size_t returning;          /* sessions that open their pages again */
    bool is_starting;          /* one thread is ending the current life or starting the next */
    struct browser_life *life; /* the current life, a reference; NULL: none */
    size_t users;              /* sessions that have joined and not left */
    atomic_ullong *starts;     /* counts new lives; NULL: no count */
    struct contexts contexts;
    /* Used only by the thread that starts or ends the browser: */
    uint64_t generation;       /* of the newest life */
    int64_t answer_ms;         /* for browser_life_create(); longer after each end in silence */
    struct run_directory *run; /* used for all launches; NULL before the first */
    char *profile;             /* profile directory */
    int claim_fd; /* lock that keeps other runners out of the profile; -1 before the first launch */
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

/* TLS needs memory that another loop may not have allocated. */
static struct loop *choose_loop(struct loop *given, const char *url, struct br_error *err)
{
    bool with_tls = url && (strncmp(url, "wss:", 4) == 0 || strncmp(url, "https:", 6) == 0);
    if (!given) {
        return loop_create(with_tls, err);
    }
    if (with_tls && !loop_has_tls(given)) {
        error_set(err, BR_INVALID_ACTION,
                  "%s needs TLS, which the browser of loop_of does not have", url);
        return NULL;
    }
    return given;
}

struct br_browser *browser_open_on(struct loop *given, const struct br_browser_options *options,
                                   struct br_error *err)
{
    given = given || !options->loop_of ? given : options->loop_of->loop;
    struct loop *loop =
        check_options(options, err) ? choose_loop(given, options->connect, err) : NULL;
    if (!loop) {
        return NULL;
    }
    struct br_browser *browser = xcalloc(1, sizeof(*browser));
    browser->loop = loop;
    browser->is_loop_own = !given;
    browser->options = *options;
    options_own(&browser->options, texts, sizeof(texts) / sizeof(texts[0]));
    browser->claim_fd = -1;
    pthread_mutex_init(&browser->mutex, NULL);
    condition_init(&browser->changed);
    browser->contexts = (struct contexts){ .mutex = &browser->mutex,
                                           .changed = &browser->changed,
                                           .life = &browser->life,
                                           .loop = loop,
                                           .is_foreign = browser->options.connect != NULL,
                                           .chrome_args = browser->options.chrome_args };
    return browser;
}

struct br_browser *br_browser_open(const struct br_browser_options *options, struct br_error *err)
{
    return browser_open_on(NULL, options, err);
}

const struct br_browser_options *browser_options(const struct br_browser *browser)
{
    return &browser->options;
}

/* Without a choice, a headless shell in one of the usual places is used. */
static char *find_shell(const char *wanted, struct br_error *err)
{
    CLEANUP_FREE char *program = chrome_find(wanted, err);
    if (program && chrome_is_headless_shell(program)) {
        return TAKE(program);
    }
    char *shell = wanted ? NULL : chrome_find("headless-shell", err);
    if (!shell && (program || !wanted)) {
        error_set(err, BR_BROWSER_NOT_FOUND,
                  "a virtual clock needs the headless shell: %s has no begin-frame control",
                  program ? program : "a whole Chrome");
        error_hint(err,
                   "Install Debian's package chromium-headless-shell, or name another headless "
                   "shell by ⟨chrome⟩ PATH");
    }
    return shell;
}

bool browser_set_virtual_clock(struct br_browser *browser, struct br_error *err)
{
    struct br_browser_options *options = &browser->options;
    if (options->connect || options->headed) {
        error_set(err, BR_INVALID_ACTION, "a virtual clock needs a headless shell of its own");
        return error_hint(err, "remove %s", options->connect ? "⟨connect⟩" : "⟨headed⟩");
    }
    char *program = find_shell(options->chrome, err);
    if (!program) {
        return false;
    }
    free((char *)options->chrome);
    options->chrome = program;
    options->stable_pixels = true;
    browser->has_virtual_clock = true;
    return true;
}

bool browser_has_virtual_clock(const struct br_browser *browser)
{
    return browser->has_virtual_clock;
}

struct loop *browser_loop(const struct br_browser *browser)
{
    return browser->loop;
}

pid_t browser_pid(struct br_browser *browser)
{
    mutex_lock(&browser->mutex);
    pid_t pid = browser->life ? browser_life_pid(browser->life) : 0;
    mutex_unlock(&browser->mutex);
    return pid;
}

void browser_count_starts(struct br_browser *browser, atomic_ullong *starts)
{
    browser->starts = starts;
}

void br_browser_get_status(struct br_browser *browser, struct br_browser_status *ret_status)
{
    mutex_lock(&browser->mutex);
    struct browser_life *life = browser->life;
    bool is_there = life && browser_life_is_open(life);
    *ret_status = (struct br_browser_status){
        .is_there = is_there,
        .pid = is_there ? browser_life_pid(life) : 0,
        .starts = life ? browser_life_generation(life) : 0,
        .sessions = browser->users,
    };
    mutex_unlock(&browser->mutex);
}

struct contexts *browser_contexts(struct br_browser *browser)
{
    return &browser->contexts;
}

/*
 * The Chrome of a runner that was just killed may still be writing its profile: waits briefly until
 * the process that holds the profile ends.
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

/* Creates the directories for the first life; later lives reuse them. */
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
                 "Chrome runs without its sandbox, which root cannot use");
    }
    struct chrome_options chrome = {
        .program = program,
        .profile_directory = browser->profile,
        .is_headed = options->headed,
        .has_no_sandbox = options->no_sandbox || is_root,
        .has_stable_pixels = options->stable_pixels,
        .has_frame_control = browser->has_virtual_clock,
        .has_no_page = true,
        .viewport_width = options->window_width ? options->window_width : DEFAULT_WIDTH,
        .viewport_height = options->window_height ? options->window_height : DEFAULT_HEIGHT,
        .shared_memory_free = platform_shared_memory_free(),
        .way_out_port = contexts_launch(&browser->contexts),
        .user_args = options->chrome_args,
    };
    return chrome_command_line(&chrome, err);
}

static struct browser_life *launch(struct br_browser *browser, struct log_list *logs,
                                   struct br_error *err)
{
    CLEANUP_FREE char *program = chrome_find(browser->options.chrome, err);
    if (!program || !prepare_directories(browser, logs, err)) {
        return NULL;
    }
    char **argv = command_line(browser, program, logs, err);
    struct transport *transport = NULL;
    struct process *process =
        argv ? process_start(browser->loop, argv, run_directory_tmp(browser->run), &transport, err)
             : NULL;
    chrome_command_line_destroy(argv);
    if (!process) {
        return NULL;
    }
    struct br_error ignored;
    /* A later runner can end this Chrome by this record if our process is killed. */
    run_directory_record(browser->run, process_pid(process), browser->profile, &ignored);
    struct cdp_connection *connection = cdp_connection_create(transport, err);
    if (!connection) {
        process_destroy(process);
        return NULL;
    }
    return browser_life_create(browser->generation, connection, process, browser->profile,
                               browser->answer_ms);
}

static struct browser_life *connect_to(struct br_browser *browser, struct deadline deadline,
                                       struct br_error *err)
{
    const char *url = browser->options.connect;
    bool is_http = strncmp(url, "http", 4) == 0;
    CLEANUP_FREE char *found =
        is_http ? discover_websocket(browser->loop, url, deadline, err) : xstrdup(url);
    struct transport *transport =
        found ? transport_websocket_connect(browser->loop, found, &discover_browser, deadline, err)
              : NULL;
    struct cdp_connection *connection = transport ? cdp_connection_create(transport, err) : NULL;
    return connection ? browser_life_create(browser->generation, connection, NULL, NULL,
                                            browser->answer_ms)
                      : NULL;
}

static struct browser_life *life_start(struct br_browser *browser, struct log_list *logs,
                                       struct deadline deadline, struct br_error *err)
{
    browser->generation++;
    struct browser_life *life =
        browser->options.connect ? connect_to(browser, deadline, err) : launch(browser, logs, err);
    if (!life && err->code == BR_UNKNOWN_ERROR) {
        /* The cause may be anything, such as a read-only profile or no free descriptors. */
        err->code = BR_BROWSER_CRASHED;
    }
    return life;
}

static bool is_usable(const struct browser_life *life, uint64_t lost)
{
    return life && browser_life_generation(life) != lost && browser_life_is_open(life);
}

/* Waits until no other thread is starting or ending the browser. Call with the mutex locked. */
static bool await_turn(struct br_browser *browser, struct deadline deadline, struct br_error *err)
{
    while (browser->is_starting && condition_wait(&browser->changed, &browser->mutex, deadline)) {
    }
    return !browser->is_starting ||
           error_set(err, BR_TIMEOUT, "timed out waiting for the browser to be started");
}

/* Replaces the current life by a new one. Call with the mutex locked; it is unlocked meanwhile. */
static void renew(struct br_browser *browser, struct log_list *logs, struct deadline deadline,
                  struct br_error *err)
{
    struct browser_life *old = TAKE(browser->life);
    browser->is_starting = true;
    mutex_unlock(&browser->mutex);
    if (old && cdp_connection_is_stuck(browser_life_connection(old))) {
        browser->answer_ms =
            browser->answer_ms ? 2 * browser->answer_ms : 2 * (int64_t)SILENCE_ANSWER_MS;
        browser->answer_ms =
            browser->answer_ms < SILENCE_LONGEST_MS ? browser->answer_ms : SILENCE_LONGEST_MS;
    }
    if (old) {
        browser_life_end(old);
    }
    struct browser_life *life = life_start(browser, logs, deadline, err);
    mutex_lock(&browser->mutex);
    browser->life = life;
    if (life && browser->starts) {
        (*browser->starts)++;
    }
    browser->is_starting = false;
    pthread_cond_broadcast(&browser->changed);
}

struct browser_life *browser_ensure(struct br_browser *browser, uint64_t lost,
                                    struct log_list *logs, struct deadline deadline,
                                    struct br_error *err)
{
    struct browser_life *life = NULL;
    mutex_lock(&browser->mutex);
    if (await_turn(browser, deadline, err)) {
        if (!is_usable(browser->life, lost)) {
            renew(browser, logs, deadline, err);
        }
        life = browser->life;
    }
    if (life) {
        browser_life_hold(life);
    }
    mutex_unlock(&browser->mutex);
    return life;
}

/* Ends the browser if it runs, and removes its files. Called by the thread that has the turn. */
static void end(struct br_browser *browser, struct browser_life *life, struct deadline deadline)
{
    if (life && !browser->options.temp_profile) { /* a temporary profile needs no writing: such a
                                                     browser is killed at once */
        browser_life_ask_to_end(life, deadline_earlier(deadline, deadline_in_ms(CLOSE_GRACE_MS)));
    }
    if (life) {
        browser_life_end(life);
    }
    browser->answer_ms = 0;
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
    mutex_lock(&browser->mutex);
    browser->users++;
    mutex_unlock(&browser->mutex);
}

bool browser_is_shared(struct br_browser *browser)
{
    mutex_lock(&browser->mutex);
    bool is_shared = browser->users > 1;
    mutex_unlock(&browser->mutex);
    return is_shared;
}

void browser_begin_return(struct br_browser *browser, struct deadline deadline)
{
    mutex_lock(&browser->mutex);
    while (browser->returning && condition_wait(&browser->changed, &browser->mutex, deadline)) {
    }
    browser->returning++;
    mutex_unlock(&browser->mutex);
}

void browser_end_return(struct br_browser *browser)
{
    mutex_lock(&browser->mutex);
    browser->returning--;
    pthread_cond_broadcast(&browser->changed);
    mutex_unlock(&browser->mutex);
}

void browser_leave(struct br_browser *browser, struct deadline deadline)
{
    struct br_error ignored;
    mutex_lock(&browser->mutex);
    bool is_last = --browser->users == 0 && !browser->options.stays;
    /* A session that joins and asks for a life meanwhile waits for its turn. */
    if (is_last && await_turn(browser, deadline, &ignored) && browser->users == 0) {
        struct browser_life *life = TAKE(browser->life);
        struct way_out *way_out = contexts_take_way_out(&browser->contexts);
        browser->is_starting = true;
        contexts_forget(&browser->contexts);
        mutex_unlock(&browser->mutex);
        end(browser, life, deadline);
        way_out_close(way_out);
        mutex_lock(&browser->mutex);
        browser->is_starting = false;
        pthread_cond_broadcast(&browser->changed);
    }
    mutex_unlock(&browser->mutex);
}

void br_browser_close(struct br_browser *browser)
{
    if (!browser) {
        return;
    }
    assert(browser->users == 0 && !browser->contexts.list);
    end(browser, TAKE(browser->life), deadline_in_ms(END_MS));
    way_out_close(contexts_take_way_out(&browser->contexts));
    if (browser->is_loop_own) {
        loop_destroy(browser->loop);
    }
    pthread_cond_destroy(&browser->changed);
    pthread_mutex_destroy(&browser->mutex);
    options_free(&browser->options, texts, sizeof(texts) / sizeof(texts[0]));
    free(browser);
}
