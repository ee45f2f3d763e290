#include "runner/chrome/ending.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/hints/catalogue.h"

#include <signal.h>
#include <string.h>

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
