#include "runner/base/log.h"

#include "runner/base/clock.h"
#include "runner/base/cut.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"

#include <string.h>

static const char *const log_type_names[] = {
    [BR_LOG_VERBOSE] = "verbose", [BR_LOG_DEBUG] = "debug", [BR_LOG_INFO] = "info",
    [BR_LOG_WARNING] = "warning", [BR_LOG_ERROR] = "error",
};

const char *log_type_name(enum br_log_type type)
{
    return log_type_names[type];
}

bool log_type_from_name(const char *name, enum br_log_type *ret_type)
{
    for (size_t i = 0; i < sizeof(log_type_names) / sizeof(log_type_names[0]); i++) {
        if (strcmp(name, log_type_names[i]) == 0) {
            *ret_type = (enum br_log_type)i;
            return true;
        }
    }
    return false;
}

/* The original length is unknown, because parts may have been cut before. */
static char *copy_cut(const char *text)
{
    size_t length = strlen(text);
    if (length <= LOG_MAX_TEXT) {
        return xstrndup(text, length);
    }
    size_t kept = utf8_cut(text, LOG_MAX_TEXT - CUT_MARK_MAX);
    return xasprintf("%.*s… (more than %zu characters)", (int)kept, text, cut_count(text, kept));
}

static size_t text_length(const char *text)
{
    return text ? strlen(text) : 0;
}

size_t log_size(const struct br_log *log)
{
    return text_length(log->message) + text_length(log->location) + text_length(log->stack) +
           text_length(log->generated_location) + text_length(log->hint) +
           text_length(log->arguments);
}

/* Includes its location and stack, which are added after its message. */
static size_t last_size(const struct log_list *list)
{
    return list->count ? log_size(&list->items[list->count - 1]) : 0;
}

bool log_list_is_full(const struct log_list *list)
{
    return list->count >= LOG_MAX_ENTRIES || list->bytes + last_size(list) >= LOG_MAX_BYTES;
}

struct br_log log_entry(enum br_log_type type, enum br_log_source source, const char *category,
                        const char *message)
{
    return (struct br_log){
        .type = type,
        .source = source,
        .timestamp_ms = clock_wall_ms(),
        .message = copy_cut(message),
        .category = xstrdup(category),
    };
}

struct br_log *log_list_take(struct log_list *list, struct br_log *log)
{
    bool is_browser = log->source == BR_SOURCE_BROWSER;
    if (!list) {
        log_finish(log);
        return NULL;
    }
    if (list->count >= LOG_MAX_ENTRIES || (is_browser && log_list_is_full(list))) {
        list->dropped++;
        log_finish(log);
        return NULL;
    }
    list->bytes += last_size(list);
    list->items = array_reserve(list->items, list->count, &list->capacity, sizeof(*list->items));
    list->items[list->count] = *log;
    return &list->items[list->count++];
}

struct br_log *log_add(struct log_list *list, enum br_log_type type, enum br_log_source source,
                       const char *category, const char *message)
{
    struct br_log log = log_entry(type, source, category, message);
    return log_list_take(list, &log);
}

struct br_log *log_list_find(struct log_list *list, uint64_t id)
{
    for (size_t i = list->count; i-- > 0;) {
        if (list->items[i].id == id) {
            return &list->items[i];
        }
    }
    return NULL;
}

void log_list_count(struct log_list *list)
{
    list->bytes = 0;
    for (size_t i = 0; i + 1 < list->count; i++) {
        list->bytes += log_size(&list->items[i]);
    }
}

void log_set_message(struct br_log *log, const char *message)
{
    free(log->message);
    log->message = copy_cut(message);
}

void log_list_set_message(struct log_list *list, size_t index, const char *message)
{
    log_set_message(&list->items[index], message);
    log_list_count(list);
}

void log_list_shrink(struct log_list *list, size_t count)
{
    list->count = count;
    log_list_count(list);
}

void log_finish(struct br_log *log)
{
    free(log->message);
    free(log->category);
    free(log->location);
    free(log->stack);
    free(log->generated_location);
    free(log->hint);
    free(log->method);
    free(log->arguments);
}

bool log_is_of_request(const struct br_log *log)
{
    return log->source == BR_SOURCE_BROWSER && log->category &&
           (strcmp(log->category, "network") == 0 || strcmp(log->category, "resource") == 0);
}

struct br_log log_copy(const struct br_log *log)
{
    struct br_log copy = *log;
    copy.message = xstrdup(log->message);
    copy.category = xstrdup(log->category);
    copy.location = xstrdup(log->location);
    copy.stack = xstrdup(log->stack);
    copy.generated_location = xstrdup(log->generated_location);
    copy.hint = xstrdup(log->hint);
    copy.method = xstrdup(log->method);
    copy.arguments = xstrdup(log->arguments);
    return copy;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

bool log_is_same(const struct br_log *a, const struct br_log *b)
{
    return a->type == b->type && a->source == b->source && a->kind == b->kind &&
           is_same_text(a->message, b->message) && is_same_text(a->location, b->location) &&
           is_same_text(a->arguments, b->arguments);
}

static struct br_log *find_same(struct log_list *list, size_t count, const struct br_log *log)
{
    for (size_t i = 0; i < count; i++) {
        if (log_is_same(&list->items[i], log)) {
            return &list->items[i];
        }
    }
    return NULL;
}

static int times(const struct br_log *log)
{
    return log->count ? log->count : 1;
}

void log_list_fold(struct log_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct br_log *log = &list->items[i];
        bool is_told = log->source == BR_SOURCE_BROWSER;
        struct br_log *same = is_told ? find_same(list, kept, log) : NULL;
        if (same) {
            same->count = times(same) + times(log);
            log_finish(log);
        } else {
            list->items[kept++] = *log;
        }
    }
    log_list_shrink(list, kept);
}

void log_list_sort(struct log_list *list)
{
    for (size_t i = 1; i < list->count;
         i++) { /* insertion sort: hardly any entry is out of order */
        struct br_log log = list->items[i];
        size_t place = i;
        while (place > 0 && list->items[place - 1].timestamp_ms > log.timestamp_ms) {
            place--;
        }
        memmove(&list->items[place + 1], &list->items[place], (i - place) * sizeof(log));
        list->items[place] = log;
    }
}

void log_list_fold_last(struct log_list *list)
{
    struct br_log *last = list->count > 1 ? &list->items[list->count - 1] : NULL;
    if (last && log_is_same(&last[-1], last)) {
        last[-1].count = times(&last[-1]) + times(last);
        log_finish(last);
        list->count--;
        size_t size = last_size(list);
        list->bytes -= size < list->bytes ? size : list->bytes;
    }
}

void log_list_finish(struct log_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        log_finish(&list->items[i]);
    }
    free(list->items);
    *list = (struct log_list){ 0 };
}
