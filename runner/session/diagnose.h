/*
 * The steps of a `diagnose`. Each is an action of the session like any other: with retries,
 * recovery, counting and audit.
 */
#ifndef RUNNER_SESSION_DIAGNOSE_H
#define RUNNER_SESSION_DIAGNOSE_H

#include "runner/base/log.h"
#include "runner/session/state.h"
#include "runner/session/step.h"

/* State and results of the steps. */
struct diagnose {
    struct br_session *session;
    const struct br_action *action;
    /* Runs one step as an action of the session; see session_run_step(). */
    struct br_response *(*run_step)(struct br_session *session, const struct br_action *action,
                                    struct step *step);
    struct log_list *logs; /* receives the log entries of the steps; borrowed */
    struct deadline end;
    bool wants_pre; /* the response needs the picture from before all steps */
    json_t *report; /* array: one object per step */
    size_t passed, failed;
    struct br_error error;  /* of the first step that failed, or the reason why the loop ended */
    const char *stopped_by; /* why later steps were skipped; NULL: all steps were run */
    struct br_network_event *events;
    size_t event_count, event_capacity;
    int js_errors, network_errors;
};

/* Returns how long all steps may take together. */
int64_t diagnose_timeout_ms(const struct br_action *action);

/* Runs all steps, or those up to the first failure, and fills in success, error and result. */
void diagnose_run(struct diagnose *diagnose, struct br_response *response);

/* Adds the network events of the steps to the response; frees what was gathered. */
void diagnose_finish(struct diagnose *diagnose, struct br_response *response);

#endif
