/* One action from its beginning to its response: tries, pictures, limits, the audit line. */
#ifndef RUNNER_SESSION_RUN_H
#define RUNNER_SESSION_RUN_H

#include "runner/session/state.h"
#include "runner/session/step.h"

/* As br_session_run(). */
struct br_response *session_run(struct br_session *session, const struct br_action *action);

/*
 * Runs an action as a step of the running action: with that action's number and no pictures of its
 * own.
 */
struct br_response *session_run_step(struct br_session *session, const struct br_action *action,
                                     struct step *step);

/* As br_session_refuse(), for an action that was parsed. */
struct br_response *session_refuse(struct br_session *session, const struct br_action *action,
                                   const struct br_error *why);

/*
 * Cancels the action with this id, also if it has not begun: it is then cancelled when it begins,
 * unless session_forget_cancel() comes first. One action at a time can be cancelled like that.
 * Returns false if the action's result is decided. With 0 it cancels the running action; if there
 * is none, it cancels the next one and returns false. Any thread.
 */
bool session_cancel_ahead(struct br_session *session, uint64_t id);
void session_forget_cancel(struct br_session *session);

#endif
