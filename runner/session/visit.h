/* Access to a session's page between two actions, for servers that report its state. */
#ifndef RUNNER_SESSION_VISIT_H
#define RUNNER_SESSION_VISIT_H

#include "runner/privacy/secrets.h"
#include "runner/snapshot/store.h"

#include <browser_runner/session.h>
#include <jansson.h>

struct page;

/* What the callback may look at; all pointers are borrowed. */
struct session_visit {
    struct page *page;
    struct snapshot_store *snapshots;
    const struct secrets *secrets; /* to be masked in all output */
};

/*
 * Calls `look` (NULL: only checks the page) with the page, whose waits end after `timeout_ms`, and
 * returns its result. This is not an action: it has no number, no retries and no recovery. Fails
 * with PAGE_CRASHED, BROWSER_CRASHED or DISCONNECTED when the page is lost, which the next action
 * repairs, and with TIMEOUT when the page does not respond. Call on the session's thread.
 */
bool session_visit(struct br_session *session, int64_t timeout_ms,
                   bool (*look)(void *data, const struct session_visit *visit,
                                struct br_error *err),
                   void *data, struct br_error *err);

/*
 * Returns the session's tabs as the browser reports them, without asking a page: an array of { id,
 * url, title, active }. NULL with the error. Caller decrefs. On the session's thread.
 */
json_t *session_visit_tabs(struct br_session *session, int64_t timeout_ms, struct br_error *err);

/*
 * Returns the browser's product, "Chrome/156.0", if the session already knows it, else NULL. A
 * session that reports console arguments as values always asks for it. May also be called from a
 * sink. Borrowed.
 */
const char *session_known_browser(const struct br_session *session);

#endif
