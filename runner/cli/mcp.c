#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/cli/warm.h"
#include "runner/servers/mcp/server.h"

#include <unistd.h>

static int run_mcp(struct cli_options *options)
{
    struct br_error err = { 0 };
    json_auto_t *settings = json_object();
    /* A client that ends without closing its pipe takes this server with it. */
    struct interrupt *interrupt = interrupt_create(true);
    bool is_done = warm_add_settings(settings, options, &err);
    if (is_done) {
        const struct mcp_options server_options = { .settings = settings,
                                                    .session = options->warm };
        struct mcp_server *server = mcp_create(&server_options);
        is_done =
            mcp_serve_stdio(server, STDIN_FILENO, STDOUT_FILENO, interrupt_fd(interrupt), &err);
        mcp_destroy(server);
    }
    interrupt_destroy(interrupt);
    if (!is_done) {
        cli_print_error(&err);
    }
    return is_done ? EXIT_SUCCESS : EXIT_USAGE;
}

const struct command command_mcp = {
    .name = "mcp",
    .operands = "",
    .summary = "Serves coding agents over the Model Context Protocol",
    .description =
        "Reads messages of the protocol from stdin and answers on stdout, as clients expect that "
        "start a server themselves. Each client gets a tab of its own, a warm session of the "
        "daemon, in the browser of the current directory's project, or according to the options; "
        "several clients share one browser. Nothing is started before the first tool that needs a "
        "page. The server and its tabs end with stdin, or with the process that started it. "
        "--session begins in a session that is already open, which stays open.",
    .examples = "  claude mcp add browser -- browser-runner mcp\n"
                "  browser-runner mcp --temp-profile --allow localhost:3000\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_MCP,
    .run = run_mcp,
};
