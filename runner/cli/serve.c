#include "runner/base/json.h"
#include "runner/cli/command.h"
#include "runner/cli/console_out.h"
#include "runner/cli/serving.h"
#include "runner/loop/loop.h"
#include "runner/servers/backend/backend.h"
#include "runner/servers/brop/server.h"
#include "runner/servers/cdp/server.h"
#include "runner/servers/clients/console_sender.h"
#include "runner/servers/debug_bridge/app/app.h"
#include "runner/servers/debug_bridge/relay.h"
#include "runner/servers/http/http_server.h"
#include "runner/sessions/settings.h"

#include <string.h>
#include <unistd.h>

/* The running servers; NULL: not served. */
struct servers {
    struct printer *log; /* writes to stderr */
    struct sessions *sessions;
    struct backend *actions;
    struct brop *brop;
    struct http_server *http;
    struct cdp_endpoint *cdp;
    struct relay *bridge;
    struct app *app; /* the app of the bridge */
    struct console_out console;
    struct console_sender *sender; /* sends the console output of the sessions' pages */
    struct serving serving;
};

static bool start_actions(struct servers *servers, const struct cli_options *options,
                          struct loop *loop, const json_t *settings, struct br_error *err)
{
    struct backend_options actions = {
        .listener = NET_LISTENER_OPTIONS_INIT,
        .sessions = servers->sessions,
        .settings = settings,
        .chunk_size = options->chunk_size,
        .has_progress = options->has_progress,
        .linger_ms = 1000LL * options->linger_s,
    };
    serving_set_listener(&servers->serving, "actions", options->actions_port, &actions.listener);
    servers->actions = backend_start(loop, &actions, err);
    if (servers->actions) {
        serving_add(&servers->serving, "actions", backend_listener(servers->actions), ACCESS_ALL,
                    "ws", "/actions");
    }
    return servers->actions;
}

static void log_line(void *data, const char *line)
{
    printer_add(data, line);
}

static bool prefers_extension(const struct cli_options *options)
{
    return options->brop_backend && strcmp(options->brop_backend, "extension") == 0;
}

static bool start_brop(struct servers *servers, const struct cli_options *options,
                       struct loop *loop, const json_t *settings, struct br_error *err)
{
    struct brop_options brop = {
        .listener = NET_LISTENER_OPTIONS_INIT,
        .extension_listener = NET_LISTENER_OPTIONS_INIT,
        .sessions = servers->sessions,
        .settings = settings,
        .log = { log_line, servers->log },
    };
    serving_set_listener(&servers->serving, "brop", options->brop_port, &brop.listener);
    /* Large enough for screenshots of whole pages. */
    brop.listener.limits.max_queue = 256 << 20;
    brop.has_extension = options->brop_extension_port >= 0;
    brop.extension_listener.port = options->brop_extension_port;
    systemd_take(&servers->serving.systemd, "brop-extension", &brop.extension_listener);
    brop.extension_listener.limits.max_message = 64 << 20;
    brop.prefers_extension = prefers_extension(options);
    servers->brop = brop_start(loop, &brop, err);
    if (servers->brop) {
        serving_add(&servers->serving, "brop", brop_listener(servers->brop), ACCESS_ALL, "ws", "");
    }
    if (servers->brop && brop.has_extension) {
        serving_add(&servers->serving, "brop-extension", brop_listener_of_extension(servers->brop),
                    ACCESS_NONE, "ws", "");
    }
    return servers->brop;
}

static bool start_cdp(struct servers *servers, const struct cli_options *options, struct loop *loop,
                      struct br_error *err)
{
    struct cdp_endpoint_options cdp = {
        .listener = NET_LISTENER_OPTIONS_INIT,
        .sessions = servers->sessions,
        .browser = options->browser,
        .policy = options->session.policy,
        .audit = options->session.audit,
        .on_warning = log_line,
        .data = servers->log,
        .is_read_only = options->cdp.is_read_only,
        .may_close = options->cdp.may_close,
        .on_request = servers->brop ? brop_answer_request : NULL,
        .request_data = servers->brop,
    };
    serving_set_listener(&servers->serving, "cdp", options->cdp.port, &cdp.listener);
    servers->cdp = cdp_endpoint_start(loop, &cdp, err);
    if (servers->cdp) {
        serving_add(&servers->serving, "cdp", cdp_endpoint_listener(servers->cdp), ACCESS_ALL,
                    "http", "");
    }
    return servers->cdp;
}

