#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/json.h"
#include "runner/cli/command.h"
#include "runner/cli/interrupt.h"
#include "runner/formats/image_block.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Runs an action that is given as its parameters; takes ownership of them. */
static struct br_response *act(struct br_session *session, const struct cli_options *options,
                               const char *type, json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_object_update(action->params, params);
    json_decref(params);
    if (!action_validate(action, err)) {
        return NULL;
    }
    struct br_response *response = br_session_run(session, action);
    cli_print_logs(options, response);
    if (!response->success) {
        *err = response->error;
        br_response_destroy(response);
        return NULL;
    }
    return response;
}

/* Opens the page. A page with an error status is a page: it is pictured, with a warning. */
static bool open_url(struct br_session *session, const struct cli_options *options,
                     struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response =
        act(session, options, "start",
            json_pack("{s:s, s:s}", "url", options->operands[0], "waitUntil", options->wait_until),
            err);
    for (size_t i = 0; response && i < response->log_count; i++) {
        const struct br_log *log = &response->logs[i];
        if (log->source == BR_SOURCE_TOOL && log->type == BR_LOG_WARNING) {
            cli_warn("%s", log->message);
        }
    }
    if (response && response->http_status >= 400) {
        cli_warn("%s answered with HTTP status %d", options->operands[0], response->http_status);
    }
    return response;
}

static struct br_response *take_picture(struct br_session *session,
                                        const struct cli_options *options, struct br_error *err)
{
    json_t *params =
        json_pack("{s:s, s:s*}", "format", options->format, "selector", options->selector);
    if (options->is_full_page) {
        json_object_set_new(params, "fullPage", json_true());
    }
    if (options->has_quality && strcmp(options->format, "jpeg") == 0) {
        json_object_set_new(params, "quality", json_integer(options->session.quality));
    }
    return act(session, options, "screenshot", params, err);
}

static bool write_picture(const struct cli_options *options, const struct br_capture *capture,
                          struct br_error *err)
{
    if (!options->output) {
        json_auto_t *block = image_block(capture);
        json_dumpf(block, stdout, JSON_COMPACT);
        fputc('\n', stdout);
        return true;
    }
    if (strcmp(options->output, "-") == 0) {
        fwrite(capture->bytes, 1, capture->size, stdout);
        return true;
    }
    return cli_write_file(options->output, capture->bytes, capture->size, err);
}

static bool shoot(struct br_session *session, const struct cli_options *options,
                  struct br_error *err)
{
    if (!open_url(session, options, err)) {
        return false;
    }
    CLEANUP_RESPONSE struct br_response *response = take_picture(session, options, err);
    if (!response && err->code == BR_INVALID_ACTION) {
        /* A selector that the page refuses: by now something was run. */
        err->code = BR_UNKNOWN_ERROR;
    }
    bool has_told = false;
    if (response) {
        cli_tell_debug(response, &has_told);
    }
    return response && write_picture(options, &response->post, err);
}

static int run_shot(struct cli_options *options)
{
    struct br_error err = { 0 };
    bool is_done = false;
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    options->session.screenshots = BR_SCREENSHOTS_EXPLICIT;
    struct br_session *session = br_session_open(&options->session, &err);
    if (session) {
        interrupt_set_session(interrupt, session);
        is_done = shoot(session, options, &err);
        interrupt_set_session(interrupt, NULL);
        br_session_close(session);
    }
    int exit_code = EXIT_SUCCESS;
    if (interrupt_was_received(interrupt)) {
        exit_code = EXIT_INTERRUPTED;
    } else if (!is_done) {
        cli_print_error(&err);
        exit_code = cli_exit_code(&err);
    }
    interrupt_destroy(interrupt);
    return exit_code;
}

const struct command command_shot = {
    .name = "shot",
    .operands = "URL",
    .summary = "Takes one picture of one page",
    .description = "Without -o the picture goes to stdout as an image block in JSON, as model "
                   "providers take it. Nothing else is written there.",
    .examples = "  browser-runner shot https://example.org/ -o page.jpg\n"
                "  browser-runner shot http://localhost:3000/ --full-page --format png -o - | …\n",
    .option_groups = OPTIONS_BROWSER | OPTIONS_PICTURE | OPTIONS_SHOT,
    .min_operands = 1,
    .max_operands = 1,
    .run = run_shot,
};
