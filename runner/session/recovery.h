/* The page of a session: opened, lost, and brought back where it was. */
#ifndef RUNNER_SESSION_RECOVERY_H
#define RUNNER_SESSION_RECOVERY_H

#include "runner/base/log.h"
#include "runner/session/state.h"

/*
 * A new page in a browser that lives, started if need be: this tab of it (NULL: a blank one of its
 * own). Closes the one before.
 */
bool session_open_page(struct br_session *session, const char *tab, struct log_list *logs,
                       struct deadline deadline, struct br_error *err);

/* The same in the place of a page that is lost: a new one that goes on from there. */
bool session_replace_page(struct br_session *session, const struct br_error *why,
                          struct log_list *logs, struct deadline deadline, struct br_error *err);

/*
 * The same, and back to where the session was, with what can be put back; `why` is what happened to
 * the page, for the logs. When it fails there is no page, and the next action tries again.
 */
bool session_recover(struct br_session *session, const struct br_error *why, struct log_list *logs,
                     struct deadline deadline, struct br_error *err);

/*
 * Looks at what a failure means for the page: *err becomes the browser's end where it is that, and
 * a page that is dead, or has not answered for long, is given up. Whether the page is lost.
 */
bool session_judge_failure(struct br_session *session, int64_t action_began_ms,
                           struct br_error *err);

/*
 * Whether the page can be worked with: its browser lives, and it answers if it was silent before.
 * Otherwise it is lost, or TIMEOUT.
 */
bool session_check_page(struct br_session *session, struct deadline deadline, struct br_error *err);

/*
 * The tabs that may be adopted, while there is no page: as page_list_tabs() has them. The caller's
 * to decref; NULL with the error.
 */
json_t *session_list_tabs(struct br_session *session, struct log_list *logs,
                          struct deadline deadline, struct br_error *err);

/*
 * Leaves the adopted tab, and the browser, alone; and is back in both: TARGET_NOT_FOUND when the
 * tab was closed meanwhile.
 */
void session_detach(struct br_session *session);
bool session_attach(struct br_session *session, struct log_list *logs, struct deadline deadline,
                    struct br_error *err);

/* Ends the process of a page that is stuck: it is lost. */
void session_give_up_page(struct br_session *session);

/* Closes the page; and the session is none of the browser's any more, see browser_leave(). */
void session_close_page(struct br_session *session);
void session_leave_browser(struct br_session *session, struct deadline deadline);

#endif
