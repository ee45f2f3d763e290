/* Log entries and lists of them. Their structs are public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_LOG_H
#define RUNNER_BASE_LOG_H

#include <browser_runner/response.h>

/*
 * The logs that arrive while an action runs. At most LOG_MAX_ENTRIES are kept; `dropped` counts the
 * others.
 */
enum { LOG_MAX_ENTRIES = 1000, LOG_MAX_TEXT = 16 * 1024, LOG_MAX_BYTES = 1024 * 1024 };

struct stream;

struct log_list {
    struct br_log *items;
    size_t count, capacity, dropped;
    size_t bytes;          /* size of the texts of all entries except the last */
    struct stream *stream; /* the stream that receives entries first, see log_put(); NULL: none */
    uint64_t last_id;      /* last id given to an entry that came without one */
};

/*
 * Whether another entry of the browser would be dropped: the list has LOG_MAX_ENTRIES, or
 * LOG_MAX_BYTES of texts. Entries of the tool are limited by the count alone.
 */
bool log_list_is_full(const struct log_list *list);

/*
 * Creates an entry with the present time. Copies its texts; a message over LOG_MAX_TEXT is cut and
 * ends with a mark.
 */
struct br_log log_entry(enum br_log_type type, enum br_log_source source, const char *category,
                        const char *message);

/* Whether both have the same text at the same location. */
bool log_is_same(const struct br_log *a, const struct br_log *b);

/* Whether Chrome reports a failed request in it, which is also in the list of requests. */
bool log_is_of_request(const struct br_log *log);

struct br_log log_copy(const struct br_log *log);
/* Cuts the message as log_entry() does. */
void log_set_message(struct br_log *log, const char *message);
size_t log_size(const struct br_log *log); /* Returns the size of its texts in bytes. */

/*
 * Moves the entry into the list and takes ownership of its contents. Returns NULL if the list is
 * full or NULL.
 */
struct br_log *log_list_take(struct log_list *list, struct br_log *log);

/* log_entry() and log_list_take(). */
struct br_log *log_add(struct log_list *list, enum br_log_type type, enum br_log_source source,
                       const char *category, const char *message);

/* Returns the entry with this id; NULL if there is none. */
struct br_log *log_list_find(struct log_list *list, uint64_t id);

/* Call this after changing texts of entries. */
void log_list_count(struct log_list *list);

/* Replaces the entry's message. */
void log_list_set_message(struct log_list *list, size_t index, const char *message);

/* Call this after entries were finished and the later ones moved up: `count` are left. */
void log_list_shrink(struct log_list *list, size_t count);

/*
 * Merges entries of the browser with the same type, message and location into the first of them,
 * with a count, at any distance. Entries of the tool are not merged.
 */
void log_list_fold(struct log_list *list);

/* Sorts the entries by time; the sort is stable. */
void log_list_sort(struct log_list *list);

/* Like log_list_fold(), but only for the last two entries. */
void log_list_fold_last(struct log_list *list);

void log_finish(struct br_log *log);
void log_list_finish(struct log_list *list);

/*
 * Returns the name used in responses ("warning"); and the reverse, which returns false for an
 * unknown name.
 */
const char *log_type_name(enum br_log_type type);
bool log_type_from_name(const char *name, enum br_log_type *ret_type);

#endif
