/* Creating and releasing the events of <browser_runner/event.h>. */
#ifndef RUNNER_BASE_EVENT_H
#define RUNNER_BASE_EVENT_H

#include "runner/base/memory.h"

#include <browser_runner/event.h>

/*
 * Creates an event with the present time and all other fields empty. The caller holds one
 * reference.
 */
struct br_event *event_create(enum br_event_kind kind);

/* Whether events of this kind are transient: they have no number and are not in the journal. */
bool event_is_momentary(enum br_event_kind kind);

/* Whether as.log is the member that is used. */
bool event_is_log(enum br_event_kind kind);

/* Returns about how much memory the event uses, in bytes. */
size_t event_size(const struct br_event *event);

#endif
