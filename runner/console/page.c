#include "runner/console/page.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/console/deep_value.h"
#include "runner/console/envelope.h"

#include <stdio.h>
#include <string.h>

static struct console_page_tab *add_tab(struct console_page *page, int number)
{
    page->tabs = array_reserve(page->tabs, page->count, &page->capacity, sizeof(*page->tabs));
    struct console_page_tab *tab = &page->tabs[page->count++];
    *tab = (struct console_page_tab){
        .number = number,
        .id = atomic_fetch_add(page->last_id, 1) + 1,
        .last_ms = page->from_ms,
        .is_reread = page->from_ms > 0,
    };
    return tab;
}

static void finish_tab(struct console_page_tab *tab)
{
    free(TAKE(tab->url));
    free(TAKE(tab->title));
}

static void remove_tab(struct console_page *page, size_t index)
{
    finish_tab(&page->tabs[index]);
    memmove(&page->tabs[index], &page->tabs[index + 1],
            (--page->count - index) * sizeof(*page->tabs));
    page->active -= page->active > index;
}

void console_page_init(struct console_page *page, atomic_uint *last_id)
{
    *page = (struct console_page){ .last_id = last_id };
    add_tab(page, 0);
}

void console_page_finish(struct console_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        finish_tab(&page->tabs[i]);
    }
    free(TAKE(page->tabs));
    page->count = page->capacity = 0;
}

