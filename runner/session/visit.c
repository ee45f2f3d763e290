#include "runner/session/visit.h"

#include "runner/base/error.h"
#include "runner/page/core/tabs.h"
#include "runner/page/core/tell.h"
#include "runner/page/core/wire.h"
#include "runner/page/page.h"
#include "runner/page/world/agent.h"
#include "runner/session/recovery.h"

static bool visit_page(struct br_session *session, int64_t timeout_ms,
                       bool (*look)(void *data, const struct session_visit *visit,
                                    struct br_error *err),
                       void *data, struct br_error *err)
{
    struct deadline end = session_deadline(session, timeout_ms);
    const struct session_visit visit = {
        .page = session->page,
        .snapshots = session->snapshots,
        .secrets = session->secrets,
    };
    page_set_logs(session->page, &session->idle_logs);
    page_set_deadline(session->page, end);
    page_catch_up(session->page);
    bool is_done = session_check_page(session, end, err) && (!look || look(data, &visit, err));
    page_set_logs(session->page, NULL);
    return is_done;
}

bool session_visit(struct br_session *session, int64_t timeout_ms,
                   bool (*look)(void *data, const struct session_visit *visit,
                                struct br_error *err),
                   void *data, struct br_error *err)
{
    if (!session->page) {
        return error_set(err, BR_PAGE_CRASHED, "there is no page");
    }
    session_begin_run(session, 0);
    bool is_done = visit_page(session, timeout_ms, look, data, err);
    session_end_run(session);
    return is_done;
}

static bool list_tabs(void *data, const struct session_visit *visit, struct br_error *err)
{
    json_t **tabs = data;
    *tabs = page_list_tabs(visit->page, false, err);
    return *tabs;
}

json_t *session_visit_tabs(struct br_session *session, int64_t timeout_ms, struct br_error *err)
{
    json_t *tabs = NULL;
    return session_visit(session, timeout_ms, list_tabs, &tabs, err) ? tabs : NULL;
}

const char *session_known_browser(const struct br_session *session)
{
    return session->page ? page_known_browser(session->page) : NULL;
}
