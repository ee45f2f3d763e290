/* Browser contexts that clients have for themselves. */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/servers/cdp/endpoint.h"

enum {
    ENTER_MS = 20000,        /* limit for creating the browser context */
    AHEAD_MS = 500,          /* after a client has connected: it is busy before */
    KEEP_MS = 5 * 60 * 1000, /* an unused one: it costs Chrome 20 to 40 MB */
};

static void release_on_worker(void *data)
{
    struct own_context *own = data;
    struct cdp_endpoint *endpoint = own->endpoint;
    context_release(own->context, endpoint->policy);
    view_release(own->view);
    free(own->id);
    free(own->tab_id);
    free(own);
    endpoint_release(endpoint);
}

void own_context_destroy(struct own_context *own)
{
    if (own) {
        endpoint_work(own->endpoint, release_on_worker, own);
    }
}

static bool is_usable(const struct own_context *own)
{
    const struct cdp_endpoint *endpoint = own->endpoint;
    return own->tab_id && endpoint->is_ready && own->view == endpoint->view &&
           json_object_get(view_targets(own->view), own->tab_id) &&
           !view_is_crashed(own->view, own->tab_id);
}

/* Returns the first wait for this life of the browser, and removes it; NULL: none. */
static struct own_context_wait *next_wait(struct cdp_endpoint *endpoint, const struct view *view)
{
    struct own_context_wait **place = &endpoint->own_waits;
    while (*place && (*place)->view != view) {
        place = &(*place)->next;
    }
    struct own_context_wait *wait = *place;
    if (wait) {
        *place = wait->next;
    }
    return wait;
}

static void make(struct cdp_endpoint *endpoint, struct view *view);

static void on_quiet(void *data)
{
    struct cdp_endpoint *endpoint = data;
    endpoint->ahead_timer = NULL;
    if (endpoint->is_ready && !endpoint->ahead && !endpoint->own_making) {
        make(endpoint, endpoint->view);
    }
}

static void on_unused(void *data)
{
    struct cdp_endpoint *endpoint = data;
    endpoint->ahead_timer = NULL;
    own_context_destroy(TAKE(endpoint->ahead));
}

static void stop_timer(struct cdp_endpoint *endpoint)
{
    if (endpoint->ahead_timer) {
        loop_timer_cancel(TAKE(endpoint->ahead_timer));
    }
}

static void start_timer(struct cdp_endpoint *endpoint, int64_t ms, void (*on_timer)(void *data))
{
    stop_timer(endpoint);
    endpoint->ahead_timer = loop_timer_start(endpoint->loop, ms, on_timer, endpoint);
}

/* Another browser's tabs, and windows, are seen by people. */
static bool makes_ahead(const struct cdp_endpoint *endpoint)
{
    const struct br_browser_options *options = browser_options(endpoint->browser);
    return !options->headed && !options->connect && !endpoint->is_ending;
}

static void serve(struct own_context_wait *wait, struct own_context *own)
{
    struct cdp_endpoint *endpoint = own->endpoint;
    if (makes_ahead(endpoint)) {
        start_timer(endpoint, AHEAD_MS, on_quiet);
    }
    wait->on_made(wait->data, own);
}

/* It has been made, or failed. */
static void finish(struct own_context *own)
{
    struct cdp_endpoint *endpoint = own->endpoint;
    struct own_context **place = &endpoint->own_making;
    while (*place != own) {
        place = &(*place)->next;
    }
    *place = own->next;
    struct own_context_wait *wait = next_wait(endpoint, own->view);
    if (wait) {
        serve(wait, own);
    } else if (!endpoint->ahead && is_usable(own)) {
        endpoint->ahead = own;
        start_timer(endpoint, KEEP_MS, on_unused);
    } else {
        own_context_destroy(own);
    }
}

static void on_tab(void *data, const json_t *result, const char *why)
{
    struct own_context *own = data;
    const char *tab_id = json_member_string(result, "targetId");
    own->tab_id = xstrdup(tab_id);
    if (!tab_id) {
        error_set(&own->err, BR_UNKNOWN_ERROR, "%s", why);
    }
    finish(own);
}

static void on_entered(void *data)
{
    struct own_context *own = data;
    if (own->id) {
        view_call(own->view, "Target.createTarget",
                  json_pack("{s:s, s:s}", "url", "about:blank", "browserContextId", own->id),
                  on_tab, own);
    } else {
        finish(own);
    }
}

static void enter_on_worker(void *data)
{
    struct own_context *own = data;
    struct cdp_endpoint *endpoint = own->endpoint;
    struct browser_life *life = view_life(own->view);
    own->context = context_acquire(browser_contexts(endpoint->browser), NULL, true,
                                   endpoint->policy, &own->err);
    if (own->context &&
        context_enter(own->context, life, deadline_in_ms(ENTER_MS), &own->id, &own->err)) {
        endpoint_forbid_downloads(endpoint, life, own->id);
        own->way_out_port = context_way_out(own->context);
    }
    loop_post(endpoint->loop, on_entered, own);
}

static void make(struct cdp_endpoint *endpoint, struct view *view)
{
    struct own_context *own = xcalloc(1, sizeof(*own));
    endpoint_hold(endpoint);
    own->endpoint = endpoint;
    own->view = view_hold(view);
    own->next = endpoint->own_making;
    endpoint->own_making = own;
    endpoint_work(endpoint, enter_on_worker, own);
}

/* Returns how many requests for this life there are beyond those that are being made. */
static int count_missing(const struct cdp_endpoint *endpoint, const struct view *view)
{
    int missing = 0;
    for (const struct own_context_wait *at = endpoint->own_waits; at; at = at->next) {
        missing += at->view == view;
    }
    for (const struct own_context *at = endpoint->own_making; at; at = at->next) {
        missing -= at->view == view;
    }
    return missing;
}

void own_context_await(struct cdp_endpoint *endpoint, struct own_context_wait *wait)
{
    struct own_context *ahead = TAKE(endpoint->ahead);
    if (ahead && is_usable(ahead) && ahead->view == wait->view) {
        serve(wait, ahead);
        return;
    }
    own_context_destroy(ahead);
    struct own_context_wait **place = &endpoint->own_waits;
    while (*place) {
        place = &(*place)->next;
    }
    wait->next = NULL;
    *place = wait;
    if (count_missing(endpoint, wait->view) > 0) {
        make(endpoint, wait->view);
    }
}

void own_context_leave(struct cdp_endpoint *endpoint, const struct view *view)
{
    if (!view || (endpoint->ahead && endpoint->ahead->view == view)) {
        stop_timer(endpoint);
        own_context_destroy(TAKE(endpoint->ahead));
    }
}
