#include "runner/servers/cdp/endpoint.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/hints/wording.h"

#include <string.h>

enum {
    START_MS = 30000, /* limit for starting the browser */
    FORBID_MS = 500,  /* limit for writing a command */
};

/* The worker. */

struct piece {
    struct message link;
    void (*run)(void *data);
    void *data;
};

static void free_piece(struct message *message)
{
    free(message);
}

void endpoint_work(struct cdp_endpoint *endpoint, void (*run)(void *data), void *data)
{
    struct piece *piece = xcalloc(1, sizeof(*piece));
    piece->link.destroy = free_piece;
    piece->run = run;
    piece->data = data;
    mailbox_post(endpoint->work, &piece->link);
}

static void *work(void *data)
{
    struct cdp_endpoint *endpoint = data;
    for (;;) {
        struct message *message = mailbox_wait(endpoint->work, deadline_in_ms(INT64_MAX));
        struct piece *piece = (struct piece *)message;
        if (!piece || !piece->run) {
            message_destroy(message);
            return NULL;
        }
        piece->run(piece->data);
        message_destroy(message);
    }
}

bool endpoint_begin_work(struct cdp_endpoint *endpoint, struct br_error *err)
{
    int failure = thread_start(&endpoint->worker, work, endpoint);
    return !failure ||
           error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start the server's thread");
}

void endpoint_end_work(struct cdp_endpoint *endpoint)
{
    endpoint_work(endpoint, NULL, NULL);
    pthread_join(endpoint->worker, NULL);
}

void endpoint_hold(struct cdp_endpoint *endpoint)
{
    mutex_lock(&endpoint->mutex);
    endpoint->busy++;
    mutex_unlock(&endpoint->mutex);
}

void endpoint_release(struct cdp_endpoint *endpoint)
{
    mutex_lock(&endpoint->mutex);
    endpoint->busy--;
    pthread_cond_broadcast(&endpoint->changed);
    mutex_unlock(&endpoint->mutex);
}

static enum owner owner_of_page(struct view *view, const json_t *target)
{
    struct targets *targets = browser_life_targets(view_life(view));
    const char *id = json_member_string(target, "targetId");
    const char *opener_id = json_member_string(target, "openerId");
    bool is_making =
        view_is_making(view, target); /* before its owner, who may claim it meanwhile */
    if (id && targets_owner(targets, id, opener_id)) {
        return OWNER_OURS;
    }
    const char *type = json_member_string(target, "type");
    bool is_page = !type || strcmp(type, "page") == 0;
    bool is_open = is_page && id && *id && !opener_id && !view_is_settled(view, id);
    if (is_open && is_making) {
        return OWNER_UNKNOWN;
    }
    if (is_open) {
        view_settle(view, id); /* the next session that creates a tab leaves it as it is */
    }
    return OWNER_OTHER;
}

enum owner endpoint_owner(struct view *view, const json_t *target)
{
    const char *id = json_member_string(target, "targetId");
    const char *type = json_member_string(target, "type");
    const char *context_id = json_member_string(target, "browserContextId");
    const char *profile_id = view_profile_context(view);
    bool is_tab = id && type && strcmp(type, "tab") == 0;
    if (!is_tab || !context_id || !profile_id || strcmp(context_id, profile_id) != 0) {
        return owner_of_page(view, target);
    }
    const char *page_id = view_page_of(view, id);
    const json_t *page = page_id ? json_object_get(view_targets(view), page_id) : NULL;
    json_auto_t *unlisted = json_pack("{s:s*}", "targetId", page_id);
    return page_id ? owner_of_page(view, page ? page : unlisted) : OWNER_UNKNOWN;
}

bool endpoint_is_ours(struct view *view, const json_t *target)
{
    return endpoint_owner(view, target) != OWNER_OTHER;
}

/* The browser. */

struct start {
    struct cdp_endpoint *endpoint;
    struct view *view; /* NULL with the error */
    struct br_error err;
};

static void call_waiters(struct waiter *waiter, struct view *view, const struct br_error *err)
{
    while (waiter) {
        struct waiter *next = waiter->next;
        waiter->on_view(waiter, view, err);
        waiter = next;
    }
}

static void on_ready(void *data)
{
    struct cdp_endpoint *endpoint = data;
    endpoint->is_ready = true;
    call_waiters(TAKE(endpoint->waiters), endpoint->view, NULL);
}

static void fail_waiters(struct cdp_endpoint *endpoint, struct waiter *waiters,
                         const struct br_error *err)
{
    struct br_error worded = *err;
    wording_error(browser_options(endpoint->browser)->wording, &worded);
    call_waiters(waiters, NULL, &worded);
}

static void release_on_worker(void *data)
{
    view_release(data);
}

void endpoint_release_view(struct cdp_endpoint *endpoint, struct view *view)
{
    endpoint_work(endpoint, release_on_worker, view);
}

static void end_view_on_worker(void *data)
{
    endpoint_release(data);
}

static void on_released(void *data, struct view *view)
{
    endpoint_work(data, release_on_worker, view);
    endpoint_work(data, end_view_on_worker, data);
}

