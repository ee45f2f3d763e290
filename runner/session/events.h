/*
 * The events that a session puts into its stream, and the stream's first sink: the collector, which
 * gathers the log entries of responses.
 */
#ifndef RUNNER_SESSION_EVENTS_H
#define RUNNER_SESSION_EVENTS_H

#include "runner/base/log.h"
#include "runner/session/state.h"

/* Create and free the stream and the journal. */
void events_begin(struct br_session *session);
void events_finish(struct br_session *session);

/*
 * Gathers log entries in this list from now on, and reports entries added to it through the stream.
 * NULL: gathers in the list for entries between actions, which go to the next response. Returns the
 * previous list.
 */
struct log_list *events_collect(struct br_session *session, struct log_list *logs);

/* Mark the begin and the end of an action; events in between belong to it. */
void events_begin_action(struct br_session *session, uint64_t id, const struct br_action *action);
void events_end_action(struct br_session *session, const struct br_response *response);

/* Reports that the page was lost, with the reason, once per loss; or that it is back (NULL). */
void events_tell_page(struct br_session *session, const char *loss);

/* Reports progress; `what` is an enum br_progress_kind. */
void events_tell_progress(struct br_session *session, int what, const char *text);

#endif
