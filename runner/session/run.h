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

#endif
