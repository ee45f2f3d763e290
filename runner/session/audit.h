/*
 * The audit trail of --audit: a file to which each action and each recovery step is appended as one
 * line of JSON. Each line is one write, so that several sessions may share the file and it stays
 * readable when the process is killed: at most the line of that very moment is cut off, and the
 * next audit_open() ends it. An audit belongs to one thread.
 *
 * What is secret is masked: the text of `type`, what dialogs, cookies and storage are given,
 * passwords in URLs, and parameters and members with names such as "token" or "X-Api-Key"; and
 * wherever they stand the session's secrets, which may be NULL.
 */
#ifndef RUNNER_SESSION_AUDIT_H
#define RUNNER_SESSION_AUDIT_H

#include "runner/base/action.h"
#include "runner/base/log.h"
#include "runner/privacy/secrets.h"

#include <browser_runner/response.h>

struct audit;

/*
 * Opens the file, creates it (0600) if need be. The id is in each line. A last line that an earlier
 * process left without its newline gets one. NULL with INVALID_ACTION, which names the path. Caller
 * closes.
 */
struct audit *audit_open(const char *path, const char *session_id, struct br_error *err);

/*
 * Appends {"time","session","kind":"action","id","type","action","success","errorCode","error",
 * "attempts","recovered","durationMs","url","generation"}: `time` is that of the end in UTC,
 * `session` is the session's id, `generation` counts the browser's starts. What
 * the response does not have is absent. Long strings are cut at 2 KiB, a line stays under 16 KiB.
 */
void audit_action(struct audit *audit, const struct br_action *action,
                  const struct br_response *response, const struct secrets *secrets,
                  uint64_t generation);

/*
 * The members of such a line from "id" to "url", and entries of a log, as objects of a response:
 * all with the action's secrets masked, long strings cut. The caller decrefs.
 */
json_t *audit_describe(const struct br_action *action, const struct br_response *response,
                       const struct secrets *secrets);
json_t *audit_mask_logs(const struct br_action *action, const struct log_list *logs,
                        const struct secrets *secrets);

/*
 * Appends {"time","session","kind":"step","step","detail","generation"}: a step of the session's
 * own, such as "browser started" with the detail "after: Chrome ended by signal 9", or NULL. The
 * caller has masked it, but for URLs.
 */
void audit_step(struct audit *audit, const char *step, const char *detail, uint64_t generation);

/*
 * Whether a line could not be written since audit_open(). True once only: later lines are still
 * tried, and what is missing is known by then.
 */
bool audit_take_error(struct audit *audit, struct br_error *ret_err);

/* NULL is fine, here and above: then nothing is written. */
void audit_close(struct audit *audit);

#endif
