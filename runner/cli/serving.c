#include "runner/cli/serving.h"

#include "runner/base/json.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>

enum {
    DRAIN_MS = 5000, /* at the end, for what runs */
    LOOK_MS = 20,    /* between two looks whether something still does */
};

/* Sockets of the service manager are named as servers are in their `listening` lines. */
static bool check_sockets(const struct cli_options *options, const struct systemd *systemd,
                          struct br_error *err)
{
    const struct {
        const char *name;
        int port;
    } servers[SERVING_MAX] = {
        { "actions", options->actions_port },
        { "cdp", options->cdp.port },
        { "brop", options->brop_port },
        { "brop-extension", options->brop_extension_port },
        { "debug-bridge", options->bridge.port },
        { "console-bridge", options->console.port },
        { "http", options->http.port },
        { "worker", options->jobs.metrics_port },
    };
    const char *known[SERVING_MAX + 1] = { NULL };
    const char *served[SERVING_MAX + 1] = { NULL };
    size_t count = 0;
    for (size_t i = 0; i < SERVING_MAX; i++) {
        known[i] = servers[i].name;
        if (servers[i].port >= 0) {
            served[count++] = servers[i].name;
        }
    }
    return systemd_check_names(systemd, known, served, err);
}

bool serving_init(struct serving *serving, const struct cli_options *options, struct br_error *err)
{
    *serving = (struct serving){ .options = options };
    return systemd_init(&serving->systemd, err) && check_sockets(options, &serving->systemd, err) &&
           access_read(&serving->access, options, err);
}

void serving_finish(struct serving *serving)
{
    access_finish(&serving->access);
    systemd_finish(&serving->systemd);
}

void serving_set_listener(struct serving *serving, const char *name, int port,
                          struct net_listener_options *listener)
{
    listener->host = serving->options->host;
    listener->port = port;
    listener->access = access_lists(&serving->access);
    listener->log = serving->log;
    systemd_take(&serving->systemd, name, listener);
}

void serving_say(json_t *line)
{
    CLEANUP_FREE char *text = json_dumps(line, JSON_COMPACT);
    json_decref(line);
    puts(text);
    fflush(stdout);
}

void serving_add(struct serving *serving, const char *name, struct net_listener *listener,
                 enum access_use use, const char *scheme, const char *path)
{
    const char *host = net_listener_address(listener);
    bool is_ipv6 = strchr(host, ':');
    CLEANUP_FREE char *url = xasprintf("%s://%s%s%s:%d%s", scheme, is_ipv6 ? "[" : "", host,
                                       is_ipv6 ? "]" : "", net_listener_port(listener), path);
    serving->open[serving->open_count].name = name;
    serving->open[serving->open_count].listener = listener;
    serving->open[serving->open_count++].use = use;
    serving_say(
        json_pack("{s:s, s:s, s:o}", "kind", "listening", "server", name, "url", json_text(url)));
}

/* The status is a line for people; `systemctl status` shows it. */
static void notify(const struct serving *serving, const char *state, const char *status)
{
    CLEANUP_FREE char *text = xasprintf("%s\nSTATUS=%s", state, status);
    systemd_notify(&serving->systemd, text);
}

static void notify_ready(const struct serving *serving, const char *more)
{
    struct strbuf status = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < serving->open_count; i++) {
        strbuf_add_format(&status, "%s%s", i ? ", " : "serving ", serving->open[i].name);
    }
    strbuf_add_string(&status, more);
    strbuf_add(&status, "", 1);
    notify(serving, "READY=1", status.data);
    strbuf_finish(&status);
}

static void set_access(struct serving *serving)
{
    const struct net_access all = access_lists(&serving->access);
    const struct net_access origins = { .origins = all.origins };
    for (size_t i = 0; i < serving->open_count; i++) {
        if (serving->open[i].use != ACCESS_NONE) {
            net_listener_set_access(serving->open[i].listener,
                                    serving->open[i].use == ACCESS_ORIGINS ? &origins : &all);
        }
    }
}

/* A file that has lost its tokens, such as one that is half written, must not open the server. */
static bool read_access_again(struct serving *serving, struct br_error *err)
{
    struct access access;
    if (!serving->options->access_file) {
        error_set(err, BR_INVALID_ACTION, "SIGHUP: there is no file to read again");
        return error_hint(err, "start it with --access-file FILE");
    }
    if (!access_read(&access, serving->options, err)) {
        return false;
    }
    if (serving->access.has_file_tokens && !access.has_file_tokens) {
        access_finish(&access);
        error_set(err, BR_INVALID_ACTION, "--access-file: %s no longer has a token",
                  serving->options->access_file);
        return error_hint(err, "add one, or restart the server to serve without a token");
    }
    access_finish(&serving->access);
    serving->access = access;
    set_access(serving);
    return true;
}

static void reload(struct serving *serving)
{
    struct br_error err;
    systemd_notify_reloading(&serving->systemd);
    if (read_access_again(serving, &err)) {
        cli_warn("read %s again: %zu tokens, %zu origins, %zu hosts", serving->options->access_file,
                 serving->access.tokens.count, serving->access.origins.count,
                 serving->access.hosts.count);
        notify_ready(serving, "");
    } else {
        cli_print_error(&err);
        cli_warn("who may connect stays as it was");
        notify_ready(serving, "; the last reload failed, see the log");
    }
}

void serving_wait(struct serving *serving, struct loop *loop, const struct interrupt *interrupt)
{
    struct pollfd fds[] = { { .fd = interrupt_fd(interrupt), .events = POLLIN },
                            { .fd = interrupt_reload_fd(interrupt), .events = POLLIN } };
    int watchdog_ms = serving->systemd.watchdog_ms;
    notify_ready(serving, "");
    while (!fds[0].revents) {
        int count = poll(fds, 2, watchdog_ms ? (watchdog_ms + 1) / 2 : -1);
        if (count > 0 && fds[1].revents && !fds[0].revents) {
            eventfd_t ignored;
            eventfd_read(fds[1].fd, &ignored);
            reload(serving);
        }
        if (watchdog_ms) {
            loop_flush(loop);
            systemd_notify(&serving->systemd, "WATCHDOG=1");
        }
    }
}

void serving_stopping(const struct serving *serving, const char *status)
{
    notify(serving, "STOPPING=1", status);
}

void serving_drain(struct serving *serving, struct sessions *sessions)
{
    struct deadline deadline = deadline_in_ms(DRAIN_MS);
    serving_stopping(serving, "stopping: no new clients, running actions have 5 s");
    for (size_t i = 0; i < serving->open_count; i++) {
        if (serving->open[i].use != ACCESS_ALL_TO_THE_END) {
            net_listener_refuse(serving->open[i].listener);
        }
    }
    while (sessions_idle_ms(sessions) == 0 && !deadline_passed(deadline)) {
        poll(NULL, 0, LOOK_MS);
    }
}
