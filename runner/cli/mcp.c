#include "runner/base/json.h"
#include "runner/base/platform.h"
#include "runner/cli/access.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/serving.h"
#include "runner/cli/warm.h"
#include "runner/servers/mcp/server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { IDLE_S = 24 * 3600 }; /* on stdio: a forgotten server */

/* A socket that a dead server has left is replaced. */
static void remove_stale(const char *path)
{
    int fd = platform_socket_connect(path);
    if (fd >= 0) {
        close(fd);
    } else if (errno == ECONNREFUSED) {
        unlink(path);
    }
}

/* Prints the line for the process that waits until the server is ready. */
static void say_listening(const struct mcp_socket *socket, const char *path)
{
    const struct net_listener *listener = mcp_socket_listener(socket);
    const char *host = net_listener_address(listener);
    bool is_ipv6 = strchr(host, ':');
    CLEANUP_FREE char *url = path ? xasprintf("unix:%s", path)
                                  : xasprintf("http://%s%s%s:%d/mcp", is_ipv6 ? "[" : "", host,
                                              is_ipv6 ? "]" : "", net_listener_port(listener));
    serving_say(
        json_pack("{s:s, s:s, s:o}", "kind", "listening", "server", "mcp", "url", json_text(url)));
}

static bool serve_socket(struct mcp_server *server, const struct cli_options *options, int stop_fd,
                         struct br_error *err)
{
    struct access access = { 0 };
    struct net_listener_options listener = NET_LISTENER_OPTIONS_INIT;
    const char *path = options->unix_path;
    if (path) {
        remove_stale(path);
        listener.unix_path = path;
    } else if (access_read(&access, options, err)) {
        listener.host = options->host;
        listener.port = options->mcp_port;
        listener.access = access_lists(&access);
    } else {
        access_finish(&access);
        return false;
    }
    struct loop *loop = loop_create(false, err);
    struct mcp_socket *socket = loop ? mcp_listen(server, loop, &listener, err) : NULL;
    if (socket) {
        struct pollfd fd = { .fd = stop_fd, .events = POLLIN };
        say_listening(socket, path);
        int left_ms = mcp_idle_left_ms(server);
        while (left_ms != 0 && poll(&fd, 1, left_ms) <= 0) {
            left_ms = mcp_idle_left_ms(server);
        }
        mcp_socket_close(socket);
    }
    if (socket && path) {
        unlink(path);
    }
    loop_destroy(loop);
    access_finish(&access);
    return socket;
}

/* Adds the options that hold for the browser of `check`, too; schemes: their list, as an option. */
static void add_check_options(struct cli_list *words, struct strbuf *schemes,
                              const struct cli_options *options)
{
    const struct {
        const char *name;
        const struct cli_list *values;
    } lists[] = { { "--chrome-arg", &options->chrome_args },
                  { "--allow", &options->allow },
                  { "--deny", &options->deny } };
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        for (size_t k = 0; k < lists[i].values->count; k++) {
            cli_list_add(words, lists[i].name);
            cli_list_add(words, lists[i].values->items[k]);
        }
    }
    if (options->session.policy.schemes) {
        for (size_t i = 0; i < options->schemes.count; i++) {
            strbuf_add_format(schemes, "%s%s", i ? "," : "", options->schemes.items[i]);
        }
        cli_list_add(words, "--schemes");
        cli_list_add(words, schemes->data ? schemes->data : "");
    }
    if (options->browser.chrome) {
        cli_list_add(words, "--chrome");
        cli_list_add(words, options->browser.chrome);
    }
    if (options->browser.no_sandbox) {
        cli_list_add(words, "--no-sandbox");
    }
    if (options->session.policy.no_eval) {
        cli_list_add(words, "--no-eval");
    }
    if (options->session.policy.files) {
        cli_list_add(words, "--files");
        cli_list_add(words, options->session.policy.files);
    }
}

static bool serve(const struct cli_options *options, const json_t *settings, int stop_fd,
                  struct br_error *err)
{
    bool is_stdio = !options->unix_path && options->mcp_port < 0;
    struct cli_list check_options = { 0 };
    CLEANUP_STRBUF struct strbuf schemes = STRBUF_INIT(STRBUF_UNCAPPED);
    add_check_options(&check_options, &schemes, options);
    int idle_s = options->idle_s >= 0 ? options->idle_s : is_stdio ? IDLE_S : 0;
    const struct mcp_options server_options = {
        .settings = settings,
        .check_options = check_options.items,
        .directory = options->session.policy.files,
        .idle_ms = 1000LL * idle_s,
        .session = options->warm,
    };
    struct mcp_server *server = mcp_create(&server_options);
    bool is_done = is_stdio ? mcp_serve_stdio(server, STDIN_FILENO, STDOUT_FILENO, stop_fd, err)
                            : serve_socket(server, options, stop_fd, err);
    mcp_destroy(server);
    free(check_options.items);
    return is_done;
}

static int run_mcp(struct cli_options *options)
{
    struct br_error err = { 0 };
    json_auto_t *settings = json_object();
    /* A client that ends without closing its pipe takes its server with it. */
    bool is_stdio = !options->unix_path && options->mcp_port < 0;
    bool dies_with_parent = options->dies_with_parent || is_stdio;
    if (options->unix_path && options->mcp_port >= 0) {
        cli_warn("--unix and --http exclude each other: start a server for each");
        return EXIT_USAGE;
    }
    if (options->mcp_port >= 0 && !options->session.policy.files) {
        options->session.policy.files = "none";
    }
    struct interrupt *interrupt = interrupt_create(dies_with_parent);
    bool is_done = warm_add_settings(settings, options, &err) &&
                   serve(options, settings, interrupt_fd(interrupt), &err);
    interrupt_destroy(interrupt);
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_USAGE;
}

const struct command command_mcp = {
    .name = "mcp",
    .operands = "[--http[=PORT]] [--unix PATH]",
    .summary = "Serves coding agents over the Model Context Protocol",
    .description =
        "Reads messages of the protocol from stdin and answers on stdout, as clients expect that "
        "start a server themselves. Each client gets a tab of its own, a warm session of the "
        "daemon, in the browser of the current directory's project, or according to the options; "
        "several clients share one browser. Nothing is started before the first tool that needs a "
        "page. The server and its tabs end with stdin, or with the process that started it. "
        "--session begins in a session that is already open, which stays open. With --unix it "
        "serves any number of clients in the same lines over a socket, until a signal; with --http "
        "over Streamable HTTP at http://127.0.0.1:PORT/mcp, where a call names the session that "
        "browser_open returned, and touches no file unless --files names a directory.",
    .examples = "  claude mcp add browser -- browser-runner mcp\n"
                "  browser-runner mcp --temp-profile --allow localhost:3000\n"
                "  browser-runner mcp --http=9228\n"
                "  browser-runner mcp --unix /run/user/1000/browser.sock\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_MCP,
    .run = run_mcp,
};
