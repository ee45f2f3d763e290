#include "runner/chrome/life.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/hints/catalogue.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum {
    KILL_GRACE_MS = 2000, /* time for a killed process to end */
    EXIT_GRACE_MS = 1000, /* time between the end of the pipe and the end of the process */
};

struct browser_life {
    uint64_t generation;
    int64_t began_at_ms; /* of the monotonic clock */
    struct cdp_connection *connection;
    struct process *process; /* NULL: not launched here */
    char *profile;           /* profile directory; NULL if not launched here */
    struct targets *targets;
    atomic_size_t references;
};

/* Measures only the browser process: a busy page must not hide that the browser was stopped. */
static struct platform_work read_work(void *data)
{
    return process_work(data, false);
}

struct browser_life *browser_life_create(uint64_t generation, struct cdp_connection *connection,
                                         struct process *process, const char *profile,
                                         int64_t answer_ms)
{
    struct browser_life *life = xcalloc(1, sizeof(*life));
    life->generation = generation;
    life->began_at_ms = clock_monotonic_ms();
    life->connection = connection;
    life->process = process;
    life->profile = xstrdup(profile);
    life->targets = targets_create();
    atomic_init(&life->references, 1);
    cdp_connection_judge_by(connection, process ? read_work : NULL, process, answer_ms);
    return life;
}

struct browser_life *browser_life_hold(struct browser_life *life)
{
    atomic_fetch_add(&life->references, 1);
    return life;
}

void browser_life_release(struct browser_life *life)
{
    if (life && atomic_fetch_sub(&life->references, 1) == 1) {
        cdp_connection_destroy(life->connection);
        targets_destroy(life->targets);
        process_destroy(life->process);
        free(life->profile);
        free(life);
    }
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

pid_t browser_life_pid(const struct browser_life *life)
{
    return life->process ? process_pid(life->process) : 0;
}

struct platform_work browser_life_work(const struct browser_life *life)
{
    return life->process ? process_work(life->process, true)
                         : (struct platform_work){ .ran_us = 0 };
}

int64_t browser_life_start_ms(const struct browser_life *life)
{
    return cdp_connection_has_begun(life->connection) ? 0
                                                      : clock_monotonic_ms() - life->began_at_ms;
}

uint64_t browser_life_generation(const struct browser_life *life)
{
    return life->generation;
}

bool browser_life_explain(struct browser_life *life, struct br_error *err)
{
    /* A failed write may be noticed before the loop has seen the end of the pipe. */
    if (err->code != BR_DISCONNECTED && cdp_connection_is_open(life->connection)) {
        return false;
    }
    if (cdp_connection_is_stuck(life->connection)) {
        error_set(err, BR_BROWSER_CRASHED, "the browser does not answer any more: it is given up");
    } else if (life->process && process_wait(life->process, deadline_in_ms(EXIT_GRACE_MS))) {
        ending_explain(life->process, life->profile, err);
    } else {
        err->code = BR_DISCONNECTED;
    }
    return true;
}

bool browser_life_is_open(const struct browser_life *life)
{
    return cdp_connection_is_open(life->connection);
}

void browser_life_ask_to_end(struct browser_life *life, struct deadline end)
{
    struct br_error ignored;
    if (life->process && cdp_connection_is_open(life->connection)) {
        cdp_connection_send(life->connection, NULL, NULL, "Browser.close", NULL, end, &ignored);
        process_wait(life->process, end);
    }
}

void browser_life_end(struct browser_life *life)
{
    cdp_connection_close(life->connection, "the browser was given up");
    if (life->process) {
        process_kill(life->process);
        process_wait(life->process, deadline_in_ms(KILL_GRACE_MS));
    }
    browser_life_release(life);
}

enum {
    LEAST_SHARED_MEMORY = 64 * 1024 * 1024,
    EXIT_PROFILE_IN_USE = 21,
    MAX_LINE = 300,
};

/* Returns what a line of stderr means for the end; NULL if it means nothing. */
static const struct catalogue_entry *entry_of(const char *line)
{
    const struct catalogue_entry *entry = catalogue_find(line);
    bool is_end = entry && (entry->code == BR_BROWSER_CRASHED || entry->code == BR_PROFILE_IN_USE);
    return is_end ? entry : NULL;
}

/*
 * Returns whether the line is a complaint that Chrome prints on every machine without a desktop, or
 * one of its crash reporter in containers.
 */
static bool is_noise(const char *line)
{
    return strstr(line, "dbus") || strstr(line, "DBus") || strstr(line, "crashpad");
}

/*
 * Returns the most informative line: the last one that the catalogue knows, else the last line; ""
 * without output. Caller frees.
 */
static char *telling_line(const char *words)
{
    CLEANUP_FREE char *last = NULL;
    size_t end = strlen(words);
    while (end > 0) {
        size_t start = end;
        while (start > 0 && words[start - 1] != '\n') {
            start--;
        }
        CLEANUP_FREE char *line = xstrndup(words + start, end - start);
        if (entry_of(line)) {
            return TAKE(line);
        }
        if (!last && *line && !is_noise(line)) {
            last = TAKE(line);
        }
        end = start > 0 ? start - 1 : 0;
    }
    return last ? TAKE(last) : xstrdup("");
}

/* Returns a text such as "Chrome ended with exit code 1". Caller frees. */
static char *describe_end(int code)
{
    return code == PROCESS_END_UNKNOWN ? xstrdup("Chrome ended with an unknown status")
           : code < 0                  ? xasprintf("Chrome ended by signal %d", -code)
                                       : xasprintf("Chrome ended with exit code %d", code);
}

bool ending_explain(struct process *process, const char *profile, struct br_error *err)
{
    int code = process_exit_code(process);
    CLEANUP_FREE char *words = process_last_words(process);
    CLEANUP_FREE char *line = telling_line(words);
    const struct catalogue_entry *entry = entry_of(line);
    bool was_killed = code == -SIGKILL && !entry; /* killed by another program: its output does
                                                     not explain that */
    int64_t shared_memory = platform_shared_memory_free();
    if (code == EXIT_PROFILE_IN_USE) {
        error_set(err, BR_PROFILE_IN_USE, "the profile %s is in use by another Chrome", profile);
        return error_hint(err, "close that browser, or use ⟨temp-profile⟩ or another ⟨project⟩");
    }
    CLEANUP_FREE char *end = describe_end(code);
    error_set(err, entry ? entry->code : BR_BROWSER_CRASHED, "%s%s%.*s", end,
              *line && !was_killed ? ": " : "", MAX_LINE, was_killed ? "" : line);
    if (entry) {
        return error_hint(err, "%s", entry->hint);
    }
    if (shared_memory >= 0 && shared_memory < LEAST_SHARED_MEMORY) {
        return error_hint(err, "/dev/shm is almost full or too small: give the container "
                               "--shm-size=1g");
    }
    if (code == PROCESS_END_UNKNOWN) {
        error_hint(
            err,
            "this program ignores SIGCHLD, or reaps all its children: Chrome's status was lost");
    }
    return false;
}
