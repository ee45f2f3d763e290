#include "runner/base/json.h"
#include "runner/chrome/browser.h"
#include "runner/cli/access.h"
#include "runner/cli/command.h"
#include "runner/cli/console_out.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/service.h"
#include "runner/servers/backend/backend.h"
#include "runner/servers/brop/server.h"
#include "runner/servers/cdp/endpoint.h"
#include "runner/servers/console_bridge/sender.h"
#include "runner/servers/debug_bridge/app/app.h"
#include "runner/servers/debug_bridge/relay.h"
#include "runner/sessions/settings.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    DRAIN_MS = 5000, /* at the end, for what runs */
    LOOK_MS = 20,    /* between two looks whether something still does */
    MAX_LISTENERS = 6,
};

/* What of the access lists counts at a listener. */
enum access_use {
    ACCESS_ALL,
    ACCESS_ORIGINS, /* extensions cannot send a token */
    ACCESS_NONE,
};

/* A line on stdout; takes ownership. */
static void say(json_t *line)
{
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    puts(text);
    fflush(stdout);
}

/* What is served; NULL: that is not. */
struct servers {
    struct printer *log; /* on stderr */
    struct sessions *sessions;
    struct backend *actions;
    struct brop *brop;
    struct cdp_endpoint *cdp;
    struct relay *bridge;
    struct app *app; /* of the bridge */
    struct console_out console;
    struct console_sender *sender; /* of what the sessions' pages say */
    struct service *service;
    struct access access;
    struct {
        const char *name;
        struct net_listener *listener;
        enum access_use use;
    } open[MAX_LISTENERS];
    size_t open_count;
};

/* Fills in where a server listens, by its name, and who may connect. */
static void set_listener(struct servers *servers, const char *name, int port,
                         const struct cli_options *options, struct net_listener_options *listener)
{
    listener->host = options->host;
    listener->port = port;
    listener->access = access_lists(&servers->access);
    service_take(servers->service, name, listener);
}

/* Remembers an open listener, and prints its `listening` line for the parent process. */
static void add_listener(struct servers *servers, const char *name, struct net_listener *listener,
                         enum access_use use, const char *scheme, const char *path)
{
    const char *host = net_listener_address(listener);
    bool is_ipv6 = strchr(host, ':');
    CLEANUP_FREE char *url = xasprintf("%s://%s%s%s:%d%s", scheme, is_ipv6 ? "[" : "", host,
                                       is_ipv6 ? "]" : "", net_listener_port(listener), path);
    servers->open[servers->open_count].name = name;
    servers->open[servers->open_count].listener = listener;
    servers->open[servers->open_count++].use = use;
    say(json_pack("{s:s, s:s, s:o}", "kind", "listening", "server", name, "url", json_text(url)));
}

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
    set_listener(servers, "actions", options->actions_port, options, &actions.listener);
    servers->actions = backend_start(loop, &actions, err);
    if (servers->actions) {
        add_listener(servers, "actions", backend_listener(servers->actions), ACCESS_ALL, "ws",
                     "/actions");
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
        .on_line = log_line,
        .data = servers->log,
    };
    set_listener(servers, "brop", options->brop_port, options, &brop.listener);
    /* Pictures of whole pages. */
    brop.listener.limits.max_queue = 256 << 20;
    brop.has_extension = options->brop_extension_port >= 0;
    brop.extension_listener.port = options->brop_extension_port;
    service_take(servers->service, "brop-extension", &brop.extension_listener);
    brop.extension_listener.limits.max_message = 64 << 20;
    brop.prefers_extension = prefers_extension(options);
    servers->brop = brop_start(loop, &brop, err);
    if (servers->brop) {
        add_listener(servers, "brop", brop_listener(servers->brop), ACCESS_ALL, "ws", "");
    }
    if (servers->brop && brop.has_extension) {
        add_listener(servers, "brop-extension", brop_listener_of_extension(servers->brop),
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
        .is_read_only = options->cdp.is_read_only,
        .may_close = options->cdp.may_close,
    };
    set_listener(servers, "cdp", options->cdp.port, options, &cdp.listener);
    servers->cdp = cdp_endpoint_start(loop, &cdp, err);
    if (servers->cdp) {
        add_listener(servers, "cdp", cdp_endpoint_listener(servers->cdp), ACCESS_ALL, "http", "");
    }
    return servers->cdp;
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
    relay.log = (struct relay_log){ bridge->logs_messages, log_line, servers->log };
    set_rate(&relay.app_rate, bridge->app_rate);
    set_rate(&relay.agent_rate, bridge->agent_rate);
    set_listener(servers, "debug-bridge", bridge->port, options, &relay.listener);
    relay.listener.allows_local_origins = true;
    /* A snapshot of a page of 5 MB, escaped. */
    relay.listener.limits.max_message = 32 << 20;
    relay.listener.limits.max_connections = 4096;
    servers->bridge = relay_start(loop, &relay, err);
    if (servers->bridge) {
        add_listener(servers, "debug-bridge", relay_listener(servers->bridge), ACCESS_ALL, "ws",
                     "/debug");
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
        say(json_pack("{s:s, s:s, s:o}", "kind", "app", "appId", app_id(servers->app), "sessionId",
                      json_text(bridge->session_id)));
    }
    return servers->app;
}

