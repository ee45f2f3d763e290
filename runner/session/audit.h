/*
 * The audit trail of --audit: a file to which each action and each recovery step is appended as one
 * line of JSON. Each line is a single write, so several sessions may share the file and it stays
 * readable after the process is killed: only the line being written can be cut off, and the next
 * audit_open() completes it. An audit belongs to one thread.
 *
 * Secrets are masked: the text of `type`; the values given to dialogs, cookies and storage;
 * passwords in URLs; parameters and members with names such as "token" or "X-Api-Key"; and the
 * session's secrets (which may be NULL) wherever they occur.
 */
#ifndef RUNNER_SESSION_AUDIT_H
#define RUNNER_SESSION_AUDIT_H

#include "runner/base/action.h"
#include "runner/base/log.h"
#include "runner/privacy/secrets.h"

#include <browser_runner/response.h>

struct audit;

/*
 * Opens the file; creates it (0600) if missing. Each line contains the id. Appends a newline if an
 * earlier process left the last line without one. Returns NULL with INVALID_ACTION, which names the
 * path. Caller closes.
 */
struct audit *audit_open(const char *path, const char *session_id, struct br_error *err);

/*
 * Appends {"time","session","kind":"action","id","type","action","success","errorCode","error",
 * "attempts","recovered","durationMs","url","generation"}. `time` is when the action ended, in UTC;
 * `session` is the session's id; `generation` counts the browser's starts. Fields that the response
 * does not have are omitted. Long strings are cut at 2 KiB; a line stays under 16 KiB.
 */
void audit_action(struct audit *audit, const struct br_action *action,
                  const struct br_response *response, const struct secrets *secrets,
                  uint64_t generation);

/*
 * Return the members "id" to "url" of such a line, and log entries as in a response. The action's
 * secrets are masked, long strings cut. The caller decrefs.
 */
json_t *audit_describe(const struct br_action *action, const struct br_response *response,
                       const struct secrets *secrets);
json_t *audit_mask_logs(const struct br_action *action, const struct log_list *logs,
                        const struct secrets *secrets);

/*
 * Appends {"time","session","kind":"step","step","detail","generation"}: a step of the session
 * itself, such as "browser started" with the detail "after: Chrome ended by signal 9", or NULL.
 * Masks URLs; the caller has masked everything else.
 */
void audit_step(struct audit *audit, const char *step, const char *detail, uint64_t generation);

/*
 * Appends {"time","session","kind"} with the members of an object, and takes ownership of it: lines
 * of a server, in which nothing has to be masked.
 */
void audit_line(struct audit *audit, const char *kind, json_t *members);

/*
 * Returns true once if a line could not be written since audit_open(). Later lines are still tried.
 */
bool audit_take_error(struct audit *audit, struct br_error *ret_err);

/* NULL is a no-op, for the functions above as well. */
void audit_close(struct audit *audit);

#endif
