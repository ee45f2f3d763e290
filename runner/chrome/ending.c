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

/* What a line of stderr says about the end; NULL for one that says nothing about it. */
static const struct catalogue_entry *entry_of(const char *line)
{
    const struct catalogue_entry *entry = catalogue_find(line);
    bool is_end = entry && (entry->code == BR_BROWSER_CRASHED || entry->code == BR_PROFILE_IN_USE);
    return is_end ? entry : NULL;
}

/*
 * The line that tells most: the last one that the catalogue knows, else the last one at all; ""
 * when nothing was said. Caller frees.
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
        /* Chrome complains of the lack of D-Bus wherever there is no desktop. */
        if (!last && *line && !strstr(line, "dbus") && !strstr(line, "DBus")) {
            last = TAKE(line);
        }
        end = start > 0 ? start - 1 : 0;
    }
    return last ? TAKE(last) : xstrdup("");
}

bool ending_explain(struct process *process, const char *profile, struct br_error *err)
{
    int code = process_exit_code(process);
    CLEANUP_FREE char *words = process_last_words(process);
    CLEANUP_FREE char *line = telling_line(words);
    const struct catalogue_entry *entry = entry_of(line);
    bool was_killed = code == -SIGKILL && !entry; /* by others: nothing it said tells why */
    int64_t shared_memory = platform_shared_memory_free();
    if (code == EXIT_PROFILE_IN_USE) {
        error_set(err, BR_PROFILE_IN_USE, "the profile %s is in use by another Chrome", profile);
        return error_hint(err, "close that browser, or use ⟨temp-profile⟩ or another ⟨project⟩");
    }
    error_set(err, entry ? entry->code : BR_BROWSER_CRASHED, "Chrome ended %s %d%s%.*s",
              code < 0 ? "by signal" : "with exit code", code < 0 ? -code : code,
              *line && !was_killed ? ": " : "", MAX_LINE, was_killed ? "" : line);
    if (entry) {
        return error_hint(err, "%s", entry->hint);
    }
    if (shared_memory >= 0 && shared_memory < LEAST_SHARED_MEMORY) {
        error_hint(err, "/dev/shm is almost full or too small: give the container --shm-size=1g");
    }
    return false;
}
