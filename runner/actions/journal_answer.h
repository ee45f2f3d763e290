/* What `logs` and `network` have in common: parameters, and the answer from the journal. */
#ifndef RUNNER_ACTIONS_JOURNAL_ANSWER_H
#define RUNNER_ACTIONS_JOURNAL_ANSWER_H

#include "runner/actions/actions.h"

enum { JOURNAL_LIMIT = 100, JOURNAL_LIMIT_MAX = 1000 };

/* A number that JSON and JavaScript hold. */
#define JOURNAL_MAX_CURSOR 1e15

#define PARAM_SINCE                                                                                \
    {                                                                                              \
        .name = "since", .kind = PARAM_INTEGER, .max = JOURNAL_MAX_CURSOR                          \
    }
#define PARAM_LIMIT                                                                                \
    {                                                                                              \
        .name = "limit", .kind = PARAM_INTEGER, .min = 1, .max = JOURNAL_LIMIT_MAX                 \
    }

/*
 * Answers with the events that `is_wanted` takes of the action, written by `write` (an object, or
 * NULL to leave it out): { NAME: […], next, lost, more }. Behind `since` the first, otherwise the
 * newest.
 */
bool journal_answer(struct action_run *run, const char *name,
                    bool (*is_wanted)(const void *action, const struct br_event *event),
                    json_t *(*write)(const struct br_event *event), struct br_error *err);

/* Whether an array parameter is absent, or has this text. */
bool journal_takes(const struct br_action *action, const char *name, const char *text);

/* Whether `contains` is absent, or in one of these texts, whatever the case; NULLs are skipped. */
bool journal_contains(const struct br_action *action, const char *const *texts, size_t count);

#endif
