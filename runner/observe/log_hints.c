#include "runner/observe/log_hints.h"

#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/hints/catalogue.h"
#include "runner/observe/stream.h"

#include <string.h>

enum {
    MAX_HINTS = 10,
    MAX_LOOKED_AT = 2048, /* bytes of a log that are compared */
    MAX_NAMED = 160,      /* bytes of a log that a hint quotes */
};

static const char hint_category[] = "hint";

static bool has_hint(const struct log_list *logs, const char *hint)
{
    const size_t length = strlen(hint);
    for (size_t i = 0; i < logs->count; i++) {
        const struct br_log *log = &logs->items[i];
        if (log->category && strcmp(log->category, hint_category) == 0 &&
            strncmp(log->message, hint, length) == 0 &&
            (log->message[length] == '\0' || strncmp(log->message + length, " (about", 7) == 0)) {
            return true;
        }
    }
    return false;
}

/*
 * Adds the hint for `log`, an entry of the list; if a hint was added, the pointer is no longer
 * valid.
 */
static bool add_hint(struct log_list *logs, const struct br_log *log)
{
    CLEANUP_FREE char *hint = log->hint ? xstrdup(log->hint) : catalogue_hint_of(log);
    if (!hint || has_hint(logs, hint)) {
        return false;
    }
    const char *location = log->location;
    const size_t looked_at = strnlen(log->message, MAX_LOOKED_AT);
    CLEANUP_FREE char *text = xstrndup(log->message, looked_at);
    const size_t line = strcspn(text, "\n");
    const size_t named = line > MAX_NAMED ? utf8_cut(text, MAX_NAMED) : line;
    log_tool(logs, BR_LOG_INFO, hint_category, "%s (about \"%.*s%s\"%s%s)", hint, (int)named, text,
             named < line ? "…" : "", location ? " at " : "", location ? location : "");
    return true;
}

void log_hints_add(struct log_list *logs, const char *of_error)
{
    if (*of_error && !has_hint(logs, of_error)) {
        log_tool(logs, BR_LOG_INFO, hint_category, "%s", of_error);
    }
    size_t count = logs->count; /* hints are appended, and are not examined themselves */
    size_t told = 0;
    for (size_t i = 0; i < count && told < MAX_HINTS && logs->count < LOG_MAX_ENTRIES; i++) {
        told += add_hint(logs, &logs->items[i]) ? 1 : 0;
    }
}
