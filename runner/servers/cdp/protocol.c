/*
 * The description of the protocol. Chrome serves it at a port but not over its pipe, so this
 * launches a Chrome of the same version with a port for a short time. The description is cached in
 * ${XDG_CACHE_HOME:-~/.cache}/browser-runner/protocol-VERSION.json.
 */
#include "profiles/run_directory.h"
#include "profiles/tree.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/chrome/discover.h"
#include "runner/chrome/find.h"
#include "runner/net/http.h"
#include "runner/servers/cdp/endpoint.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_BYTES = 32 * 1024 * 1024,
    LAUNCH_MS = 20000,
    REMOVE_MS = 3000,
    LOOK_MS = 20, /* interval of the checks for the port */
    KILL_MS = 2000,
};

/* Returns NULL without a home directory. Caller frees. */
static char *cache_directory(void)
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    return cache && cache[0] == '/' ? xasprintf("%s/browser-runner", cache)
           : home && home[0] == '/' ? xasprintf("%s/.cache/browser-runner", home)
                                    : NULL;
}

static char *cache_path(const char *directory, const char *version)
{
    char *path = xasprintf("%s/protocol-%s.json", directory, version);
    for (char *at = path + strlen(directory) + 1; *at; at++) {
        bool is_plain = strchr(".-_", *at) || (*at >= '0' && *at <= '9') ||
                        ((*at | 32) >= 'a' && (*at | 32) <= 'z');
        *at = is_plain ? *at : '-';
    }
    return path;
}

/* Whether only this user can have written the file. */
static bool is_own_file(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 022) == 0;
}

static bool is_protocol(const char *text, size_t length)
{
    json_auto_t *root = json_loadb(text, length, 0, NULL);
    return json_is_object(json_object_get(root, "version")) &&
           json_array_size(json_object_get(root, "domains")) > 0;
}

static char *read_cached(const char *version)
{
    struct br_error ignored;
    size_t size = 0;
    CLEANUP_FREE char *directory = cache_directory();
    CLEANUP_FREE char *path = directory ? cache_path(directory, version) : NULL;
    CLEANUP_FREE char *text =
        path && is_own_file(path) ? file_read(path, MAX_BYTES, &size, &ignored) : NULL;
    return text && is_protocol(text, size) ? TAKE(text) : NULL;
}

/* Ignores failures: the next process then fetches the description again. */
static void write_cached(const char *version, const char *text)
{
    struct br_error ignored;
    CLEANUP_FREE char *directory = cache_directory();
    if (directory && is_protocol(text, strlen(text)) && tree_create(directory, &ignored)) {
        CLEANUP_FREE char *path = cache_path(directory, version);
        file_write(path, text, strlen(text), &ignored);
    }
}

static char *fetch(struct cdp_endpoint *endpoint, const char *url, struct deadline deadline,
                   struct br_error *err)
{
    struct server_url place;
    return server_url_parse(url, &place, err)
               ? http_get(endpoint->loop, &place, &discover_browser, MAX_BYTES, deadline, err)
               : NULL;
}

/* Waits for the port that the launched Chrome writes into its profile. Returns 0 on failure. */
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

/* Whether the launched Chrome has this version; the program may have been updated meanwhile. */
static bool is_version(struct cdp_endpoint *endpoint, int port, const char *version,
                       struct deadline deadline)
{
    struct br_error ignored;
    CLEANUP_FREE char *url = xasprintf("http://127.0.0.1:%d/json/version", port);
    CLEANUP_FREE char *text = fetch(endpoint, url, deadline, &ignored);
    json_auto_t *root = text ? json_loads(text, 0, NULL) : NULL;
    const char *product = json_member_string(root, "Browser");
    size_t length = product ? strlen(product) : 0;
    return length && strncmp(product, version, length) == 0 && version[length] == '-';
}

