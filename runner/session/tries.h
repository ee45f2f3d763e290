/* The tries of one action, and what is mended between them. */
#ifndef RUNNER_SESSION_TRIES_H
#define RUNNER_SESSION_TRIES_H

#include "runner/session/state.h"
#include "runner/session/step.h"

/* What one action's run needs beside the session. */
struct run {
    struct br_session *session;
    const struct action_type *type;
    struct action_run action;
    struct step *step; /* NULL: the action is by itself */
    enum br_screenshots screenshots;
    struct deadline end, grace_end; /* of the action; of what comes behind it */
    int64_t began_ms;
    bool was_lost;    /* the page, during the action */
    bool is_blank;    /* the page is a new one that has not been anywhere */
    char *unleft_url; /* owned; see struct action_run */
};

/* Tries it until it succeeds or no other try is due; the response says how that went. */
void run_tries(struct run *run);

/* A picture that goes along: when it fails that is logged, and the run goes on. */
bool run_capture_along(struct run *run, bool is_post, struct deadline deadline,
                       struct br_capture *ret_capture);

#endif
