/* Issues that Chrome found in a page: what is blocked, ignored or going away, and why. */
#ifndef RUNNER_OBSERVE_ISSUES_H
#define RUNNER_OBSERVE_ISSUES_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Logs an Audits.InspectorIssue of content security, mixed content, CORS, cookies or deprecation;
 * others are left out.
 */
void issue_log(struct log_list *logs, const json_t *issue);

/* Whether a message of Chrome's log says what the entry of an issue does. */
bool issue_is_told_by(const struct br_log *issue, const char *message);

#endif
