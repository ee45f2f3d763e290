#include "runner/servers/brop/tab.h"

#include "runner/base/cut.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/servers/brop/translate.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MAX_MESSAGE = 16 * 1024,          /* bytes of an entry's text */
    MAX_RING_BYTES = 4 * 1024 * 1024, /* of a tab's entries */
};

struct entry {
    uint64_t number;    /* counts the tab's entries from 1 */
    const char *level;  /* static */
    const char *source; /* static */
    char *message;
    char *location; /* NULL: unknown */
    size_t size;
    int64_t at_ms;
};

struct brop_tab {
    atomic_int references;
    int32_t id;
    struct brop_window *window; /* held */
    struct worker *worker;      /* of the window */
    void (*release)(struct brop_window *window);
    pthread_mutex_t mutex; /* guards what follows */
    char *url, *title;
    bool is_loading;
    struct entry ring[BROP_RING];
    size_t first, count; /* of the ring */
    size_t bytes;
    int64_t newest_ms;   /* when the newest console call or exception happened */
    int64_t replayed_ms; /* calls and exceptions up to here are repetitions */
    uint64_t last_number;
    uint64_t cleared_through; /* entries up to this one were cleared */
    int64_t capture_since_ms; /* 0: no capture runs */
    uint64_t capture_after;   /* the capture consists of the entries after this one */
};

static void drop_oldest(struct brop_tab *tab)
{
    struct entry *oldest = &tab->ring[tab->first];
    tab->bytes -= oldest->size;
    free(oldest->message);
    free(oldest->location);
    tab->first = (tab->first + 1) % BROP_RING;
    tab->count--;
}

/* Call with the mutex held. Takes ownership of the texts. */
static void add_entry(struct brop_tab *tab, struct entry entry)
{
    entry.number = ++tab->last_number;
    entry.size = strlen(entry.message) + (entry.location ? strlen(entry.location) : 0);
    while (tab->count && (tab->count == BROP_RING || tab->bytes + entry.size > MAX_RING_BYTES)) {
        drop_oldest(tab);
    }
    tab->ring[(tab->first + tab->count++) % BROP_RING] = entry;
    tab->bytes += entry.size;
}

static const char *level_of(const struct br_log *log)
{
    static const char *const of_method[][2] = {
        { "log", "log" },     { "info", "info" },   { "warning", "warn" },
        { "error", "error" }, { "debug", "debug" }, { "assert", "error" },
    };
    static const char *const of_type[] = {
        [BR_LOG_VERBOSE] = "debug", [BR_LOG_DEBUG] = "debug", [BR_LOG_INFO] = "info",
        [BR_LOG_WARNING] = "warn",  [BR_LOG_ERROR] = "error",
    };
    for (size_t i = 0; log->method && i < sizeof(of_method) / sizeof(of_method[0]); i++) {
        if (strcmp(log->method, of_method[i][0]) == 0) {
            return of_method[i][1];
        }
    }
    return log->method ? "log" : of_type[log->type];
}

/* Call with the mutex held. */
static void take_log(struct brop_tab *tab, const struct br_event *event)
{
    const struct br_log *log = &event->as.log;
    bool is_call = event->kind != BR_EVENT_LOG;
    bool is_chatter = !is_call && log->type < BR_LOG_WARNING;
    if (log->source != BR_SOURCE_BROWSER || is_chatter ||
        (is_call && log->timestamp_ms <= tab->replayed_ms)) {
        return;
    }
    if (is_call && log->timestamp_ms > tab->newest_ms) {
        tab->newest_ms = log->timestamp_ms;
    }
    /* Equal calls come as one event. */
    for (int i = 0; i < (log->count > 1 ? log->count : 1) && i < BROP_RING; i++) {
        add_entry(tab, (struct entry){
                           .level = level_of(log),
                           .source = br_event_name(event->kind),
                           .message = cut_text(log->message ? log->message : "", MAX_MESSAGE),
                           .location = xstrdup(log->location),
                           .at_ms = log->timestamp_ms,
                       });
    }
}

static void set_text(char **place, const char *text)
{
    if (text) {
        free(*place);
        *place = xstrdup(text);
    }
}

static void take_navigation(struct brop_tab *tab, const struct br_navigation *navigation)
{
    bool is_begun = navigation->step == BR_NAVIGATION_BEGUN;
    tab->is_loading = is_begun || (tab->is_loading && navigation->step != BR_NAVIGATION_LOADED);
    if (!is_begun && navigation->url) {
        set_text(&tab->url, navigation->url);
    }
}

