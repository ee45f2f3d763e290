/*
 * The rules of the session (runner/base/policy.h) about what the browser asks for: every request
 * stops until it was judged, and so does its answer where addresses matter.
 */
#ifndef RUNNER_PAGE_WORLD_JUDGE_H
#define RUNNER_PAGE_WORLD_JUDGE_H

#include <browser_runner/error.h>
#include <jansson.h>
#include <stdbool.h>

struct page;

void judge_init(struct page *page);
void judge_finish(struct page *page);

/* Whether there are rules about URLs. */
bool judge_is_on(const struct page *page);

/* Whether a page may be at the URL; where Chrome shows an error, that is no page. */
bool judge_check_document(const struct page *page, const char *url, struct br_error *err);

/* Looks at an event of any session that tells where an answer comes from, or a tab has got to. */
void judge_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params);

/* Adds what has to stop to the patterns of Fetch.enable. */
void judge_add_patterns(const struct page *page, json_t *patterns);

/* Whether a request that has stopped was dealt with: refused, or an answer that was looked at. */
bool judge_on_paused(struct page *page, const char *session_id, const json_t *params);

#endif
