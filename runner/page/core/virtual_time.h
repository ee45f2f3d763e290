/*
 * A page's time, if only this program moves it: Chrome's virtual time, and frames on request. Time
 * stands while commands run, and goes on in steps while a wait needs the page's timers or frames.
 * Needs a tab with begin-frame control.
 */
#ifndef RUNNER_PAGE_CORE_VIRTUAL_TIME_H
#define RUNNER_PAGE_CORE_VIRTUAL_TIME_H

#include "runner/base/clock.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct page;

void virtual_time_init(struct page *page);
void virtual_time_finish(struct page *page);

/*
 * Takes over the time of the page's tab, which must be new: opened by this program, or by a page
 * and prepared by virtual_time_meet(). Dates begin at 2026-01-01.
 */
bool virtual_time_begin(struct page *page, struct br_error *err);

/*
 * Completes a step that was ended early. Call before another tab becomes the page: tabs in one
 * process share their time, and how much of the step has passed is unknown until its end.
 */
void virtual_time_leave_tab(struct page *page);

/*
 * Call after the page has switched to another tab. The time of the previous tab is stopped until
 * the page returns to it. Tabs in one process share their time.
 */
void virtual_time_enter_tab(struct page *page);

/* Stops the time of a tab that the page has opened; call before its first document. */
void virtual_time_meet(struct page *page, const char *session_id);

bool virtual_time_is_on(const struct page *page);

/* Time stands until the next document has come, which begins at the date reached. */
void virtual_time_stand(struct page *page);

/*
 * Lets time pass until the page has drawn nothing new for a second: at least until the document is
 * 3 s old, and not for longer than `max_ms` beyond that.
 */
bool virtual_time_settle(struct page *page, int64_t max_ms, struct br_error *err);

/* Lets time pass until the document is `age_ms` old. INVALID_ACTION if it is older. */
bool virtual_time_reach(struct page *page, int64_t age_ms, struct br_error *err);

/*
 * Stops time, and holds back the page's requestAnimationFrame() callbacks until it is called with
 * false: frames that only a capture needs do not change the page.
 */
void virtual_time_hold(struct page *page, bool is_held);

/* Handles an event of one of the tabs' own sessions; false for other events. */
bool virtual_time_on_event(struct page *page, const char *session_id, const char *method);

#endif