/* Lines of JSON on stdout, of which none is lost unless it is a terminal. */
static bool start_console(struct servers *servers, const struct cli_options *options,
                          struct loop *loop, struct br_error *err)
{
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    set_listener(servers, "console-bridge", options->console.port, options, &listener);
    if (!console_out_start(&servers->console, options, STDOUT_FILENO, true, loop, err) ||
        !console_out_listen(&servers->console, &listener, loop, err)) {
        return false;
    }
    add_listener(servers, "console-bridge", console_server_listener(servers->console.server),
                 ACCESS_ORIGINS, "ws", "");
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
    return servers->log && (!options->console.url || start_sender(servers, options, loop, err)) &&
           (options->actions_port < 0 || start_actions(servers, options, loop, settings, err)) &&
           (options->brop_port < 0 || start_brop(servers, options, loop, settings, err)) &&
           (options->cdp.port < 0 || start_cdp(servers, options, loop, err)) &&
           (options->bridge.port < 0 || (start_bridge(servers, options, loop, err) &&
                                         start_app(servers, options, settings, err))) &&
           (options->console.port < 0 || start_console(servers, options, loop, err));
}

/* A line for people, such as `systemctl status` shows. */
static void notify(const struct servers *servers, const char *state, const char *status)
{
    CLEANUP_FREE char *text = xasprintf("%s\nSTATUS=%s", state, status);
    service_notify(servers->service, text);
}

static void notify_ready(const struct servers *servers, const char *more)
{
    struct strbuf status = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < servers->open_count; i++) {
        strbuf_add_format(&status, "%s%s", i ? ", " : "serving ", servers->open[i].name);
    }
    strbuf_add_string(&status, more);
    strbuf_add(&status, "", 1);
    notify(servers, "READY=1", status.data);
    strbuf_finish(&status);
}

static void set_access(struct servers *servers)
{
    const struct net_access all = access_lists(&servers->access);
    const struct net_access origins = { .origins = all.origins };
    for (size_t i = 0; i < servers->open_count; i++) {
        if (servers->open[i].use != ACCESS_NONE) {
            net_listener_set_access(servers->open[i].listener,
                                    servers->open[i].use == ACCESS_ALL ? &all : &origins);
        }
    }
}

/* A file that has lost its tokens, as while it is written anew, must not open the server to all. */
static bool read_access_again(struct servers *servers, const struct cli_options *options,
                              struct br_error *err)
{
    struct access access;
    if (!options->access_file) {
        error_set(err, BR_INVALID_ACTION, "SIGHUP: there is no file to read again");
        return error_hint(err, "start it with --access-file FILE");
    }
    if (!access_read(&access, options, err)) {
        return false;
    }
    if (servers->access.has_file_tokens && !access.has_file_tokens) {
        access_finish(&access);
        error_set(err, BR_INVALID_ACTION, "--access-file: %s has no token any more",
                  options->access_file);
        return error_hint(err, "put one in, or start the server anew to serve without it");
    }
    access_finish(&servers->access);
    servers->access = access;
    set_access(servers);
    return true;
}

static void reload(struct servers *servers, const struct cli_options *options)
{
    struct br_error err;
    service_notify_reloading(servers->service);
    if (read_access_again(servers, options, &err)) {
        cli_warn("read %s again: %zu tokens, %zu origins, %zu hosts", options->access_file,
                 servers->access.tokens.count, servers->access.origins.count,
                 servers->access.hosts.count);
        notify_ready(servers, "");
    } else {
        cli_print_error(&err);
        cli_warn("who may connect stays as it was");
        notify_ready(servers, "; the last reload failed, see the log");
    }
}

static void serve_until_end(struct servers *servers, const struct cli_options *options,
                            struct loop *loop, const struct interrupt *interrupt)
{
    struct pollfd fds[] = { { .fd = interrupt_fd(interrupt), .events = POLLIN },
                            { .fd = interrupt_reload_fd(interrupt), .events = POLLIN } };
    int watchdog_ms = servers->service->watchdog_ms;
    notify_ready(servers, "");
    while (!fds[0].revents) {
        int count = poll(fds, 2, watchdog_ms ? watchdog_ms / 2 : -1);
        if (count > 0 && fds[1].revents && !fds[0].revents) {
            eventfd_t ignored;
            eventfd_read(fds[1].fd, &ignored);
            reload(servers, options);
        }
        if (watchdog_ms) {
            loop_flush(loop);
            service_notify(servers->service, "WATCHDOG=1");
        }
    }
}

