/*
 * The description of the protocol, which Chrome gives at a port alone and not over its pipe: a
 * Chrome of the same version is launched for a moment with one.
 */
#include "profiles/run_directory.h"
#include "runner/base/file.h"
#include "runner/base/memory.h"
#include "runner/cdp/http_get.h"
#include "runner/chrome/find.h"
#include "runner/servers/cdp/parts.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_BYTES = 32 * 1024 * 1024,
    LAUNCH_MS = 20000,
    REMOVE_MS = 3000,
    LOOK_MS = 20, /* between two looks for the port */
    KILL_MS = 2000,
};

static char *fetch(struct cdp_endpoint *endpoint, const char *url, struct deadline deadline,
                   struct br_error *err)
{
    struct endpoint place;
    return endpoint_parse(url, &place, err)
               ? http_get(endpoint->loop, &place, &endpoint_browser, MAX_BYTES, deadline, err)
               : NULL;
}

/* The port of a Chrome that was just launched, as it writes that into its profile; 0: none. */
static int await_port(const char *profile, struct process *process, struct deadline deadline)
{
    CLEANUP_FREE char *path = xasprintf("%s/DevToolsActivePort", profile);
    struct br_error ignored;
    while (deadline_left_ms(deadline) > 0 && !process_is_over(process)) {
        size_t size = 0;
        CLEANUP_FREE char *text = file_read(path, 4096, &size, &ignored);
        if (text && strchr(text, '\n')) {
            return atoi(text);
        }
        process_wait(process, deadline_in_ms(LOOK_MS));
    }
    return 0;
}

static char *ask_launched(struct cdp_endpoint *endpoint, struct process *process,
                          const char *profile, struct br_error *err)
{
    struct deadline deadline = deadline_in_ms(LAUNCH_MS);
    int port = await_port(profile, process, deadline);
    if (port == 0) {
        error_set(err, BR_BROWSER_CRASHED, "a browser for /json/protocol did not open its port");
        return NULL;
    }
    CLEANUP_FREE char *url = xasprintf("http://127.0.0.1:%d/json/protocol", port);
    return fetch(endpoint, url, deadline, err);
}

static char *launch_and_ask(struct cdp_endpoint *endpoint, struct run_directory *run,
                            const char *program, struct br_error *err)
{
    const struct br_browser_options *options = browser_options(endpoint->browser);
    bool has_no_sandbox = options->no_sandbox || geteuid() == 0;
    CLEANUP_FREE char *profile = xasprintf("--user-data-dir=%s", run_directory_profile(run));
    const char *const argv[] = {
        program,
        "--headless",
        "--remote-debugging-port=0",
        profile,
        "--no-first-run",
        "--disable-background-networking",
        has_no_sandbox ? "--no-sandbox" : "--mute-audio",
        "about:blank",
        NULL,
    };
    struct transport *transport = NULL;
    struct process *process =
        process_start(endpoint->loop, (char *const *)argv, run_directory_tmp(run), &transport, err);
    if (!process) {
        return NULL;
    }
    struct br_error ignored;
    run_directory_record(run, process_pid(process), run_directory_profile(run), &ignored);
    char *text = ask_launched(endpoint, process, run_directory_profile(run), err);
    transport->ops->destroy(transport);
    process_kill(process);
    process_wait(process, deadline_in_ms(KILL_MS));
    process_destroy(process);
    return text;
}

static char *launch(struct cdp_endpoint *endpoint, struct br_error *err)
{
    struct br_error ignored;
    CLEANUP_FREE char *notice = NULL;
    CLEANUP_FREE char *program = chrome_find(browser_options(endpoint->browser)->chrome, err);
    struct run_directory *run = program ? run_directory_create(true, &notice, err) : NULL;
    if (!run) {
        return NULL;
    }
    char *text = launch_and_ask(endpoint, run, program, err);
    run_directory_remove(run, deadline_in_ms(REMOVE_MS), &ignored);
    run_directory_destroy(run);
    return text;
}

/* Asks the browser that --connect names, over HTTP. */
static char *ask_connected(struct cdp_endpoint *endpoint, const char *url, struct br_error *err)
{
    size_t length = url_origin_length(url);
    bool is_tls = strncmp(url, "wss:", 4) == 0 || strncmp(url, "https:", 6) == 0;
    const char *host = strstr(url, "://");
    if (length == 0 || !host) {
        error_set(err, BR_INVALID_ACTION, "%.100s has no host", url);
        return NULL;
    }
    host += 3;
    CLEANUP_FREE char *asked = xasprintf("%s://%.*s/json/protocol", is_tls ? "https" : "http",
                                         (int)(length - (size_t)(host - url)), host);
    return fetch(endpoint, asked, deadline_in_ms(LAUNCH_MS), err);
}

const char *protocol_get(struct cdp_endpoint *endpoint, const char *product, struct br_error *err)
{
    if (endpoint->protocol && strcmp(endpoint->protocol_version, product) == 0) {
        return endpoint->protocol;
    }
    const char *connect = browser_options(endpoint->browser)->connect;
    char *text = connect ? ask_connected(endpoint, connect, err) : launch(endpoint, err);
    if (text) {
        free(endpoint->protocol);
        free(endpoint->protocol_version);
        endpoint->protocol = text;
        endpoint->protocol_version = xstrdup(product);
    }
    return text;
}
