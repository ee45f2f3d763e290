/*
 * What a session tells the sinks of its stream, and the first of these sinks: the collector, which
 * gathers the log entries of responses.
 */
#ifndef RUNNER_SESSION_EVENTS_H
#define RUNNER_SESSION_EVENTS_H

#include "runner/base/log.h"
#include "runner/session/state.h"

/* Makes the stream and the journal; and ends them. */
void events_begin(struct br_session *session);
void events_finish(struct br_session *session);

/*
 * The list that entries are gathered in from now on, and that says through the stream what is said
 * to it; NULL: those between actions, for the next response. Returns the list before.
 */
struct log_list *events_collect(struct br_session *session, struct log_list *logs);

/* An action begins, or is over: events belong to it in between. */
void events_begin_action(struct br_session *session, uint64_t id, const struct br_action *action);
void events_end_action(struct br_session *session, const struct br_response *response);

/* The page was lost, for this reason, which is told once; or is back (NULL). */
void events_tell_page(struct br_session *session, const char *loss);

/* `what` is one of br_progress. */
void events_tell_progress(struct br_session *session, int what, const char *text);

#endif