/* A life of the browser that has ended, until clients and waiters have received the reason. */
struct loss {
    struct cdp_endpoint *endpoint;
    struct view *view;
    struct waiter *waiters;
    struct br_error err;
};

static void on_explained(void *data)
{
    struct loss *loss = data;
    struct cdp_endpoint *endpoint = loss->endpoint;
    endpoint->on_lost(endpoint, loss->view, loss->err.message);
    fail_waiters(endpoint, loss->waiters, &loss->err);
    endpoint_release_view(endpoint, loss->view);
    free(loss);
    endpoint_release(endpoint);
}

static void explain_on_worker(void *data)
{
    struct loss *loss = data;
    browser_life_explain(view_life(loss->view), &loss->err);
    loop_post(loss->endpoint->loop, on_explained, loss);
}

void endpoint_leave_view(struct cdp_endpoint *endpoint, const char *reason)
{
    if (!endpoint->view) {
        return;
    }
    struct loss *loss = xcalloc(1, sizeof(*loss));
    loss->endpoint = endpoint;
    loss->view = TAKE(endpoint->view);
    loss->waiters = TAKE(endpoint->waiters);
    error_set(&loss->err, BR_DISCONNECTED, "%s", reason);
    endpoint->is_ready = false;
    free(TAKE(endpoint->http_context_id));
    endpoint->has_http_tab = false;
    view_unwatch(loss->view);
    endpoint_hold(endpoint);
    if (endpoint->is_ending) {
        on_explained(loss);
    } else {
        endpoint_work(endpoint, explain_on_worker, loss);
    }
}

static void on_lost(void *data, const char *reason)
{
    endpoint_leave_view(data, reason);
}

static void on_started(void *data)
{
    struct start *start = data;
    struct cdp_endpoint *endpoint = start->endpoint;
    const struct view_handler handler = {
        .on_ready = on_ready,
        .on_lost = on_lost,
        .on_released = on_released,
        .data = endpoint,
    };
    endpoint->is_starting = false;
    if (start->view && endpoint->is_ending) {
        endpoint_work(endpoint, release_on_worker, TAKE(start->view));
        error_set(&start->err, BR_DISCONNECTED, "the server ends");
    }
    if (start->view) {
        endpoint->view = start->view;
        endpoint_hold(endpoint); /* until the watcher is released */
        view_watch(start->view, &handler);
    } else {
        fail_waiters(endpoint, TAKE(endpoint->waiters), &start->err);
    }
    endpoint_release(endpoint);
    free(start);
}

void endpoint_forbid_downloads(struct cdp_endpoint *endpoint, struct browser_life *life,
                               const char *context_id)
{
    struct br_error ignored;
    if (policy_files(endpoint->policy)) {
        cdp_connection_send(
            browser_life_connection(life), NULL, NULL, "Browser.setDownloadBehavior",
            json_pack("{s:s, s:s*}", "behavior", "deny", "browserContextId", context_id),
            deadline_in_ms(FORBID_MS), &ignored);
    }
}

/* Leaves the profile's downloads alone if one of our own sessions has set them. */
static void forbid_profile_downloads(struct cdp_endpoint *endpoint, struct browser_life *life)
{
    CLEANUP_FREE char *present = NULL;
    struct targets *targets = browser_life_targets(life);
    targets_join_client(targets, endpoint, NULL);
    targets_take_downloads(targets, endpoint, NULL, &present);
    targets_leave(targets, endpoint);
    if (!present) {
        endpoint_forbid_downloads(endpoint, life, NULL);
    }
}

static void start_on_worker(void *data)
{
    struct start *start = data;
    struct cdp_endpoint *endpoint = start->endpoint;
    struct browser_life *life =
        browser_ensure(endpoint->browser, 0, NULL, deadline_in_ms(START_MS), &start->err);
    if (life) {
        forbid_profile_downloads(endpoint, life);
        start->view = view_create(life, endpoint->loop);
    }
    loop_post(endpoint->loop, on_started, start);
}

/* The process may have ended while its pipe is still open. */
static void leave_ended_view(struct cdp_endpoint *endpoint)
{
    struct browser_life *life = endpoint->view ? view_life(endpoint->view) : NULL;
    if (life) {
        browser_life_check(life);
    }
    if (life && !browser_life_is_open(life)) {
        endpoint_leave_view(endpoint, "the browser has ended");
    }
}

void endpoint_await(struct cdp_endpoint *endpoint, struct waiter *waiter)
{
    leave_ended_view(endpoint);
    if (endpoint->is_ready) {
        waiter->on_view(waiter, endpoint->view, NULL);
        return;
    }
    waiter->next = endpoint->waiters;
    endpoint->waiters = waiter;
    if (!endpoint->view && !endpoint->is_starting) {
        struct start *start = xcalloc(1, sizeof(*start));
        endpoint->is_starting = true;
        endpoint_hold(endpoint);
        start->endpoint = endpoint;
        endpoint_work(endpoint, start_on_worker, start);
    }
}
