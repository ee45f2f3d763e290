/* Issues that Chrome has found in a page: what is blocked, ignored or deprecated, and why. */
#ifndef RUNNER_OBSERVE_ISSUES_H
#define RUNNER_OBSERVE_ISSUES_H

#include "runner/base/log.h"

#include <browser_runner/response.h>

#include <jansson.h>

/*
 * Logs an Audits.InspectorIssue of content security, mixed content, CORS, cookies or deprecation;
 * ignores others.
 */
void issue_log(struct log_list *logs, const json_t *issue);

/* Whether a message of Chrome's log reports the same as the entry of an issue. */
bool issue_is_told_by(const struct br_log *issue, const char *message);

#endif
