#include "runner/cli/visit.h"

#include "runner/actions/actions.h"
#include "runner/base/action.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/cli/interrupt.h"

#include <ctype.h>
#include <string.h>

enum { DELAY_MORE_MS = 5000 /* for the wait itself to be noticed */ };

/* Names a parameter as it was given here: "snapshot.maxTokens: …" becomes "--max-tokens: …". */
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
    bool is_operand = strcmp(option.data, "url") == 0;
    error_set(err, before.code, "%s%s%s", is_operand ? "" : "--", is_operand ? "URL" : option.data,
              at);
    return error_hint(err, "%s", before.hint);
}

bool visit_check(const char *type, const json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_object_update(action->params, (json_t *)params);
    return action_validate(action, err) || name_option(type, err);
}

/* Runs an action that is given as its parameters; takes ownership of them. */
struct br_response *visit_act(struct br_session *session, const struct cli_options *options,
                              const char *type, json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(type, (struct source_position){ 0 });
    json_object_update(action->params, params);
    json_decref(params);
    if (!action_validate(action, err)) {
        name_option(type, err);
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

/* What the tool itself has to say: nobody sees the response. */
void visit_warn(const struct br_response *response)
{
    for (size_t i = 0; response && i < response->log_count; i++) {
        const struct br_log *log = &response->logs[i];
        if (log->source == BR_SOURCE_TOOL && log->type == BR_LOG_WARNING) {
            cli_warn("%s", log->message);
        }
    }
}

/* An action of which only the warnings are told. Takes ownership of params. */
static bool act_only(struct br_session *session, const struct cli_options *options,
                     const char *type, json_t *params, int *ret_status, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response = visit_act(session, options, type, params, err);
    visit_warn(response);
    if (ret_status) {
        *ret_status = response ? response->http_status : 0;
    }
    return response;
}

/* Opens the page. A page with an error status is a page; what that means is the command's. */
static bool open_url(struct br_session *session, struct cli_options *options, struct br_error *err)
{
    const char *scheme = options->color_scheme;
    json_auto_t *target =
        json_pack("{s:s, s:s}", "url", options->operands[0], "waitUntil", options->wait_until);
    if (!scheme) {
        return act_only(session, options, "start", json_incref(target), &options->http_status, err);
    }
    return act_only(session, options, "start", json_pack("{s:s}", "url", "about:blank"), NULL,
                    err) &&
           act_only(session, options, "emulate", json_pack("{s:s}", "colorScheme", scheme), NULL,
                    err) &&
           act_only(session, options, "navigate", json_incref(target), &options->http_status, err);
}

/* What --wait-for and --delay ask for. */
static bool await_page(struct br_session *session, const struct cli_options *options,
                       struct br_error *err)
{
    static const char text[] = "text=";
    const char *wanted = options->wait_for;
    bool is_text = wanted && strncmp(wanted, text, strlen(text)) == 0;
    if (wanted && !act_only(session, options, "wait",
                            is_text ? json_pack("{s:o}", "text", json_text(wanted + strlen(text)))
                                    : json_pack("{s:o}", "selector", json_text(wanted)),
                            NULL, err)) {
        return false;
    }
    return !options->delay_ms || act_only(session, options, "wait",
                                          json_pack("{s:i, s:i}", "ms", options->delay_ms,
                                                    "timeout", options->delay_ms + DELAY_MORE_MS),
                                          NULL, err);
}

int visit_page(struct cli_options *options, visit_work *work)
{
    struct br_error err = { 0 };
    bool is_done = false;
    struct interrupt *interrupt = interrupt_create(options->dies_with_parent);
    options->session.screenshots = BR_SCREENSHOTS_EXPLICIT;
    struct br_session *session = br_session_open(&options->session, &err);
    if (session) {
        interrupt_set_session(interrupt, session);
        is_done = open_url(session, options, &err) && await_page(session, options, &err) &&
                  work(session, options, &err);
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
