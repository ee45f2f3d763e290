#include "runner/cli/console_pages.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/url_parts.h"
#include "runner/chrome/discover.h"
#include "runner/cli/warm.h"
#include "runner/loop/loop.h"
#include "runner/servers/console_bridge/watch.h"
#include "runner/servers/local/client.h"
#include "runner/sessions/settings.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { ROOM_MS = 1000, LIST_MS = 10000, LOOK_LIST_MS = 1000, FOLLOW_MS = INT_MAX };

struct console_pages {
    struct loop *loop;
    struct sessions *sessions;
    struct console_watch **list;
    size_t count, capacity;
    unsigned started;
    atomic_size_t left;
    atomic_uint last_tab;
    const struct cli_options *options;
    struct console_hub *hub;
    bool follows_all;      /* tabs that are opened later, too */
    pthread_mutex_t mutex; /* guards the following members */
    /*
     * By Chrome's ids of tabs: null for those that a page reports; for others, the time of the last
     * call that was reported of them.
     */
    json_t *tabs;
    int end_fd;
};

/* Runs on the page's thread. */
static void on_over(void *data, struct console_watch *watch, const struct br_error *why)
{
    (void)watch;
    struct console_pages *pages = data;
    bool was_closed = pages->follows_all && why->code == BR_TARGET_NOT_FOUND;
    if (!was_closed) {
        cli_print_error(why);
    }
    if (atomic_fetch_sub(&pages->left, 1) == 1 && !pages->follows_all) {
        eventfd_write(pages->end_fd, 1);
    }
}

/* Runs on the page's thread. */
static void on_tab(void *data, const char *id, bool is_open)
{
    struct console_pages *pages = data;
    pthread_mutex_lock(&pages->mutex);
    json_object_set_new(pages->tabs, id, is_open ? json_null() : json_integer(clock_wall_ms()));
    pthread_mutex_unlock(&pages->mutex);
}

static bool add(struct console_pages *pages, const char *url, const char *tab, const json_t *shown,
                int64_t from_ms, struct br_error *err)
{
    const struct cli_options *options = pages->options;
    struct br_session_options session = options->session;
    session.screenshots = BR_SCREENSHOTS_EXPLICIT;
    session.max_consecutive_errors = session.total_error_threshold = 0;
    session.tab = tab;
    json_auto_t *settings = settings_write(&options->browser, &session);
    const struct console_watch_options watch = {
        .hub = pages->hub,
        .sessions = pages->sessions,
        .settings = settings,
        .number = ++pages->started,
        .from_ms = from_ms,
        .on_tab = on_tab,
        .last_tab = &pages->last_tab,
        .url = url,
        .shown_url = json_member_string(shown, "url"),
        .shown_title = json_member_string(shown, "title"),
        .on_over = on_over,
        .data = pages,
    };
    pages->list = array_reserve(pages->list, pages->count, &pages->capacity, sizeof(*pages->list));
    atomic_fetch_add(&pages->left, 1);
    struct console_watch *started = console_watch_start(&watch, err);
    if (started) {
        pages->list[pages->count++] = started;
    }
    return started;
}

static bool add_urls(struct console_pages *pages, struct br_error *err)
{
    const struct cli_options *options = pages->options;
    for (size_t i = 0; i < options->operand_count; i++) {
        CLEANUP_FREE char *url = url_complete(options->operands[i]);
        if (!add(pages, url, options->session.tab, NULL, 0, err)) {
            return false;
        }
    }
    return true;
}

/* Whether no page reports the tab yet; *ret_from_ms: when the last one stopped. */
static bool is_new(struct console_pages *pages, const char *id, int64_t *ret_from_ms)
{
    pthread_mutex_lock(&pages->mutex);
    const json_t *known = json_object_get(pages->tabs, id);
    *ret_from_ms = json_integer_value(known);
    bool is_free = !json_is_null(known);
    json_object_set_new(pages->tabs, id, json_null());
    pthread_mutex_unlock(&pages->mutex);
    return is_free;
}

/* Adds the open tabs that no page reports yet. */
static bool add_tabs(struct console_pages *pages, int64_t limit_ms, struct br_error *err)
{
    size_t index;
    json_t *tab;
    json_auto_t *tabs =
        discover_tabs(pages->loop, pages->options->browser.connect, deadline_in_ms(limit_ms), err);
    if (!tabs) {
        return false;
    }
    json_array_foreach (tabs, index, tab) {
        int64_t from_ms = 0;
        const char *type = json_member_string(tab, "type");
        const char *id = json_member_string(tab, "id");
        if (type && id && strcmp(type, "page") == 0 && is_new(pages, id, &from_ms) &&
            !add(pages, NULL, id, tab, from_ms, err)) {
            return false;
        }
    }
    return true;
}

static bool add_all(struct console_pages *pages, struct br_error *err)
{
    const struct cli_options *options = pages->options;
    pages->follows_all = options->operand_count == 0 && !options->session.tab;
    if (options->operand_count > 0) {
        return add_urls(pages, err);
    }
    return options->session.tab
               ? add(pages, NULL, options->session.tab, NULL, 0, err)
               : add_tabs(pages, LIST_MS, err) &&
                     (pages->count > 0 ||
                      error_set(err, BR_TARGET_NOT_FOUND, "the browser has no open tab"));
}

