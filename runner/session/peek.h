/* Reads a session's journal from another thread than the session's. */
#ifndef RUNNER_SESSION_PEEK_H
#define RUNNER_SESSION_PEEK_H

#include <browser_runner/session.h>

/*
 * Runs a valid action that only reads the journal, `logs` or `network`; any other fails with
 * INVALID_ACTION. The response has no number and contains only events reported so far. May be
 * called from any thread until the session is closed. Caller destroys.
 */
struct br_response *session_peek(struct br_session *session, const struct br_action *action);

#endif
