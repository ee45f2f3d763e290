/* Entries of logs and lists of them. Their shape is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_LOG_H
#define RUNNER_BASE_LOG_H

#include <browser_runner/response.h>

/*
 * The logs and network events that gather while an action runs. At most LOG_MAX_ENTRIES of each
 * are kept; how many more came is counted in `dropped`.
 */
enum { LOG_MAX_ENTRIES = 1000, LOG_MAX_TEXT = 16 * 1024, LOG_MAX_BYTES = 1024 * 1024 };

struct stream;

struct log_list {
    struct br_log *items;
    size_t count, capacity, dropped;
    size_t bytes;          /* of the texts of all entries but the last */
    struct stream *stream; /* where entries go first, see log_put(); NULL: none */
    uint64_t last_id;      /* that was given without one */
};

/*
 * Whether another entry of the browser's would be dropped: there are LOG_MAX_ENTRIES, or
 * LOG_MAX_BYTES of texts, which do not keep the tool from having its say.
 */
bool log_list_is_full(const struct log_list *list);

/* An entry with the present time. Its texts are copied, at most LOG_MAX_TEXT of the message, which
 * says so at its end when it is cut. */
struct br_log log_entry(enum br_log_type type, enum br_log_source source, const char *category,
                        const char *message);

/* Whether they say the same, at the same place. */
bool log_is_same(const struct br_log *a, const struct br_log *b);

/* Whether Chrome says in it that a request failed, which the list of requests says as well. */
bool log_is_of_request(const struct br_log *log);

struct br_log log_copy(const struct br_log *log);
void log_set_message(struct br_log *log, const char *message); /* cut as log_entry() cuts it */
size_t log_size(const struct br_log *log);                     /* bytes of its texts */

/* Puts it into the list itself, and takes what it holds; NULL when the list is full, or NULL. */
struct br_log *log_list_take(struct log_list *list, struct br_log *log);

/* log_entry() and log_list_take(). */
struct br_log *log_add(struct log_list *list, enum br_log_type type, enum br_log_source source,
                       const char *category, const char *message);

/* The entry with this id; NULL when it is not there. */
struct br_log *log_list_find(struct log_list *list, uint64_t id);

/* To be called when texts of its entries have changed. */
void log_list_count(struct log_list *list);

/* Another message for the entry. */
void log_list_set_message(struct log_list *list, size_t index, const char *message);

/* Entries were finished, and those behind them moved up: so many are left. */
void log_list_shrink(struct log_list *list, size_t count);

/*
 * Folds what the browser said more than once, at any distance, into the first entry, with a count:
 * the same type, message and location. What the tool says stays a story.
 */
void log_list_fold(struct log_list *list);

/* Puts the entries into the order of their times; those of the same time stay as they are. */
void log_list_sort(struct log_list *list);

/* As log_list_fold() for the last entry and the one before it alone. */
void log_list_fold_last(struct log_list *list);

void log_finish(struct br_log *log);
void log_list_finish(struct log_list *list);

/* The name as in a response ("warning"), and back; false for an unknown one. */
const char *log_type_name(enum br_log_type type);
bool log_type_from_name(const char *name, enum br_log_type *ret_type);

#endif
