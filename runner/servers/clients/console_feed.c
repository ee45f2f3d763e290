#include "runner/servers/clients/console_feed.h"

#include "runner/base/clock.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/console/page.h"
#include "runner/net/bucket.h"
#include "runner/session/visit.h"

#include <string.h>

enum {
    TITLE_MS = 5000, /* how long calls wait for the title of their document */
    LIST_MS = 1000,  /* for the browser to say the titles */
};

enum item_kind {
    ITEM_EVENT, /* of the session */
    ITEM_NOTE,  /* the page's browser, URL or title */
    ITEM_TITLE, /* the title of a tab with a URL */
};

struct feed_item {
    struct console_post post;
    enum item_kind kind;
    const struct br_event *event;
    char *browser, *url, *title;
    int tab;                /* of a title: the session's number */
    struct feed_item *next; /* held, too */
    int64_t held_ms;        /* monotonic: since when it is held */
};

struct console_feed {
    const struct console_feed_place *place;
    struct br_session *session;
    bool has_browser;            /* it was noted; used on the session's thread */
    struct bucket plain, severe; /* used on the session's thread */
    struct worker *worker;       /* held; NULL: the session has none */
    atomic_bool is_looking;      /* the worker is to report titles */
    /* Used on the sender's thread: */
    struct console_page page;
    bool has_loaded;                     /* the page's document */
    struct feed_item *held, **last_held; /* events, in their order */
    size_t held_count, overdue;          /* how many of the first ones get no title any more */
};

static void item_destroy(struct message *message)
{
    struct feed_item *item = (struct feed_item *)message;
    br_event_release(item->event);
    free(item->browser);
    free(item->url);
    free(item->title);
    free(item);
}

static void post(struct console_feed *feed, struct feed_item item)
{
    struct feed_item *own = xmalloc(sizeof(*own));
    *own = item;
    own->post.feed = feed;
    own->post.message.destroy = item_destroy;
    own->post.message.size += sizeof(*own);
    mailbox_post(feed->place->mailbox, &own->post.message);
}

struct console_feed *console_feed_create(const struct console_feed_place *place,
                                         struct br_session *session, struct worker *worker)
{
    struct console_feed *feed = xcalloc(1, sizeof(*feed));
    feed->place = place;
    feed->session = session;
    feed->worker = worker ? worker_hold(worker) : NULL;
    feed->last_held = &feed->held;
    console_page_init(&feed->page, place->last_tab);
    return feed;
}

void console_feed_destroy(struct console_feed *feed)
{
    while (feed->held) {
        struct feed_item *item = feed->held;
        feed->held = item->next;
        message_destroy(&item->post.message);
    }
    console_page_finish(&feed->page);
    worker_release(feed->worker);
    free(feed);
}

void console_feed_note(struct console_feed *feed, const char *browser, const char *url,
                       const char *title)
{
    post(feed, (struct feed_item){ .kind = ITEM_NOTE,
                                   .browser = xstrdup(browser),
                                   .url = xstrdup(url),
                                   .title = xstrdup(title) });
}

/* On the session's thread. */

static size_t length_of(const char *text)
{
    return text ? strlen(text) : 0;
}

static bool is_severe(const struct br_event *event)
{
    return event->kind == BR_EVENT_EXCEPTION ||
           (event->kind == BR_EVENT_CONSOLE && event->as.log.type >= BR_LOG_WARNING);
}

static bool is_too_fast(struct console_feed *feed, bool is_severe)
{
    struct bucket *bucket = is_severe ? &feed->severe : &feed->plain;
    int rate = is_severe ? 2 * SENDER_RATE : SENDER_RATE;
    return !bucket_admits(bucket, rate, rate, clock_monotonic_ms());
}

static void on_event(void *data, const struct br_event *event)
{
    struct console_feed *feed = data;
    bool is_call = event->kind == BR_EVENT_CONSOLE || event->kind == BR_EVENT_EXCEPTION;
    const char *browser = feed->has_browser ? NULL : session_known_browser(feed->session);
    if (browser) {
        feed->has_browser = true;
        console_feed_note(feed, browser, NULL, NULL);
    }
    bool is_dropped = is_call && is_too_fast(feed, is_severe(event));
    if (is_dropped || event->kind == BR_EVENT_DROPPED) {
        size_t count = is_dropped ? 1 : event->as.dropped;
        if (atomic_fetch_add(feed->place->dropped, count) == 0) {
            mailbox_wake(feed->place->mailbox); /* to report it */
        }
        return;
    }
    struct feed_item item = { .kind = ITEM_EVENT, .event = br_event_hold(event) };
    struct message *message = &item.post.message;
    if (is_call) {
        const struct br_log *log = &event->as.log;
        message->size = length_of(log->message) + length_of(log->arguments) + length_of(log->stack);
    }
    message->is_droppable = is_call;
    message->goes_first = is_call && !is_severe(event);
    post(feed, item);
}

