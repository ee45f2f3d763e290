#include "runner/servers/debug_bridge/app/app.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/loop/mailbox.h"
#include "runner/net/budget.h"
#include "runner/servers/debug_bridge/app/execute.h"
#include "runner/servers/debug_bridge/app/watch.h"

#include <string.h>

enum {
    TICK_MS = 100,     /* between two looks at the page, for agents or when it has changed */
    IDLE_MS = 5000,    /* the same otherwise: a page that has crashed is opened again */
    BEGIN_MS = 60000,  /* the longest wait of a command for those before it */
    MAX_WAITING = 200, /* commands */
};

/* A command from the relay: for the app's thread, then for the worker's. */
struct app_mail {
    struct message message;
    struct app *app;
    struct net_charge *charge;
    size_t length;
    char text[];
};

static void destroy_mail(struct message *message)
{
    net_charge_release(((struct app_mail *)message)->charge);
    free(message);
}

/* Has the page looked at soon. */
static void stir(struct app *app)
{
    atomic_store(&app->is_stirred, true);
    mailbox_wake(app->mailbox);
}

/* Handlers of the relay; they must not block. */

static void on_command(void *data, const char *text, size_t length, struct net_charge *charge)
{
    struct app *app = data;
    struct app_mail *mail = xcalloc(1, sizeof(*mail) + length + 1);
    mail->message.destroy = destroy_mail;
    mail->app = app;
    mail->charge = charge;
    mail->length = length;
    memcpy(mail->text, text, length);
    mailbox_post(app->mailbox, &mail->message);
}

static void on_agents(void *data, size_t count)
{
    struct app *app = data;
    if (count > atomic_exchange(&app->agents, count)) {
        atomic_store(&app->has_newcomer, true);
    }
    stir(app);
}

/* The page is another document, or was lost. */
static void on_event(void *data, const struct br_event *event)
{
    (void)event;
    stir(data);
}

static void set_state(struct app *app, int state, const struct br_error *why)
{
    mutex_lock(&app->mutex);
    app->state = state;
    if (why) {
        app->why = *why;
    }
    pthread_cond_broadcast(&app->changed);
    mutex_unlock(&app->mutex);
}

static bool open_page(struct app *app, struct br_session *session, struct br_error *err)
{
    if (!app->url) {
        return app_restore(app, session, err);
    }
    return app_run(app, session,
                   json_pack("{s:s, s:o, s:s}", "type", "start", "url", json_text(app->url),
                             "screenshots", "none"),
                   err);
}

static void on_open_call(void *data, const struct worker_call *call)
{
    struct br_error err = call->why;
    struct app *app = data;
    const struct relay_app_handler handler = { .data = app,
                                               .on_command = on_command,
                                               .on_agents = on_agents };
    if (call->session && open_page(app, call->session, &err)) {
        atomic_store(&app->peer, relay_join(app->relay, app->identity.session_id,
                                            app->identity.app_id, &handler, &err));
    }
    bool is_open = atomic_load(&app->peer);
    if (is_open) {
        app_watch_look(app, call->session);
    }
    set_state(app, is_open ? APP_OPEN : APP_FAILED, is_open ? NULL : &err);
}

static void on_tick_call(void *data, const struct worker_call *call)
{
    struct app *app = data;
    if (call->session) {
        app_watch_look(app, call->session);
    }
    atomic_store(&app->is_ticking, false);
}

static void on_command_call(void *data, const struct worker_call *call)
{
    struct app_mail *mail = data;
    struct app *app = mail->app;
    if (call->session) {
        app_execute(app, call->session, mail->text, mail->length);
    } else {
        app_refuse(app, mail->text, mail->length, &call->why);
    }
    atomic_fetch_sub(&app->waiting, 1);
    if (call->session) {
        app_watch_look(app, call->session);
    }
    message_destroy(&mail->message);
}

/* Takes ownership of the mail. */
static void take_command(struct app *app, struct app_mail *mail)
{
    struct br_error why;
    if (atomic_load(&app->waiting) >= MAX_WAITING) {
        error_set(&why, BR_RATE_LIMITED, "too many commands are waiting; this one was rejected");
        app_refuse(app, mail->text, mail->length, &why);
        message_destroy(&mail->message);
        return;
    }
    atomic_fetch_add(&app->waiting, 1);
    worker_post(app->worker, deadline_in_ms(BEGIN_MS), on_command_call, mail);
}

static void tick(struct app *app)
{
    if (!atomic_exchange(&app->is_ticking, true)) {
        worker_post(app->worker, DEADLINE_NEVER, on_tick_call, app);
    }
}

