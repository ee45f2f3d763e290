/* Dispatches Chrome's events to the parts of a page. */
#ifndef RUNNER_PAGE_EVENTS_H
#define RUNNER_PAGE_EVENTS_H

#include "runner/page/core/frames.h"

#include <jansson.h>
#include <stdbool.h>

struct page;

/*
 * A callback for the page's client: handles each event of the browser and of the page's sessions.
 */
void events_take(void *data, const char *session_id, const char *method, json_t *params);

/* A callback for the page's frames, see frames.h. */
void events_on_process(struct page *page, const char *session_id, enum frames_process process,
                       bool is_kept);

/* Returns whether an event can be ignored without parsing it. */
bool events_skip(void *data, const char *session_id, const char *method);

#endif
