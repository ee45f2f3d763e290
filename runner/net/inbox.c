#include "runner/net/inbox.h"

#include "runner/base/memory.h"

#include <string.h>

static void destroy(struct message *message)
{
    struct net_event *event = (struct net_event *)message;
    net_charge_release(event->charge);
    free(event->query);
    free(event);
}

static struct net_event *make(const struct net_inbox *inbox, enum net_event_kind kind, uint64_t id,
                              const char *text, size_t length)
{
    struct net_event *event = xcalloc(1, sizeof(*event) + length + 1);
    event->message.destroy = destroy;
    event->inbox = inbox;
    event->kind = kind;
    event->connection = id;
    event->length = length;
    memcpy(event->text, text, length);
    return event;
}

static bool on_open(void *data, uint64_t id, const struct net_peer *peer)
{
    struct net_inbox *inbox = data;
    if (inbox->path && strcmp(inbox->path, peer->path) != 0) {
        return false;
    }
    struct net_event *event = make(inbox, NET_OPENED, id, "", 0);
    event->query = xstrdup(peer->query ? peer->query : "");
    mailbox_post(inbox->mailbox, &event->message);
    return true;
}

static void on_message(void *data, uint64_t id, const char *text, size_t length)
{
    struct net_inbox *inbox = data;
    struct net_event *event = make(inbox, NET_MESSAGE, id, text, length);
    event->charge = net_budget_charge(inbox->budget, id, length);
    mailbox_post(inbox->mailbox, &event->message);
}

static void on_end(void *data, uint64_t id)
{
    struct net_inbox *inbox = data;
    mailbox_post(inbox->mailbox, &make(inbox, NET_ENDED, id, "", 0)->message);
}

static void on_closed(void *data, uint64_t id)
{
    struct net_inbox *inbox = data;
    mailbox_post(inbox->mailbox, &make(inbox, NET_CLOSED, id, "", 0)->message);
}

static void on_metrics(void *data, struct strbuf *text)
{
    const struct net_inbox *inbox = data;
    if (inbox->on_metrics) {
        inbox->on_metrics(inbox->data, text);
    }
}

struct net_listener *net_inbox_listen(struct net_inbox *inbox, struct loop *loop,
                                      const struct net_listener_options *options,
                                      struct br_error *err)
{
    struct net_listener_options own = *options;
    own.handler = (struct net_handler){
        .data = inbox,
        .on_open = on_open,
        .on_message = on_message,
        .on_end = on_end,
        .on_closed = on_closed,
        .on_request = options->handler.on_request,
        .on_metrics = on_metrics,
    };
    inbox->budget = net_budget_create(loop, inbox->max_bytes);
    struct net_listener *listener = net_listen(loop, &own, err);
    if (listener) {
        net_budget_attach(inbox->budget, listener);
    } else {
        net_budget_release(TAKE(inbox->budget));
    }
    return listener;
}

void net_inbox_close(struct net_inbox *inbox, struct net_listener *listener, int timeout_ms)
{
    if (listener) {
        net_budget_attach(inbox->budget, NULL);
        net_listener_close(listener, timeout_ms);
        net_budget_release(TAKE(inbox->budget));
    }
}

struct net_charge *net_event_take_charge(struct net_event *event)
{
    return TAKE(event->charge);
}
