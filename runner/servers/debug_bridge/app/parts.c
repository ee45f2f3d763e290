#include "runner/servers/debug_bridge/app/parts.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/page/core/wire.h"

#include <string.h>

enum { VISIT_TRIES = 3 };

void app_send(struct app *app, json_t *message)
{
    struct relay_app *peer = atomic_load(&app->peer);
    CLEANUP_FREE char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    if (peer && text) {
        relay_app_send(peer, text, strlen(text));
    }
}

void app_send_masked(struct app *app, const struct secrets *secrets, json_t *message)
{
    app_send(app, app_masked(secrets, message));
}

bool app_run(struct app *app, struct br_session *session, json_t *instruction, struct br_error *err)
{
    CLEANUP_RESPONSE struct br_response *response =
        worker_run(app->worker, session, instruction, err);
    return response && response->success;
}

bool app_restore(struct app *app, struct br_session *session, struct br_error *err)
{
    return app_run(app, session,
                   json_pack("{s:s, s:i, s:s}", "type", "wait", "ms", 0, "screenshots", "none"),
                   err);
}

bool app_visit(struct app *app, struct br_session *session, int64_t timeout_ms, bool is_once,
               bool (*look)(void *data, const struct session_visit *visit, struct br_error *err),
               void *data, struct br_error *err)
{
    struct br_error lost;
    bool is_there = session_visit(session, timeout_ms, NULL, NULL, &lost);
    if (!is_there && (lost.code == BR_TIMEOUT || !app_restore(app, session, err))) {
        *err = lost.code == BR_TIMEOUT ? lost : *err;
        return false;
    }
    bool is_done = session_visit(session, timeout_ms, look, data, err);
    for (int i = 1; i < VISIT_TRIES && !is_done && !is_once && page_was_left(err); i++) {
        is_done = session_visit(session, timeout_ms, look, data, err);
    }
    return is_done;
}
