/* Shared by `logs` and `network`: parameters, and responses from the journal. */
#ifndef RUNNER_ACTIONS_JOURNAL_ANSWER_H
#define RUNNER_ACTIONS_JOURNAL_ANSWER_H

#include "runner/actions/action_type.h"

enum { JOURNAL_LIMIT = 100, JOURNAL_LIMIT_MAX = 1000 };

/* Below 2^53: JSON and JavaScript represent it exactly. */
#define JOURNAL_MAX_CURSOR 1e15

#define PARAM_SINCE                                                                                \
    PARAM("since", INTEGER,                                                                        \
          "A cursor: next of an earlier result. Returns the entries after it, the oldest first; "  \
          "without it the newest ones. lost in the result is the number of entries after it that " \
          "the journal no longer has.",                                                            \
          .max = JOURNAL_MAX_CURSOR)
#define PARAM_LIMIT                                                                                \
    PARAM("limit", INTEGER,                                                                        \
          "Maximum number of entries; more in the result says that there are others. A result is " \
          "limited to about 256 KB in any case.",                                                  \
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