/* Requests share no cookies, unless a profile is named for them. */
static bool start_http(struct servers *servers, const struct cli_options *options,
                       struct loop *loop, const json_t *settings, struct br_error *err)
{
    const struct cli_http_options *given = &options->http;
    json_auto_t *own = json_deep_copy(settings);
    struct http_server_options http = {
        .listener = NET_LISTENER_OPTIONS_INIT,
        .pool = { .sessions = servers->sessions,
                  .settings = own,
                  .max_running = given->max_running,
                  .max_bytes = (uint64_t)given->memory_mb << 20,
                  .recycle_after = (unsigned)given->recycle_after,
                  .recycle_above = (uint64_t)given->recycle_mb << 20 },
        .chunk_size = options->chunk_size,
        .has_progress = options->has_progress,
        .max_queued = given->max_queued,
        .queue_ms = 1000 * given->queue_s,
        .batch_ms = 1000 * given->batch_s,
        .keep_ms = 1000 * given->keep_s,
    };
    if (!options->browser.profile && !options->browser.project) {
        json_object_set_new(json_object_get(own, "session"), "isolated", json_true());
    }
    serving_set_listener(&servers->serving, "http", given->port, &http.listener);
    servers->http = http_server_start(loop, &http, err);
    if (servers->http) {
        serving_add(&servers->serving, "http", http_server_listener(servers->http),
                    ACCESS_ALL_TO_THE_END, "http", "");
    }
    return servers->http;
}

static void set_rate(struct relay_rate *rate, int given)
{
    if (given >= 0) {
        *rate = (struct relay_rate){ given, given * (rate->burst / rate->rate) };
    }
}

static bool start_bridge(struct servers *servers, const struct cli_options *options,
                         struct loop *loop, struct br_error *err)
{
    const struct cli_bridge_options *bridge = &options->bridge;
    struct relay_options relay = RELAY_OPTIONS_INIT;
    relay.includes_newcomer = bridge->includes_newcomer;
    relay.broadcasts_results = bridge->broadcasts_results;
    relay.is_verbatim = bridge->is_verbatim;
    relay.log = (struct relay_log){ bridge->logs_messages, { log_line, servers->log } };
    set_rate(&relay.app_rate, bridge->app_rate);
    set_rate(&relay.agent_rate, bridge->agent_rate);
    serving_set_listener(&servers->serving, "debug-bridge", bridge->port, &relay.listener);
    relay.listener.allows_local_origins = true;
    /* Large enough for an escaped snapshot of a page of 5 MB. */
    relay.listener.limits.max_message = 32 << 20;
    relay.listener.limits.max_connections = 4096;
    servers->bridge = relay_start(loop, &relay, err);
    if (servers->bridge) {
        serving_add(&servers->serving, "debug-bridge", relay_listener(servers->bridge), ACCESS_ALL,
                    "ws", "/debug");
    }
    return servers->bridge;
}

static bool start_app(struct servers *servers, const struct cli_options *options,
                      const json_t *settings, struct br_error *err)
{
    const struct cli_bridge_options *bridge = &options->bridge;
    const struct app_options app = {
        .relay = servers->bridge,
        .sessions = servers->sessions,
        .name = "debug-bridge",
        .settings = settings,
        .url = bridge->page,
        .session_id = bridge->session_id,
        .app_id = bridge->app_id,
        .has_eval = bridge->allows_eval,
    };
    if (!bridge->session_id) {
        return true;
    }
    servers->app = app_start(&app, err);
    if (servers->app) {
        serving_say(json_pack("{s:s, s:s, s:o}", "kind", "app", "appId", app_id(servers->app),
                              "sessionId", json_text(bridge->session_id)));
    }
    return servers->app;
}

/* Writes lines of JSON to stdout. Drops lines only if stdout is a terminal. */
static bool start_console(struct servers *servers, const struct cli_options *options,
                          struct loop *loop, struct br_error *err)
{
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    serving_set_listener(&servers->serving, "console-bridge", options->console.port, &listener);
    if (!console_out_start(&servers->console, options, STDOUT_FILENO, true, loop, err) ||
        !console_out_listen(&servers->console, &listener, loop, err)) {
        return false;
    }
    serving_add(&servers->serving, "console-bridge",
                console_server_listener(servers->console.server), ACCESS_ORIGINS, "ws", "");
    return true;
}

