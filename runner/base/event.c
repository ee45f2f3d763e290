#include "runner/base/event.h"

#include "runner/base/clock.h"
#include "runner/base/log.h"
#include "runner/base/network_event.h"
#include "runner/base/response.h"

#include <stdatomic.h>
#include <string.h>

/* The event is the first member, so that a pointer to it is a pointer to the whole struct. */
struct held_event {
    struct br_event event;
    atomic_uint holders;
};

static const char *const names[] = {
    [BR_EVENT_CONSOLE] = "console", [BR_EVENT_EXCEPTION] = "exception",
    [BR_EVENT_LOG] = "log",         [BR_EVENT_REQUEST] = "request",
    [BR_EVENT_NETWORK] = "network", [BR_EVENT_NAVIGATION] = "navigation",
    [BR_EVENT_DIALOG] = "dialog",   [BR_EVENT_DOWNLOAD] = "download",
    [BR_EVENT_TAB] = "tab",         [BR_EVENT_PAGE] = "page",
    [BR_EVENT_ACTION] = "action",   [BR_EVENT_PROGRESS] = "progress",
    [BR_EVENT_DROPPED] = "dropped",
};

const char *br_event_name(enum br_event_kind kind)
{
    return names[kind];
}

bool event_is_momentary(enum br_event_kind kind)
{
    return kind == BR_EVENT_REQUEST || kind == BR_EVENT_PROGRESS;
}

bool event_is_log(enum br_event_kind kind)
{
    return kind == BR_EVENT_CONSOLE || kind == BR_EVENT_EXCEPTION || kind == BR_EVENT_LOG;
}

struct br_event *event_create(enum br_event_kind kind)
{
    struct held_event *held = xcalloc(1, sizeof(*held));
    atomic_init(&held->holders, 1);
    held->event.kind = kind;
    held->event.timestamp_ms = clock_wall_ms();
    held->event.session_id = xstrdup("");
    if (kind == BR_EVENT_REQUEST || kind == BR_EVENT_NETWORK) {
        network_event_init(&held->event.as.network.event);
    }
    return &held->event;
}

const struct br_event *br_event_hold(const struct br_event *event)
{
    atomic_fetch_add(&((struct held_event *)event)->holders, 1);
    return event;
}

static void finish(struct br_event *event)
{
    switch (event->kind) {
    case BR_EVENT_CONSOLE:
    case BR_EVENT_EXCEPTION:
    case BR_EVENT_LOG:
        log_finish(&event->as.log);
        break;
    case BR_EVENT_REQUEST:
    case BR_EVENT_NETWORK:
        free(event->as.network.id);
        network_event_finish(&event->as.network.event);
        break;
    case BR_EVENT_NAVIGATION:
        free(event->as.navigation.url);
        break;
    case BR_EVENT_DIALOG:
        free(event->as.dialog.type);
        free(event->as.dialog.message);
        break;
    case BR_EVENT_DOWNLOAD:
        download_finish(&event->as.download);
        break;
    case BR_EVENT_PAGE:
        free(event->as.page.reason);
        break;
    case BR_EVENT_ACTION:
        free(event->as.action.type);
        free(event->as.action.label);
        free(event->as.action.error);
        break;
    case BR_EVENT_PROGRESS:
        free(event->as.progress.text);
        break;
    case BR_EVENT_TAB:
        free(event->as.tab.id);
        break;
    case BR_EVENT_DROPPED:
        break;
    }
}

void br_event_release(const struct br_event *event)
{
    struct held_event *held = (struct held_event *)event;
    if (held && atomic_fetch_sub(&held->holders, 1) == 1) {
        finish(&held->event);
        free((char *)held->event.session_id);
        free(held);
    }
}

static size_t text_size(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

size_t event_size(const struct br_event *event)
{
    size_t size = sizeof(struct held_event);
    if (event_is_log(event->kind)) {
        return size + log_size(&event->as.log);
    }
    switch (event->kind) {
    case BR_EVENT_REQUEST:
    case BR_EVENT_NETWORK:
        return size + text_size(event->as.network.id) +
               network_event_size(&event->as.network.event);
    case BR_EVENT_NAVIGATION:
        return size + text_size(event->as.navigation.url);
    case BR_EVENT_DIALOG:
        return size + text_size(event->as.dialog.type) + text_size(event->as.dialog.message);
    case BR_EVENT_DOWNLOAD:
        return size + text_size(event->as.download.url) + text_size(event->as.download.file) +
               text_size(event->as.download.suggested_name);
    case BR_EVENT_ACTION:
        return size + text_size(event->as.action.type) + text_size(event->as.action.label) +
               text_size(event->as.action.error);
    case BR_EVENT_TAB:
        return size + text_size(event->as.tab.id);
    case BR_EVENT_PAGE:
        return size + text_size(event->as.page.reason);
    default:
        return size;
    }
}