void brop_tab_take(struct brop_tab *tab, const struct br_event *event)
{
    mutex_lock(&tab->mutex);
    if (event->kind == BR_EVENT_NAVIGATION) {
        take_navigation(tab, &event->as.navigation);
    } else {
        take_log(tab, event);
    }
    mutex_unlock(&tab->mutex);
}

void brop_tab_expect_replay(struct brop_tab *tab)
{
    mutex_lock(&tab->mutex);
    tab->replayed_ms = tab->newest_ms;
    mutex_unlock(&tab->mutex);
}

struct brop_tab *brop_tab_create(struct brop_window *window, struct worker *worker,
                                 void (*release)(struct brop_window *window))
{
    struct brop_tab *tab = xcalloc(1, sizeof(*tab));
    atomic_init(&tab->references, 1);
    tab->window = window;
    tab->worker = worker;
    tab->release = release;
    tab->url = xstrdup("about:blank");
    tab->title = xstrdup("");
    pthread_mutex_init(&tab->mutex, NULL);
    return tab;
}

struct brop_tab *brop_tab_hold(struct brop_tab *tab)
{
    atomic_fetch_add(&tab->references, 1);
    return tab;
}

void brop_tab_release(struct brop_tab *tab)
{
    if (!tab || atomic_fetch_sub(&tab->references, 1) > 1) {
        return;
    }
    while (tab->count) {
        drop_oldest(tab);
    }
    tab->release(tab->window);
    pthread_mutex_destroy(&tab->mutex);
    free(tab->url);
    free(tab->title);
    free(tab);
}

void brop_tab_set_id(struct brop_tab *tab, int32_t id)
{
    tab->id = id;
}

int32_t brop_tab_id(const struct brop_tab *tab)
{
    return tab->id;
}

struct brop_window *brop_tab_window(const struct brop_tab *tab)
{
    return tab->window;
}

struct worker *brop_tab_worker(const struct brop_tab *tab)
{
    return tab->worker;
}

void brop_tab_note(struct brop_tab *tab, const char *url, const char *title)
{
    bool is_error_page = url && strncmp(url, "chrome-error:", 13) == 0; /* at the URL that failed */
    mutex_lock(&tab->mutex);
    set_text(&tab->url, is_error_page ? NULL : url);
    set_text(&tab->title, title);
    mutex_unlock(&tab->mutex);
}

void brop_tab_set_loading(struct brop_tab *tab, bool is_loading)
{
    mutex_lock(&tab->mutex);
    tab->is_loading = is_loading;
    mutex_unlock(&tab->mutex);
}

void brop_tab_describe(struct brop_tab *tab, json_t *object, const char *url_name,
                       const char *title_name, bool has_status)
{
    mutex_lock(&tab->mutex);
    json_object_set_new(object, url_name, json_text(tab->url));
    json_object_set_new(object, title_name, json_text(tab->title));
    if (has_status) {
        json_object_set_new(object, "status",
                            json_string(tab->is_loading ? "loading" : "complete"));
    }
    mutex_unlock(&tab->mutex);
}

bool brop_tab_is_accessible(struct brop_tab *tab)
{
    mutex_lock(&tab->mutex);
    bool is_closed = brop_url_is_closed(tab->url);
    mutex_unlock(&tab->mutex);
    return !is_closed;
}

/* The console. */

static bool is_level(const struct entry *entry, const char *level)
{
    return !level || strcmp(entry->level, strcmp(level, "warning") == 0 ? "warn" : level) == 0;
}

/* Returns the number of the entry before the first one to report. Call with the mutex held. */
static uint64_t begin_of(const struct brop_tab *tab)
{
    return tab->capture_since_ms && tab->capture_after > tab->cleared_through
               ? tab->capture_after
               : tab->cleared_through;
}

/* Counts the stored entries after the one with this number. Call with the mutex held. */
static size_t count_after(const struct brop_tab *tab, uint64_t number, const char *level)
{
    size_t count = 0;
    for (size_t i = 0; i < tab->count; i++) {
        const struct entry *entry = &tab->ring[(tab->first + i) % BROP_RING];
        count += entry->number > number && is_level(entry, level);
    }
    return count;
}

static json_t *entry_json(const struct entry *entry)
{
    return json_pack("{s:s, s:o, s:I, s:s, s:o*}", "level", entry->level, "message",
                     json_text(entry->message), "timestamp", (json_int_t)entry->at_ms, "source",
                     entry->source, "location",
                     entry->location ? json_text(entry->location) : NULL);
}