static void on_session(void *data, struct worker *worker)
{
    console_sender_join(data, worker);
}

static bool start_sender(struct servers *servers, const struct cli_options *options,
                         struct loop *loop, struct br_error *err)
{
    const struct console_sender_options sender = { .url = options->console.url,
                                                   .on_news = log_line,
                                                   .data = servers->log };
    servers->sender = console_sender_start(loop, &sender, err);
    if (servers->sender) {
        sessions_watch(servers->sessions, on_session, servers->sender);
    }
    return servers->sender || (error_context(err, "--console-bridge"), false);
}

static bool start(struct servers *servers, const struct cli_options *options, struct loop *loop,
                  const json_t *settings, struct br_error *err)
{
    servers->log = printer_start(STDERR_FILENO, false, err);
    servers->serving.log = (struct net_log){ log_line, servers->log };
    return servers->log && (!options->console.url || start_sender(servers, options, loop, err)) &&
           (options->actions_port < 0 || start_actions(servers, options, loop, settings, err)) &&
           (options->brop_port < 0 || start_brop(servers, options, loop, settings, err)) &&
           (options->cdp.port < 0 || start_cdp(servers, options, loop, err)) &&
           (options->http.port < 0 || start_http(servers, options, loop, settings, err)) &&
           (options->bridge.port < 0 || (start_bridge(servers, options, loop, err) &&
                                         start_app(servers, options, settings, err))) &&
           (options->console.port < 0 || start_console(servers, options, loop, err));
}

static void stop(struct servers *servers)
{
    app_stop(servers->app);
    console_out_stop(&servers->console);
    relay_stop(servers->bridge);
    backend_stop(servers->actions);
    http_server_stop(servers->http);
    cdp_endpoint_stop(servers->cdp); /* asks brop */
    brop_stop(servers->brop);
    sessions_destroy(servers->sessions);
    console_sender_stop(servers->sender);
    printer_stop(servers->log);
}

static bool serve(struct servers *servers, const struct cli_options *options, struct loop *loop,
                  struct interrupt *interrupt, struct br_error *err)
{
    struct br_session_options session = options->session;
    if (!session.policy.files) {
        session.policy.files = "none";
    }
    json_auto_t *settings = settings_write(&options->browser, &session);
    servers->sessions = sessions_create(loop, true);
    bool is_started = start(servers, options, loop, settings, err);
    if (is_started) {
        serving_wait(&servers->serving, loop, interrupt);
        http_server_drain(servers->http);
        serving_drain(&servers->serving, servers->sessions);
    }
    stop(servers);
    return is_started;
}

/* Checks that --bridge-session and the options of its app's page are given together. */
static bool check_app(const struct cli_options *options)
{
    const struct cli_bridge_options *bridge = &options->bridge;
    bool has_page = bridge->page || options->session.tab;
    bool is_told_more = bridge->page || bridge->app_id || bridge->allows_eval;
    if (bridge->session_id && (bridge->port < 0 || !has_page)) {
        cli_warn("--bridge-session needs --debug-bridge, and --page or --tab");
        return false;
    }
    if (!bridge->session_id && is_told_more) {
        cli_warn("--page, --app-id and --allow-eval need --bridge-session");
        return false;
    }
    return true;
}

static bool check_brop(const struct cli_options *options, struct br_error *err)
{
    bool has_extension = options->brop_extension_port >= 0;
    if (options->brop_port < 0 && (has_extension || options->brop_backend)) {
        return error_set(err, BR_INVALID_ACTION, "--brop-extension and --brop-backend need --brop");
    }
    if (prefers_extension(options) && !has_extension) {
        return error_set(err, BR_INVALID_ACTION, "--brop-backend extension needs --brop-extension");
    }
    if (options->brop_port >= 0 && options->session.tab) {
        error_set(err, BR_INVALID_ACTION, "--tab is not for --brop, which opens tabs of its own");
        return error_hint(err, "leave it out");
    }
    return true;
}