/* Accepts no client any more, and gives what runs a while to end. */
static void drain(struct servers *servers)
{
    struct deadline deadline = deadline_in_ms(DRAIN_MS);
    notify(servers, "STOPPING=1", "ending: no new clients, what runs has 5 s");
    for (size_t i = 0; i < servers->open_count; i++) {
        net_listener_refuse(servers->open[i].listener);
    }
    while (sessions_idle_ms(servers->sessions) == 0 && !deadline_passed(deadline)) {
        poll(NULL, 0, LOOK_MS);
    }
}

static void stop(struct servers *servers)
{
    app_stop(servers->app);
    console_out_stop(&servers->console);
    relay_stop(servers->bridge);
    backend_stop(servers->actions);
    brop_stop(servers->brop);
    cdp_endpoint_stop(servers->cdp);
    sessions_destroy(servers->sessions);
    console_sender_stop(servers->sender);
    printer_stop(servers->log);
    access_finish(&servers->access);
}

static bool serve(const struct cli_options *options, struct service *service,
                  struct br_browser *loop_of, struct interrupt *interrupt, struct br_error *err)
{
    struct br_session_options session = options->session;
    struct servers servers = { .service = service };
    if (!session.policy.files) {
        session.policy.files = "none";
    }
    if (!access_read(&servers.access, options, err)) {
        return false;
    }
    json_auto_t *settings = settings_write(&options->browser, &session);
    servers.sessions = sessions_create(loop_of, true);
    bool is_started = start(&servers, options, browser_loop(loop_of), settings, err);
    if (is_started) {
        serve_until_end(&servers, options, browser_loop(loop_of), interrupt);
        drain(&servers);
    }
    stop(&servers);
    return is_started;
}

/* Sockets of the service manager are named as servers are in their `listening` lines. */
static bool check_sockets(const struct cli_options *options, const struct service *service,
                          struct br_error *err)
{
    const struct {
        const char *name;
        int port;
    } servers[MAX_LISTENERS] = {
        { "actions", options->actions_port },
        { "cdp", options->cdp.port },
        { "brop", options->brop_port },
        { "brop-extension", options->brop_extension_port },
        { "debug-bridge", options->bridge.port },
        { "console-bridge", options->console.port },
    };
    const char *known[MAX_LISTENERS + 1] = { NULL };
    const char *served[MAX_LISTENERS + 1] = { NULL };
    size_t count = 0;
    for (size_t i = 0; i < MAX_LISTENERS; i++) {
        known[i] = servers[i].name;
        if (servers[i].port >= 0) {
            served[count++] = servers[i].name;
        }
    }
    return service_check_names(service, known, served, err);
}

/* A page and the session that it is an app of belong together. */
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
        options->cdp.port < 0 && !has_console) {
        error_set(err, BR_INVALID_ACTION, "serve needs a server to be");
        return error_hint(err, "see browser-runner serve --help");
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

static bool run_service(struct cli_options *options, struct service *service, struct br_error *err)
{
    struct interrupt *interrupt = interrupt_create_for_server(options->dies_with_parent);
    struct br_browser_options loop = BR_BROWSER_OPTIONS_INIT;
    loop.wording = BR_WORDING_COMMAND_LINE;
    struct br_browser *loop_of = br_browser_open(&loop, err);
    bool is_done = loop_of && serve(options, service, loop_of, interrupt, err);
    br_browser_close(loop_of);
    interrupt_destroy(interrupt);
    return is_done;
}

static int run_serve(struct cli_options *options)
{
    struct br_error err = { 0 };
    struct service service;
    if (!check_servers(options, &err)) {
        cli_print_error(&err);
        return EXIT_USAGE;
    }
    if (!check_app(options)) {
        return EXIT_USAGE;
    }
    bool is_done = service_init(&service, &err) && check_sockets(options, &service, &err) &&
                   run_service(options, &service, &err);
    service_finish(&service);
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_USAGE;
}

const struct command command_serve = {
    .name = "serve",
    .operands = "--actions[=PORT] --cdp[=PORT] --debug-bridge[=PORT] --console-bridge[=PORT] "
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
                "  browser-runner serve --cdp --temp-profile\n"
                "  browser-runner serve --debug-bridge\n"
                "  browser-runner serve --debug-bridge --bridge-session dev --page "
                "http://localhost:3000\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_SERVE,
    .run = run_serve,
};
