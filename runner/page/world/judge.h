/*
 * Applies the session's rules (runner/base/policy.h) to the browser's requests: every request is
 * paused until it was checked, and so is its response if addresses matter.
 */
#ifndef RUNNER_PAGE_WORLD_JUDGE_H
#define RUNNER_PAGE_WORLD_JUDGE_H

#include <browser_runner/error.h>
#include <jansson.h>
#include <stdbool.h>

struct page;

void judge_init(struct page *page);
void judge_finish(struct page *page);

/* Returns whether there are rules about URLs. */
bool judge_is_on(const struct page *page);

/* Returns whether a page may be at the URL; Chrome's error pages are always allowed. */
bool judge_check_document(const struct page *page, const char *url, struct br_error *err);

/* Examines an event of any session that tells a response's address, or the URL of a tab. */
void judge_on_event(struct page *page, const char *session_id, const char *method,
                    const json_t *params);

/* Adds what has to be paused to the patterns of Fetch.enable. */
void judge_add_patterns(const struct page *page, json_t *patterns);

/* Returns whether a paused request was handled: refused, or a response that was checked. */
bool judge_on_paused(struct page *page, const char *session_id, const json_t *params);

#endif
