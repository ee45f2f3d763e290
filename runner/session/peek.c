#include "runner/session/peek.h"

#include "runner/base/response.h"
#include "runner/session/state.h"

struct br_response *session_peek(struct br_session *session, const struct br_action *action)
{
    struct br_response *response = response_create(0, action->type);
    struct action_run run = {
        .action = action,
        .response = response,
        .journal = session->journal,
    };
    response->session_id = xstrdup(session->options.session_id);
    response->attempts = 1;
    if (action->kind && action->kind->reads_journal) {
        response->success = action->kind->run(&run, &response->error);
    } else {
        error_set(&response->error, BR_INVALID_ACTION, "%s needs the session's page", action->type);
    }
    response_write_values(response);
    return response;
}