struct console_pages *console_pages_open(const struct cli_options *options, struct console_hub *hub,
                                         struct br_error *err)
{
    struct console_pages *pages = xcalloc(1, sizeof(*pages));
    pages->options = options;
    pages->hub = hub;
    pages->tabs = json_object();
    pthread_mutex_init(&pages->mutex, NULL);
    pages->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pages->loop = loop_create(false, err);
    pages->sessions = pages->loop ? sessions_create(pages->loop, false) : NULL;
    if (!pages->sessions || !add_all(pages, err)) {
        console_pages_close(pages);
        return NULL;
    }
    return pages;
}

/* Closes pages that are lost for good. */
static void remove_lost(struct console_pages *pages)
{
    for (size_t i = pages->count; i-- > 0;) {
        if (console_watch_is_over(pages->list[i])) {
            console_watch_stop(pages->list[i]);
            pages->list[i] = pages->list[--pages->count];
        }
    }
}

void console_pages_look(struct console_pages *pages)
{
    struct br_error ignored; /* a browser that is gone is reported by its pages */
    for (size_t i = 0; i < pages->count; i++) {
        console_watch_look(pages->list[i]);
    }
    if (pages->follows_all) {
        remove_lost(pages);
        add_tabs(pages, LOOK_LIST_MS, &ignored);
        eventfd_write(pages->end_fd, pages->count == 0);
    }
}

int console_pages_end_fd(const struct console_pages *pages)
{
    return pages->end_fd;
}

bool console_pages_are_over(const struct console_pages *pages)
{
    return atomic_load(&pages->left) == 0;
}

void console_pages_close(struct console_pages *pages)
{
    if (!pages) {
        return;
    }
    for (size_t i = 0; i < pages->count; i++) {
        console_watch_stop(pages->list[i]);
    }
    if (pages->sessions) {
        sessions_destroy(pages->sessions);
    }
    loop_destroy(pages->loop);
    if (pages->end_fd >= 0) {
        close(pages->end_fd);
    }
    pthread_mutex_destroy(&pages->mutex);
    json_decref(pages->tabs);
    free(pages->list);
    free(pages);
}

/* Follows a warm session through its daemon. */
struct following {
    struct console_hub *hub;
    int room_fd; /* an eventfd: the hub has room again */
    bool (*has_ended)(void *data);
    void *data;
    bool was_told; /* the reason of its end was received */
};

static void on_room(void *data)
{
    eventfd_write(((struct following *)data)->room_fd, 1);
}

/* Blocks; the daemon keeps further messages meanwhile. */
static void wait_for_room(struct following *following)
{
    eventfd_t count;
    struct pollfd room = { .fd = following->room_fd, .events = POLLIN };
    while (!console_hub_has_room(following->hub) && !following->has_ended(following->data)) {
        poll(&room, 1, ROOM_MS);
        eventfd_read(following->room_fd, &count);
    }
}

/* Returns false with the error if the session has not ended by a stop. */
static bool read_end(const json_t *line, struct br_error *err)
{
    const char *reason = json_member_string(line, "reason");
    const char *code = json_member_string(line, "errorCode");
    if (code) {
        return error_set(err, error_code_from_name(code), "%s", reason ? reason : "");
    }
    cli_warn("%s", reason ? reason : "the session has ended");
    return true;
}

static bool on_line(void *data, json_t *line, const char *text, struct br_error *err)
{
    (void)text;
    struct following *following = data;
    const json_t *message = json_object_get(line, "message");
    const char *kind = json_member_string(line, "kind");
    if (kind && strcmp(kind, "ended") == 0) {
        following->was_told = true;
        return read_end(line, err);
    }
    if (following->has_ended(following->data)) {
        err->code = BR_OK;
        return false;
    }
    CLEANUP_FREE char *dump = message ? json_dumps(message, JSON_COMPACT) : NULL;
    if (dump && !console_hub_message(following->hub, CONSOLE_OWN_ID, dump, strlen(dump))) {
        wait_for_room(following);
    }
    return true;
}

bool console_pages_follow(const char *session, struct console_hub *hub, struct interrupt *interrupt,
                          bool (*has_ended)(void *data), void *data, struct br_error *err)
{
    struct following following = { .hub = hub,
                                   .room_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
                                   .has_ended = has_ended,
                                   .data = data };
    struct warm_exchange exchange = {
        .interrupt = interrupt,
        .forbids_start = true,
        .timeout_ms = FOLLOW_MS,
        .data = &following,
        .on_line = on_line,
    };
    console_hub_watch_room(hub, on_room, &following);
    console_hub_open(hub, CONSOLE_OWN_ID, NULL);
    bool is_done = warm_ask(&exchange, local_request("console", session), err);
    console_hub_close(hub, CONSOLE_OWN_ID);
    console_hub_watch_room(hub, NULL, NULL);
    close(following.room_fd);
    bool is_cut = is_done && !following.was_told && !exchange.was_interrupted && !has_ended(data);
    if (is_cut) {
        error_set(err, BR_DISCONNECTED, "the daemon of warm sessions has gone: it was killed");
        return error_hint(err, "the session %s has ended with it", session);
    }
    return is_done || exchange.was_interrupted || err->code == BR_OK;
}
