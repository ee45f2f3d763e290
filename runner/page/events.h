/* What Chrome tells, and who of the page's parts hears of it. */
#ifndef RUNNER_PAGE_EVENTS_H
#define RUNNER_PAGE_EVENTS_H

#include "runner/page/core/frames.h"

#include <jansson.h>
#include <stdbool.h>

struct page;

/* To be given to the page's client: each event of the browser and of the page's sessions. */
void events_take(void *data, const char *session_id, const char *method, json_t *params);

/* What the page's frames call, see frames.h. */
void events_on_process(struct page *page, const char *session_id, enum frames_process process,
                       bool is_kept);

/* Whether an event need not even be parsed. */
bool events_skip(void *data, const char *session_id, const char *method);

#endif
