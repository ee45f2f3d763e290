#include "runner/cli/visit.h"

#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/chrome/browser.h"
#include "runner/cli/interrupt.h"

#include <ctype.h>
#include <string.h>

/*
 * Replaces a parameter's name by its option: "snapshot.maxTokens: …" becomes "--max-tokens: …".
 * Returns false, for the error.
 */
static bool name_option(const char *type, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf option = STRBUF_INIT(sizeof(err->message));
    const struct br_error before = *err;
    size_t length = strlen(type);
    const char *at = before.message + length;
    if (strncmp(before.message, type, length) != 0 || *at++ != '.') {
        return false;
    }
    for (; *at && *at != ':'; at++) {
        strbuf_add_format(&option, isupper((unsigned char)*at) ? "-%c" : "%c",
                          tolower((unsigned char)*at));
    }
    const char *name = strcmp(type, "wait") == 0 ? "wait-for" : option.data;
    bool is_operand = strcmp(name, "url") == 0;
    error_set(err, before.code, "%s%s%s", is_operand ? "" : "--", is_operand ? "URL" : name, at);
    return error_hint(err, "%s", before.hint);
}

/* Caller frees; NULL with the error if the action does not accept these parameters. */
static struct br_action *action_of(const char *type, const json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_object_update(action->params, (json_t *)params);
    json_object_del(action->params, "type");
    return action_validate(action, err) || name_option(type, err) ? TAKE(action) : NULL;
}

/*
 * Returns the steps before the command's own action: opening the page, unless it is an open tab,
 * and waiting for --wait-for and --delay. Each is the parameters of an action, with the type.
 * Caller decrefs.
 */
static json_t *steps_of(const struct cli_options *options)
{
    static const char text[] = "text=";
    const char *scheme = options->color_scheme;
    const char *wanted = options->wait_for;
    json_t *steps = json_array();
    const char *url = options->operands[0];
    if (scheme && url) {
        json_array_append_new(steps,
                              json_pack("{s:s, s:s}", "type", "start", "url", "about:blank"));
    }
    if (scheme) {
        json_array_append_new(steps,
                              json_pack("{s:s, s:s}", "type", "emulate", "colorScheme", scheme));
    }
    if (url) {
        json_array_append_new(steps,
                              json_pack("{s:s, s:o, s:s}", "type", scheme ? "navigate" : "start",
                                        "url", json_text(url), "waitUntil", options->wait_until));
    }
    if (wanted) {
        bool is_text = strncmp(wanted, text, strlen(text)) == 0;
        json_array_append_new(steps,
                              json_pack("{s:s, s:o}", "type", "wait", is_text ? "text" : "selector",
                                        json_text(wanted + (is_text ? strlen(text) : 0))));
    }
    if (options->delay_ms) {
        json_array_append_new(steps,
                              json_pack("{s:s, s:i}", "type", "wait", "ms", options->delay_ms));
    }
    return steps;
}

bool visit_check(const struct cli_options *options, const char *type, const json_t *params,
                 struct br_error *err)
{
    size_t index;
    json_t *step;
    json_auto_t *steps = steps_of(options);
    json_array_foreach (steps, index, step) {
        CLEANUP_ACTION struct br_action *action =
            action_of(json_member_string(step, "type"), step, err);
        if (!action) {
            return false;
        }
    }
    CLEANUP_ACTION struct br_action *own = action_of(type, params, err);
    return own;
}

struct br_response *visit_act(struct br_session *session, const struct cli_options *options,
                              const char *type, const json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_of(type, params, err);
    CLEANUP_RESPONSE struct br_response *response = action ? br_session_run(session, action) : NULL;
    if (!response) {
        return NULL;
    }
    cli_print_logs(options, response);
    if (!response->success) {
        *err = response->error;
        return NULL;
    }
    return TAKE(response);
}

void visit_warn(const struct br_response *response)
{
    for (size_t i = 0; response && i < response->log_count; i++) {
        const struct br_log *log = &response->logs[i];
        if (log->source == BR_SOURCE_TOOL && log->type == BR_LOG_WARNING) {
            cli_warn("%s", log->message);
        }
    }
}

/* Runs the steps before the command's own action. A page with an error status is accepted. */
static bool prepare(struct br_session *session, struct cli_options *options, bool *ret_has_browser,
                    struct br_error *err)
{
    size_t index;
    json_t *step;
    json_auto_t *steps = steps_of(options);
    json_array_foreach (steps, index, step) {
        CLEANUP_RESPONSE struct br_response *response =
            visit_act(session, options, json_member_string(step, "type"), step, err);
        visit_warn(response);
        if (!response) {
            return false;
        }
        *ret_has_browser = true;
        options->http_status = response->http_status ? response->http_status : options->http_status;
    }
    return true;
}

/* Only errors found before anything runs have the exit code of bad input. */
static int exit_code_of(const struct br_session *session, bool has_browser,
                        const struct br_error *err)
{
    int exit_code = cli_exit_code(err);
    bool may_be_told = !session || (!has_browser && exit_code == EXIT_NO_BROWSER);
    return may_be_told ? exit_code : EXIT_ACTION_FAILED;
}

int visit_page(struct cli_options *options, visit_work *work)
{
    struct br_error err = { 0 };
    bool is_done = false;
    bool has_browser = false;
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    options->session.screenshots = BR_SCREENSHOTS_EXPLICIT;
    struct br_browser *browser = br_browser_open(&options->browser, &err);
    bool is_ready =
        browser && (!options->has_virtual_clock || browser_set_virtual_clock(browser, &err));
    struct br_session *session =
        is_ready ? br_session_open(browser, &options->session, &err) : NULL;
    if (session) {
        interrupt_set_session(interrupt, session);
        is_done = prepare(session, options, &has_browser, &err) && work(session, options, &err);
        interrupt_set_session(interrupt, NULL);
        br_session_close(session);
    }
    br_browser_close(browser);
    int exit_code = EXIT_SUCCESS;
    if (interrupt_was_received(interrupt)) {
        exit_code = EXIT_INTERRUPTED;
    } else if (!is_done) {
        cli_print_error(&err);
        exit_code = exit_code_of(session, has_browser, &err);
    }
    interrupt_destroy(interrupt);
    return exit_code;
}
