/* Shared by `logs` and `network`: parameters, and responses from the journal. */
#ifndef RUNNER_ACTIONS_JOURNAL_ANSWER_H
#define RUNNER_ACTIONS_JOURNAL_ANSWER_H

#include "runner/actions/action_type.h"

enum { JOURNAL_LIMIT = 100, JOURNAL_LIMIT_MAX = 1000 };

/* Below 2^53: JSON and JavaScript represent it exactly. */
#define JOURNAL_MAX_CURSOR 1e15

#define PARAM_SINCE                                                                                \
    PARAM(                                                                                         \
        "since", INTEGER,                                                                          \
        "A cursor: next of an earlier answer. What came behind it is told, the oldest first; "     \
        "without it the newest there is. lost of the answer says how many entries behind it the "  \
        "journal does not have any more.",                                                         \
        .max = JOURNAL_MAX_CURSOR)
#define PARAM_LIMIT                                                                                \
    PARAM("limit", INTEGER,                                                                        \
          "So many at most; more of the answer says that there are others. An answer holds about " \
          "256 KB in any case.",                                                                   \
          .min = 1, .max = JOURNAL_LIMIT_MAX, .default_value = "100")

/*
 * Fills the result with the events for which `is_wanted` is true, each written by `write` (an
 * object, or NULL to omit it): { NAME: […], next, lost, more }. With `since` the oldest after it,
 * otherwise the newest.
 */
bool journal_answer(struct action_run *run, const char *name,
                    bool (*is_wanted)(const void *action, const struct br_event *event),
                    json_t *(*write)(const struct br_event *event), struct br_error *err);

/* Returns whether an array parameter is absent, or contains this text. */
bool journal_takes(const struct br_action *action, const char *name, const char *text);

/*
 * Returns whether `contains` is absent, or occurs in one of these texts, ignoring case; NULLs are
 * skipped.
 */
bool journal_contains(const struct br_action *action, const char *const *texts, size_t count);

#endif
