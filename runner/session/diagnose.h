/*
 * The steps of a `diagnose`, each an action of the session's like any other: tried again, recovered
 * from, counted and audited as such.
 */
#ifndef RUNNER_SESSION_DIAGNOSE_H
#define RUNNER_SESSION_DIAGNOSE_H

#include "runner/base/log.h"
#include "runner/session/state.h"
#include "runner/session/step.h"

/* What the steps have gathered. */
struct diagnose {
    struct br_session *session;
    const struct br_action *action;
    /* One of them, as an action of the session's; see session_run_step(). */
    struct br_response *(*run_step)(struct br_session *session, const struct br_action *action,
                                    struct step *step);
    struct log_list *logs; /* where those of the steps go; borrowed */
    struct deadline end;
    bool wants_pre; /* the response is to have the picture from before all steps */
    json_t *report; /* array: one object a step */
    size_t passed, failed;
    struct br_error error;  /* of the first step that failed, or of what ended the loop */
    const char *stopped_by; /* NULL: every step was run */
    struct br_network_event *events;
    size_t event_count, event_capacity;
    int js_errors, network_errors;
};

/* How long all steps may take together. */
int64_t diagnose_timeout_ms(const struct br_action *action);

/* Runs the steps: all, or up to the first failure, and fills success, error and result. */
void diagnose_run(struct diagnose *diagnose, struct br_response *response);

/* Adds what the steps requested to what the response has by now; frees what was gathered. */
void diagnose_finish(struct diagnose *diagnose, struct br_response *response);

#endif
