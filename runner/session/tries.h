/* The tries of one action, and the repairs between them. */
#ifndef RUNNER_SESSION_TRIES_H
#define RUNNER_SESSION_TRIES_H

#include "runner/session/state.h"
#include "runner/session/step.h"

/* State of one action's run, beside the session. */
struct run {
    struct br_session *session;
    const struct action_type *type;
    struct action_run action;
    struct step *step; /* NULL: not a step of a `diagnose` */
    enum br_screenshots screenshots;
    struct deadline end, grace_end; /* of the action; of the work after it */
    int64_t began_ms;
    bool was_lost;    /* the page was lost during the action */
    bool is_blank;    /* the page is new and has not navigated yet */
    char *unleft_url; /* owned; see struct action_run */
};

/* Tries the action until it succeeds or no further try is allowed, and fills in the response. */
void run_tries(struct run *run);

/* Takes a picture before or after an action. A failure is only logged. */
bool run_capture_along(struct run *run, bool is_post, struct deadline deadline,
                       struct br_capture *ret_capture);

#endif