static char *ask_launched(struct cdp_endpoint *endpoint, struct process *process,
                          const char *profile, const char *version, struct br_error *err)
{
    struct deadline deadline = deadline_in_ms(LAUNCH_MS);
    int port = await_port(profile, process, deadline);
    if (port == 0) {
        error_set(err, BR_BROWSER_CRASHED, "a browser for /json/protocol did not open its port");
        return NULL;
    }
    CLEANUP_FREE char *url = xasprintf("http://127.0.0.1:%d/json/protocol", port);
    char *text = fetch(endpoint, url, deadline, err);
    if (text && is_version(endpoint, port, version, deadline)) {
        write_cached(version, text);
    }
    return text;
}

static char *launch_and_ask(struct cdp_endpoint *endpoint, struct run_directory *run,
                            const char *program, const char *version, struct br_error *err)
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
    char *text = ask_launched(endpoint, process, run_directory_profile(run), version, err);
    transport->ops->destroy(transport);
    process_kill(process);
    process_wait(process, deadline_in_ms(KILL_MS));
    process_destroy(process);
    return text;
}

static char *launch(struct cdp_endpoint *endpoint, const char *version, struct br_error *err)
{
    struct br_error ignored;
    CLEANUP_FREE char *notice = NULL;
    CLEANUP_FREE char *program = chrome_find(browser_options(endpoint->browser)->chrome, err);
    struct run_directory *run = program ? run_directory_create(true, &notice, err) : NULL;
    if (!run) {
        return NULL;
    }
    char *text = launch_and_ask(endpoint, run, program, version, err);
    run_directory_remove(run, deadline_in_ms(REMOVE_MS), &ignored);
    run_directory_destroy(run);
    return text;
}

/* Asks the browser named by --connect, over HTTP. */
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

/* A task for a separate thread, because it waits for another Chrome. */
struct description {
    struct cdp_endpoint *endpoint;
    char *version;
    char *text; /* NULL with the error */
    struct br_error err;
};

static void on_done(void *data)
{
    struct description *description = data;
    struct cdp_endpoint *endpoint = description->endpoint;
    struct protocol_wait *wait = TAKE(endpoint->protocol_waits);
    endpoint->is_describing = false;
    if (description->text) {
        free(endpoint->protocol);
        free(endpoint->protocol_version);
        endpoint->protocol = TAKE(description->text);
        endpoint->protocol_version = xstrdup(description->version);
    }
    while (wait) {
        struct protocol_wait *next = wait->next;
        if (description->err.code != BR_OK && strcmp(wait->version, description->version) == 0) {
            wait->on_protocol(wait, NULL, &description->err);
        } else {
            protocol_await(endpoint, wait);
        }
        wait = next;
    }
    free(description->version);
    free(description);
    endpoint_release(endpoint);
}

static void *describe(void *data)
{
    struct description *description = data;
    struct cdp_endpoint *endpoint = description->endpoint;
    const char *connect = browser_options(endpoint->browser)->connect;
    description->text = connect ? ask_connected(endpoint, connect, &description->err)
                                : read_cached(description->version);
    if (!description->text && !connect) {
        description->text = launch(endpoint, description->version, &description->err);
    }
    loop_post(endpoint->loop, on_done, description);
    return NULL;
}

static void begin_description(struct cdp_endpoint *endpoint, const char *version)
{
    pthread_t thread;
    struct description *description = xcalloc(1, sizeof(*description));
    endpoint->is_describing = true;
    endpoint_hold(endpoint);
    description->endpoint = endpoint;
    description->version = xstrdup(version);
    int failure = thread_start(&thread, describe, description);
    if (failure) {
        error_set_errno(&description->err, BR_UNKNOWN_ERROR, failure, "cannot start a thread");
        loop_post(endpoint->loop, on_done, description);
    } else {
        pthread_detach(thread);
    }
}

void protocol_await(struct cdp_endpoint *endpoint, struct protocol_wait *wait)
{
    if (endpoint->protocol && strcmp(endpoint->protocol_version, wait->version) == 0) {
        wait->on_protocol(wait, endpoint->protocol, NULL);
        return;
    }
    wait->next = endpoint->protocol_waits;
    endpoint->protocol_waits = wait;
    if (!endpoint->is_describing) {
        begin_description(endpoint, wait->version);
    }
}
