/* The page of a session: opening it, detecting that it is lost, and restoring it. */
#ifndef RUNNER_SESSION_RECOVERY_H
#define RUNNER_SESSION_RECOVERY_H

#include "runner/base/log.h"
#include "runner/session/state.h"

/*
 * Opens a page in a live browser, which is started if needed. `tab` is the tab to adopt; NULL: a
 * new blank tab. Closes the previous page.
 */
bool session_open_page(struct br_session *session, const char *tab, struct log_list *logs,
                       struct deadline deadline, struct br_error *err);

/* Opens a new page in place of a lost one, with the lost page's state. */
bool session_replace_page(struct br_session *session, const struct br_error *why,
                          struct log_list *logs, struct deadline deadline, struct br_error *err);

/*
 * As session_replace_page(), and navigates back to where the session was. `why` is what happened to
 * the page, for the logs. On failure there is no page, and the next action tries again.
 */
bool session_recover(struct br_session *session, const struct br_error *why, struct log_list *logs,
                     struct deadline deadline, struct br_error *err);

/*
 * Decides what a failure means for the page. Replaces *err by the browser's end if that caused it.
 * Gives up a page that is dead or has not responded for long. Returns whether the page is lost.
 */
bool session_judge_failure(struct br_session *session, int64_t action_began_ms,
                           struct br_error *err);

/*
 * Checks whether the page is usable: its browser is alive, and it responds if it was silent before.
 * On failure the page is lost, or *err is TIMEOUT.
 */
bool session_check_page(struct br_session *session, struct deadline deadline, struct br_error *err);

/*
 * Lists the tabs that may be adopted, while there is no page, in the format of page_list_tabs().
 * The caller decrefs; NULL with an error.
 */
json_t *session_list_tabs(struct br_session *session, struct log_list *logs,
                          struct deadline deadline, struct br_error *err);

/*
 * Detach from the adopted tab and the browser, and attach to both again. Attaching fails with
 * TARGET_NOT_FOUND when the tab was closed meanwhile.
 */
void session_detach(struct br_session *session);
bool session_attach(struct br_session *session, struct log_list *logs, struct deadline deadline,
                    struct br_error *err);

/* Kills the process of a stuck page; the page is lost. */
void session_give_up_page(struct br_session *session);

/* Close the page; and end the session's membership in the browser, see browser_leave(). */
void session_close_page(struct br_session *session);
void session_leave_browser(struct br_session *session, struct deadline deadline);

#endif