/* Returns the members that all console answers have. Call with the mutex held. */
static json_t *console_answer(const struct brop_tab *tab)
{
    return json_pack("{s:b, s:i, s:o, s:o, s:I}", "success", 1, "tabId", (int)tab->id, "tab_title",
                     json_text(tab->title), "tab_url", json_text(tab->url), "timestamp",
                     (json_int_t)clock_wall_ms());
}

json_t *brop_tab_logs(struct brop_tab *tab, int64_t limit, const char *level)
{
    json_t *logs = json_array();
    mutex_lock(&tab->mutex);
    json_t *answer = console_answer(tab);
    uint64_t begin = begin_of(tab);
    size_t found = count_after(tab, begin, level);
    size_t skipped = limit >= 0 && found > (size_t)limit ? found - (size_t)limit : 0;
    for (size_t i = 0; i < tab->count; i++) {
        const struct entry *entry = &tab->ring[(tab->first + i) % BROP_RING];
        if (entry->number > begin && is_level(entry, level)) {
            if (skipped) {
                skipped--;
            } else {
                json_array_append_new(logs, entry_json(entry));
            }
        }
    }
    json_object_set_new(answer, "total_captured", json_integer((json_int_t)json_array_size(logs)));
    json_object_set_new(answer, "total_in_session",
                        json_integer((json_int_t)count_after(tab, begin, NULL)));
    if (tab->capture_since_ms) {
        json_object_set_new(answer, "capture_started", json_integer(tab->capture_since_ms));
        json_object_set_new(answer, "capture_duration",
                            json_integer(clock_wall_ms() - tab->capture_since_ms));
    } else {
        json_object_set_new(answer, "message",
                            json_string("No capture is active: these are the entries since the tab "
                                        "was created. start_console_capture begins one."));
    }
    mutex_unlock(&tab->mutex);
    json_object_set_new(answer, "logs", logs);
    json_object_set_new(answer, "source", json_string("console_ring"));
    json_object_set_new(answer, "method", json_string("console_ring"));
    return answer;
}

json_t *brop_tab_start_capture(struct brop_tab *tab)
{
    mutex_lock(&tab->mutex);
    bool was_running = tab->capture_since_ms;
    if (!was_running) {
        tab->capture_since_ms = clock_wall_ms();
        tab->capture_after = tab->last_number;
    }
    json_t *answer = console_answer(tab);
    json_object_set_new(answer, "capture_started", json_integer(tab->capture_since_ms));
    json_object_set_new(answer, "message",
                        json_string(was_running ? "Console capture was already active"
                                                : "Console capture started"));
    mutex_unlock(&tab->mutex);
    return answer;
}

json_t *brop_tab_stop_capture(struct brop_tab *tab)
{
    mutex_lock(&tab->mutex);
    json_t *answer = console_answer(tab);
    size_t count = tab->capture_since_ms ? count_after(tab, begin_of(tab), NULL) : 0;
    int64_t ms = tab->capture_since_ms ? clock_wall_ms() - tab->capture_since_ms : 0;
    json_object_set_new(answer, "message",
                        json_string(tab->capture_since_ms ? "Console capture stopped"
                                                          : "No console capture was active"));
    json_object_set_new(answer, "logs_captured", json_integer((json_int_t)count));
    json_object_set_new(answer, "total_in_session", json_integer((json_int_t)count));
    json_object_set_new(answer, "capture_duration", json_integer(ms));
    tab->capture_since_ms = 0;
    mutex_unlock(&tab->mutex);
    return answer;
}

json_t *brop_tab_clear_logs(struct brop_tab *tab)
{
    mutex_lock(&tab->mutex);
    json_t *answer = console_answer(tab);
    int64_t now_ms = clock_wall_ms();
    size_t count = count_after(tab, begin_of(tab), NULL);
    int64_t ms = tab->capture_since_ms ? now_ms - tab->capture_since_ms : 0;
    json_object_set_new(answer, "message", json_string("Console logs cleared"));
    json_object_set_new(answer, "logs_cleared", json_integer((json_int_t)count));
    json_object_set_new(answer, "previous_capture_duration", json_integer(ms));
    tab->cleared_through = tab->last_number;
    tab->capture_since_ms = tab->capture_since_ms ? now_ms : 0;
    mutex_unlock(&tab->mutex);
    return answer;
}