static bool check_servers(const struct cli_options *options, struct br_error *err)
{
    bool has_console = options->console.port >= 0;
    if (!check_brop(options, err)) {
        return false;
    }
    if (options->actions_port < 0 && options->bridge.port < 0 && options->brop_port < 0 &&
        options->cdp.port < 0 && options->http.port < 0 && !has_console) {
        error_set(err, BR_INVALID_ACTION, "serve needs a server to be");
        return error_hint(err, "see browser-runner serve --help");
    }
    if (options->http.port >= 0 && options->session.tab) {
        error_set(err, BR_INVALID_ACTION, "--tab is not for --http, whose batches have own tabs");
        return error_hint(err, "leave it out");
    }
    if (has_console && (options->host || options->token)) {
        error_set(err, BR_INVALID_ACTION,
                  "--%s is not for --console-bridge: it listens at "
                  "127.0.0.1 alone, and extensions cannot send a token",
                  options->host ? "host" : "token");
        return error_hint(err, "serve it by a command of its own");
    }
    return true;
}

static bool run_servers(struct servers *servers, const struct cli_options *options,
                        struct br_error *err)
{
    struct interrupt *interrupt = interrupt_create_for_server(options->dies_with_parent);
    struct loop *loop = loop_create(false, err);
    bool is_done = loop && serve(servers, options, loop, interrupt, err);
    loop_destroy(loop);
    interrupt_destroy(interrupt);
    return is_done;
}

static int run_serve(struct cli_options *options)
{
    struct br_error err = { 0 };
    struct servers servers = { 0 };
    if (!check_servers(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    if (!check_app(options)) {
        return EXIT_USAGE;
    }
    bool is_done =
        serving_init(&servers.serving, options, &err) && run_servers(&servers, options, &err);
    serving_finish(&servers.serving);
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_USAGE;
}

const struct command command_serve = {
    .name = "serve",
    .operands =
        "--actions[=PORT] --http[=PORT] --cdp[=PORT] --debug-bridge[=PORT] --console-bridge[=PORT] "
        "--brop[=PORT] --all",
    .summary = "Serves backends, CDP clients, debug-bridge, console-bridge and BROP",
    .description =
        "Each connection to --actions is a session of its own: instructions come in as for run -, "
        "XML or JSON, and its lines go out, a message each; {\"kind\":\"cancel\",\"id\":3} cancels "
        "an action, {\"kind\":\"subscribe\",\"events\":[\"logs\"]} asks for events as they happen. "
        "?session=ID names the session; with --linger it can be taken up again by "
        "?session=ID&after=LAST, without losing an answer. A line {\"kind\":\"listening\",…} on "
        "stdout has the URL; /health and /metrics are on the same port. Instructions touch no file "
        "unless --files names a directory. "
        "--http runs a batch for each POST /run, in a session of its own, and answers with the "
        "lines of run; /shot, /snapshot and /content open a page and answer with what it shows. "
        "--debug-bridge relays between apps and agents of a session: ?role=app&sessionId=ID and "
        "?role=agent&sessionId=ID. Pages that this machine serves may connect to it, others by "
        "--allow-origin; a line on stderr tells of each connection. With --bridge-session and "
        "--page "
        "a page is opened that is an app of that session, without any code in it; a line "
        "{\"kind\":\"app\",…} has its appId. "
        "--cdp answers as Chrome's debugging port does, at http://127.0.0.1:PORT/json, and has a "
        "browser context of its own for each client that connects, or the profile's with "
        "?context=profile; the browser is started for the first one. "
        "--console-bridge takes what extensions tell of their pages' consoles, as the command "
        "console "
        "does, and prints lines {\"kind\":\"console\",…} on stdout. "
        "--brop serves clients of BROP, browser remote operations, with tabs in a browser of its "
        "own; /logs?limit=N on the same port shows connections and commands. With --brop-extension "
        "the "
        "extension of another Chrome may serve commands, too. "
        "SIGHUP reads --access-file again; connections stay. SIGTERM and Ctrl-C end it: no client "
        "is "
        "accepted any more, what runs has 5 seconds, clients are closed with 1001; a second signal "
        "ends it at once. Under a service manager it serves the sockets that this has opened "
        "(LISTEN_FDS), by their names, which are those of the options: cdp, actions, …; it tells "
        "when "
        "it is ready (NOTIFY_SOCKET).",
    .examples = "  browser-runner serve --actions=0 --temp-profile\n"
                "  browser-runner serve --http --temp-profile\n"
                "  browser-runner serve --cdp --temp-profile\n"
                "  browser-runner serve --debug-bridge\n"
                "  browser-runner serve --debug-bridge --bridge-session dev --page "
                "http://localhost:3000\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_SERVE,
    .run = run_serve,
};
