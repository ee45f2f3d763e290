/* The server's own log, which /logs?limit=N shows: connections and commands. Any thread. */
#ifndef RUNNER_SERVERS_BROP_JOURNAL_H
#define RUNNER_SERVERS_BROP_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { BROP_JOURNAL_MAX = 200, BROP_ERRORS_MAX = 100 };

struct brop_journal;

struct brop_journal *brop_journal_create(void);
void brop_journal_destroy(struct brop_journal *journal);

/* Adds a line; `who` and `details` may be NULL. Texts are copied. */
void brop_journal_add(struct brop_journal *journal, bool is_error, const char *what,
                      const char *who, const char *details);

/* { total, returned, logs }: the newest `limit` lines, the oldest first. Caller decrefs. */
json_t *brop_journal_json(struct brop_journal *journal, size_t limit);

/* Returns the newest failed commands, newest first, in the form of get_extension_errors. */
json_t *brop_journal_errors(struct brop_journal *journal, size_t limit);

/* Removes the failures, and the lines too if `with_lines`. Returns how many failures there were. */
size_t brop_journal_clear(struct brop_journal *journal, bool with_lines);

#endif
