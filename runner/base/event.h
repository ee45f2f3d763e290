/* Events, see <browser_runner/event.h>: their making and their end. */
#ifndef RUNNER_BASE_EVENT_H
#define RUNNER_BASE_EVENT_H

#include "runner/base/memory.h"

#include <browser_runner/event.h>

/* An event of this kind with the present time, and all else empty; held once. */
struct br_event *event_create(enum br_event_kind kind);

/* Whether it is of the moment: without a number, and in no journal. */
bool event_is_momentary(enum br_event_kind kind);

/* Whether as.log is what it tells. */
bool event_is_log(enum br_event_kind kind);

/* What it takes in memory, about. */
size_t event_size(const struct br_event *event);

#endif