static void *run(void *data)
{
    struct app *app = data;
    int64_t ticked_ms = 0;
    struct deadline sweep = deadline_in_ms(0);
    while (!atomic_load(&app->is_ending)) {
        bool is_watched = atomic_load(&app->agents) > 0 || atomic_load(&app->is_stirred);
        int64_t due_ms = ticked_ms + (is_watched ? TICK_MS : IDLE_MS);
        struct deadline due = deadline_in_ms(due_ms - clock_monotonic_ms());
        struct message *message = mailbox_wait(app->mailbox, deadline_earlier(due, sweep));
        if (message) {
            take_command(app, (struct app_mail *)message);
            sweep = deadline_earlier(sweep, deadline_in_ms(BEGIN_MS));
        }
        if (deadline_passed(due)) {
            ticked_ms = clock_monotonic_ms();
            tick(app);
        }
        if (deadline_passed(sweep)) {
            sweep = sessions_sweep(app->sessions);
        }
    }
    return NULL;
}

/* Commands that the app did not get to are answered, too. */
static void refuse_rest(struct app *app)
{
    struct br_error why;
    error_set(&why, BR_CANCELLED, "the app has ended; this command was not executed");
    for (size_t left = mailbox_count(app->mailbox); left > 0; left--) {
        struct app_mail *mail = (struct app_mail *)mailbox_wait(app->mailbox, deadline_in_ms(0));
        if (mail) {
            app_refuse(app, mail->text, mail->length, &why);
            message_destroy(&mail->message);
        }
    }
}

static void stop_worker(struct app *app)
{
    worker_unsubscribe(app->worker, app);
    worker_stop(app->worker, NULL, NULL);
    worker_await(app->worker);
    worker_release(app->worker);
}

static void destroy(struct app *app)
{
    relay_leave(atomic_exchange(&app->peer, NULL));
    app_watch_finish(app);
    app_ids_destroy(app->ids);
    mailbox_destroy(app->mailbox);
    pthread_mutex_destroy(&app->mutex);
    pthread_cond_destroy(&app->changed);
    free((char *)app->identity.session_id);
    free((char *)app->identity.app_id);
    free(app->url);
    free(app);
}

static struct app *create(const struct app_options *options)
{
    struct app *app = xcalloc(1, sizeof(*app));
    app->identity.session_id = xstrdup(options->session_id);
    app->identity.app_id =
        options->app_id ? xstrdup(options->app_id) : xasprintf("app-%08x", (unsigned)arc4random());
    app->url = xstrdup(options->url);
    app->has_eval = options->has_eval;
    app->relay = options->relay;
    app->sessions = options->sessions;
    app->mailbox = mailbox_create(0);
    app->ids = app_ids_create();
    app->watch.states = json_object();
    pthread_mutex_init(&app->mutex, NULL);
    condition_init(&app->changed);
    return app;
}

/* Waits until the page is open and has joined the session; each action has a timeout of its own. */
static bool wait_open(struct app *app, struct br_error *err)
{
    mutex_lock(&app->mutex);
    while (app->state == APP_OPENING) {
        pthread_cond_wait(&app->changed, &app->mutex);
    }
    bool is_open = app->state == APP_OPEN;
    if (!is_open) {
        *err = app->why;
    }
    mutex_unlock(&app->mutex);
    return is_open;
}

struct app *app_start(const struct app_options *options, struct br_error *err)
{
    struct app *app = create(options);
    app->worker = sessions_open(options->sessions, options->name, options->settings, NULL, err);
    if (!app->worker) {
        destroy(app);
        return NULL;
    }
    worker_subscribe(app->worker, app, 1u << BR_EVENT_NAVIGATION | 1u << BR_EVENT_PAGE, on_event,
                     app);
    worker_post(app->worker, DEADLINE_NEVER, on_open_call, app);
    bool is_open = wait_open(app, err);
    int failure = is_open ? thread_start(&app->thread, run, app) : 0;
    if (is_open && !failure) {
        return app;
    }
    if (failure) {
        error_set_errno(err, BR_LIMIT_EXCEEDED, failure, "cannot start the app's thread");
    }
    stop_worker(app);
    destroy(app);
    return NULL;
}

const char *app_id(const struct app *app)
{
    return app->identity.app_id;
}

void app_stop(struct app *app)
{
    if (!app) {
        return;
    }
    atomic_store(&app->is_ending, true);
    mailbox_wake(app->mailbox);
    pthread_join(app->thread, NULL);
    stop_worker(app);
    refuse_rest(app);
    destroy(app);
}