static char *copy(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

static void set_document(struct console_page_tab *tab, const char *url, const char *title)
{
    char *new_url = copy(url);
    char *new_title = copy(title);
    finish_tab(tab);
    tab->url = new_url;
    tab->title = new_title;
}

void console_page_set(struct console_page *page, const char *url, const char *title)
{
    set_document(&page->tabs[page->active], url, title);
}

/* The index of the tab with this number; page->count: none. */
static size_t find_tab(const struct console_page *page, int number)
{
    size_t i = 0;
    while (i < page->count && page->tabs[i].number != number) {
        i++;
    }
    return i;
}

static bool is_same_document(const char *url, const char *other)
{
    size_t length = strcspn(url, "#");
    return strcspn(other, "#") == length && strncmp(url, other, length) == 0;
}

/* Whether the title is the URL without its scheme, as Chrome has it until there is a title. */
static bool is_stand_in(const char *title, const char *url)
{
    const char *place = strstr(url, "://");
    return !*title || (place && strncmp(place + 3, title, strlen(title)) == 0);
}

void console_page_set_title(struct console_page *page, int number, const char *url,
                            const char *title, bool is_loaded)
{
    size_t index = find_tab(page, number);
    struct console_page_tab *tab = index < page->count ? &page->tabs[index] : NULL;
    bool is_final = is_loaded && index == page->active;
    if (tab && tab->url && url && title && is_same_document(tab->url, url) &&
        (is_final || !is_stand_in(title, url))) {
        free(tab->title);
        tab->title = xstrdup(title);
    }
}

/* Returns the tab of a call whose document has no title yet; NULL: it has one, or needs none. */
static struct console_page_tab *untitled_tab(const struct console_page *page,
                                             const struct br_event *event)
{
    bool is_call = event->kind == BR_EVENT_CONSOLE || event->kind == BR_EVENT_EXCEPTION;
    size_t index = event->tab ? find_tab(page, event->tab) : page->active;
    struct console_page_tab *tab = index < page->count ? &page->tabs[index] : NULL;
    bool lacks = is_call && tab && tab->url && !tab->title && strncmp(tab->url, "about:", 6) != 0;
    return lacks ? tab : NULL;
}

bool console_page_lacks_title(const struct console_page *page, const struct br_event *event)
{
    return untitled_tab(page, event);
}

void console_page_give_up_title(struct console_page *page, const struct br_event *event)
{
    struct console_page_tab *tab = untitled_tab(page, event);
    if (tab) {
        tab->title = xstrdup("");
    }
}

/* The tab that the event is of. */
static struct console_page_tab *tab_of(struct console_page *page, const struct br_event *event)
{
    size_t index = event->tab ? find_tab(page, event->tab) : page->active;
    return index < page->count ? &page->tabs[index] : add_tab(page, event->tab);
}

static void note_navigation(struct console_page_tab *tab, const struct br_navigation *navigation)
{
    bool is_there =
        navigation->step == BR_NAVIGATION_DONE || navigation->step == BR_NAVIGATION_WITHIN;
    if (is_there && navigation->url) {
        bool is_within = navigation->step == BR_NAVIGATION_WITHIN;
        CLEANUP_FREE char *title = is_within ? copy(tab->title) : NULL;
        set_document(tab, navigation->url, title);
    }
}

/* The session has another page: its first, or another one of its tabs. */
static void activate(struct console_page *page, int number)
{
    size_t index = find_tab(page, number);
    if (index == page->count && !page->tabs[page->active].number) {
        index = page->active;
        page->tabs[index].number = number;
    } else if (index == page->count) {
        add_tab(page, number);
    }
    page->active = index;
    page->is_open = true;
    page->tabs[index].is_reread = page->tabs[index].last_ms > 0;
}

/* The page was lost, and all other tabs with it. */
static void forget_tabs(struct console_page *page)
{
    for (size_t i = page->count; i-- > 0;) {
        if (i != page->active) {
            remove_tab(page, i);
        }
    }
    page->tabs[page->active].number = 0;
    page->tabs[page->active].last_ms = 0;
    page->is_open = false;
}

/* Caller frees. */
static char *tab_status(const struct console_page_tab *tab, const char *status, const char *reason)
{
    json_t *source = json_pack("{s:I}", "tabId", (json_int_t)tab->id);
    if (tab->url) {
        json_object_set_new(source, "url", json_text(tab->url));
    }
    return envelope_text("connection_status", clock_wall_ms(), source,
                         json_pack("{s:s, s:o}", "status", status, "reason",
                                   json_sprintf("tab %u %s", tab->id, reason)));
}

static char *note_tab(struct console_page *page, const struct br_tab_change *change)
{
    size_t index = find_tab(page, change->number);
    char *message = NULL;
    if (change->step == BR_TAB_ACTIVATED) {
        activate(page, change->number);
    } else if (change->step == BR_TAB_OPENED && page->is_open && index == page->count) {
        message = tab_status(add_tab(page, change->number), "connected", "was opened");
    } else if (change->step == BR_TAB_CLOSED && index < page->count && page->count > 1) {
        message = tab_status(&page->tabs[index], "disconnected", "was closed");
        if (index != page->active) {
            remove_tab(page, index);
        }
    }
    return message;
}

char *console_page_status(struct console_page *page, const struct br_event *event)
{
    if (event->kind == BR_EVENT_PAGE && !event->as.page.is_back) {
        forget_tabs(page);
    }
    return event->kind == BR_EVENT_TAB ? note_tab(page, &event->as.tab) : NULL;
}

/* Whether the call was read before. */
static bool is_known(struct console_page_tab *tab, int64_t time_ms)
{
    if (tab->is_reread && time_ms <= tab->last_ms) {
        return true;
    }
    tab->is_reread = false;
    tab->last_ms = time_ms > tab->last_ms ? time_ms : tab->last_ms;
    return false;
}

static struct console_value text_value(enum console_kind kind, const char *text)
{
    return (struct console_value){ .kind = kind, .text = xstrdup(text) };
}

static bool is_text(const struct console_value *value)
{
    return value->kind == KIND_STRING && value->text;
}

static void drop_args(struct console_event *event)
{
    for (size_t i = 0; i < event->count; i++) {
        console_value_finish(&event->args[i]);
    }
    event->count = 0;
}

static void put_first(struct console_event *event, struct console_value value)
{
    event->args = xrealloc(event->args, (event->count + 1) * sizeof(*event->args));
    memmove(event->args + 1, event->args, event->count * sizeof(*event->args));
    event->args[0] = value;
    event->count++;
}

/* Chrome adds the argument "console.group" to a call that had none. */
static void drop_own_name(struct console_event *event)
{
    static const char head[] = "console.";
    const char *text = event->count == 1 && is_text(&event->args[0]) ? event->args[0].text : "";
    if (strncmp(text, head, strlen(head)) == 0 &&
        strcmp(text + strlen(head), console_method_name(event->method)) == 0) {
        drop_args(event);
    }
}

/* Chrome reports "label: 3" or "label: 1.5 ms" instead of the argument, which was the label. */
static void restore_label(struct console_event *event)
{
    const char *text = event->count > 0 && is_text(&event->args[0]) ? event->args[0].text : NULL;
    const char *end = NULL;
    for (const char *at = text; at && (at = strstr(at, ": ")); at++) {
        end = at;
    }
    if (!end) {
        return;
    }
    CLEANUP_FREE char *label = xstrndup(text, (size_t)(end - text));
    event->result = xstrdup(text);
    console_value_finish(&event->args[0]);
    event->args[0] = text_value(KIND_STRING, label);
}

static void restore_call(struct console_event *event)
{
    switch (event->method) {
    case CONSOLE_COUNT:
    case CONSOLE_TIME_END:
        restore_label(event);
        break;
    case CONSOLE_ASSERT: /* Chrome omits the condition, which was falsy */
        drop_own_name(event);
        put_first(event, text_value(KIND_BOOLEAN, "false"));
        break;
    case CONSOLE_TRACE:
    case CONSOLE_GROUP:
    case CONSOLE_GROUP_COLLAPSED:
    case CONSOLE_GROUP_END:
    case CONSOLE_CLEAR:
        drop_own_name(event);
        break;
    default:
        break;
    }
}

static void read_args(struct console_event *event, const struct br_log *log)
{
    size_t index;
    json_t *typed;
    struct br_error ignored;
    json_auto_t *args =
        log->arguments ? json_parse(log->arguments, strlen(log->arguments), "arguments", &ignored)
                       : NULL;
    event->count = json_array_size(args);
    event->args = xcalloc(event->count + 1, sizeof(*event->args));
    json_array_foreach (args, index, typed) {
        event->args[index] = deep_value_read(typed);
    }
    if (!json_is_array(args)) {
        event->args[event->count++] = text_value(KIND_STRING, log->message ? log->message : "");
    }
}

/* Reports an exception as an error that was passed to the console. */
static void read_exception(struct console_event *event, const struct br_log *log)
{
    const char *message = log->message ? log->message : "";
    const char *frames = strstr(message, "\n    at ");
    event->method = CONSOLE_ERROR;
    event->args = xcalloc(1, sizeof(*event->args));
    event->count = 1;
    event->args[0] = (struct console_value){
        .kind = KIND_ERROR,
        .text = xstrndup(message, frames ? (size_t)(frames - message) : strlen(message)),
        .stack = frames ? xstrdup(message) : NULL,
    };
}

struct console_event *console_page_read(struct console_page *page, const struct br_event *event,
                                        int *ret_times)
{
    const struct br_log *log = &event->as.log;
    bool is_call = event->kind == BR_EVENT_CONSOLE;
    if (event->kind == BR_EVENT_NAVIGATION) {
        note_navigation(tab_of(page, event), &event->as.navigation);
    }
    if (!is_call && event->kind != BR_EVENT_EXCEPTION) {
        return NULL;
    }
    struct console_page_tab *tab = tab_of(page, event);
    if (is_known(tab, log->timestamp_ms)) {
        return NULL;
    }
    struct console_event *call = xcalloc(1, sizeof(*call));
    call->time_ms = log->timestamp_ms;
    if (is_call) {
        console_method_find_chrome(log->method, &call->method);
        read_args(call, log);
        restore_call(call);
    } else {
        read_exception(call, log);
    }
    call->source.tab = xasprintf("%u", tab->id);
    call->source.url = copy(tab->url);
    call->source.title = copy(tab->title);
    call->location = console_location_read(log->location);
    call->stack = copy(log->stack);
    *ret_times = log->count > 1 ? log->count : 1;
    return call;
}

struct console_event *console_page_timer(const struct console_event *event)
{
    const char *duration = event->result ? strrchr(event->result, ':') : NULL;
    char *end = NULL;
    double ms = duration ? strtod(duration + 1, &end) : 0;
    if (event->method != CONSOLE_TIME_END || !end || strcmp(end, " ms") != 0) {
        return NULL;
    }
    struct console_event *timer = xcalloc(1, sizeof(*timer));
    timer->method = CONSOLE_TIME;
    timer->time_ms = event->time_ms - (int64_t)ms;
    timer->args = xcalloc(1, sizeof(*timer->args));
    timer->args[0] = text_value(KIND_STRING, event->args[0].text);
    timer->count = 1;
    timer->source.tab = xstrdup(event->source.tab);
    timer->source.url = copy(event->source.url);
    timer->source.title = copy(event->source.title);
    return timer;
}
