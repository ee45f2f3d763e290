/* One action from its beginning to its response: tries, pictures, limits, the audit line. */
#ifndef RUNNER_SESSION_RUN_H
#define RUNNER_SESSION_RUN_H

#include "runner/session/state.h"
#include "runner/session/step.h"

/* As br_session_run(). */
struct br_response *session_run(struct br_session *session, const struct br_action *action);

/* The same within the action that runs, which its number is of; it has no pictures of its own. */
struct br_response *session_run_step(struct br_session *session, const struct br_action *action,
                                     struct step *step);

/* As br_session_refuse(), of an action that was read. */
struct br_response *session_refuse(struct br_session *session, const struct br_action *action,
                                   const struct br_error *why);

#endif
