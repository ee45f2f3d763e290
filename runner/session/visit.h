/* A look at a session's page between two actions, for servers that tell of it while it lives. */
#ifndef RUNNER_SESSION_VISIT_H
#define RUNNER_SESSION_VISIT_H

#include "runner/privacy/secrets.h"
#include "runner/snapshot/store.h"

#include <browser_runner/session.h>

struct page;

/* What there is to be looked at; all borrowed. */
struct session_visit {
    struct page *page;
    struct snapshot_store *snapshots;
    const struct secrets *secrets; /* in nothing that is told */
};

/*
 * Calls `look` (NULL: nobody) with the page, whose waits end after `timeout_ms`, and returns what
 * it returns. It is no action: it has no number, is not tried again and brings no page back.
 * PAGE_CRASHED, BROWSER_CRASHED or DISCONNECTED where the page is lost, which the next action
 * mends; TIMEOUT where it is silent. On the session's thread.
 */
bool session_visit(struct br_session *session, int64_t timeout_ms,
                   bool (*look)(void *data, const struct session_visit *visit,
                                struct br_error *err),
                   void *data, struct br_error *err);

/*
 * The browser's product, "Chrome/156.0", if the session has asked for it by now, as each session
 * does whose console calls are wanted as values; else NULL. Also in a sink. Borrowed.
 */
const char *session_known_browser(const struct br_session *session);

#endif