bool console_feed_subscribe(struct console_feed *feed, struct br_error *err)
{
    const struct br_sink sink = {
        .on_event = on_event,
        .data = feed,
        .kinds = CONSOLE_PAGE_KINDS,
        .wants_values = true,
        .wants_tabs = true,
    };
    return br_session_subscribe(feed->session, &sink, err);
}

/* Chrome reports no titles, so they are asked for. */
static void on_look(void *data, const struct worker_call *call)
{
    struct br_error ignored;
    struct console_feed *feed = data;
    size_t index;
    json_t *tab;
    atomic_store(&feed->is_looking, false);
    json_auto_t *tabs = call->session ? session_visit_tabs(call->session, LIST_MS, &ignored) : NULL;
    json_array_foreach (tabs, index, tab) {
        post(feed, (struct feed_item){ .kind = ITEM_TITLE,
                                       .tab = (int)json_member_number(tab, "id", 0),
                                       .url = xstrdup(json_member_string(tab, "url")),
                                       .title = xstrdup(json_member_string(tab, "title")) });
    }
}

/* On the sender's thread. */

static void look_for_titles(struct console_feed *feed)
{
    if (feed->worker && !atomic_exchange(&feed->is_looking, true)) {
        worker_post(feed->worker, DEADLINE_NEVER, on_look, feed);
    }
}

/* Queues events behind a call whose document has no title yet, until a new document begins. */
static void hold(struct console_feed *feed, struct feed_item *item)
{
    const struct br_event *event = item->event;
    bool is_navigation = event->kind == BR_EVENT_NAVIGATION;
    enum br_navigation_step step = is_navigation ? event->as.navigation.step : BR_NAVIGATION_BEGUN;
    if (event->tab == 0 && (step == BR_NAVIGATION_LOADED || step == BR_NAVIGATION_DONE)) {
        feed->has_loaded = step == BR_NAVIGATION_LOADED;
    }
    if (step == BR_NAVIGATION_LOADED || step == BR_NAVIGATION_WITHIN) {
        look_for_titles(feed);
    }
    if (step == BR_NAVIGATION_DONE) {
        feed->overdue = feed->held_count;
    }
    item->held_ms = clock_monotonic_ms();
    *feed->last_held = item;
    feed->last_held = &item->next;
    feed->held_count++;
}

char *console_feed_take(struct console_feed *feed, struct console_post *post)
{
    struct feed_item *item = (struct feed_item *)post;
    char *browser = TAKE(item->browser);
    if (item->kind == ITEM_EVENT) {
        hold(feed, item);
        return browser;
    }
    if (item->kind == ITEM_TITLE) {
        console_page_set_title(&feed->page, item->tab, item->url, item->title, feed->has_loaded);
    } else if (item->url) {
        console_page_set(&feed->page, item->url, item->title);
    }
    message_destroy(&post->message);
    return browser;
}

bool console_feed_next(struct console_feed *feed, bool is_all, struct console_saying *ret_saying)
{
    struct feed_item *item = feed->held;
    bool is_ready =
        item && (is_all || feed->overdue > 0 || clock_monotonic_ms() - item->held_ms >= TITLE_MS ||
                 !console_page_lacks_title(&feed->page, item->event));
    if (!is_ready) {
        return false;
    }
    feed->held = item->next;
    feed->last_held = feed->held ? feed->last_held : &feed->held;
    feed->held_count--;
    feed->overdue -= feed->overdue > 0;
    console_page_give_up_title(&feed->page, item->event);
    *ret_saying = (struct console_saying){
        .status = console_page_status(&feed->page, item->event),
    };
    ret_saying->call = console_page_read(&feed->page, item->event, &ret_saying->times);
    ret_saying->timer = ret_saying->call ? console_page_timer(ret_saying->call) : NULL;
    message_destroy(&item->post.message);
    return true;
}

bool console_feed_awaits(struct console_feed *feed)
{
    if (feed->held) {
        look_for_titles(feed);
    }
    return feed->held;
}
