/* What a session has said so far, told on another thread than its own. */
#ifndef RUNNER_SESSION_PEEK_H
#define RUNNER_SESSION_PEEK_H

#include <browser_runner/session.h>

/*
 * The response to a valid action that reads the journal alone, `logs` or `network`; INVALID_ACTION
 * for any other. It is none of the session's: without a number, and of what has been told by now.
 * On any thread, while the session is not closed. Caller destroys.
 */
struct br_response *session_peek(struct br_session *session, const struct br_action *action);

#endif
