/* How a response is filled. Its shape is public: <browser_runner/response.h>. */
#ifndef RUNNER_BASE_RESPONSE_H
#define RUNNER_BASE_RESPONSE_H

#include "runner/base/memory.h"

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

struct br_log log_copy(const struct br_log *log);
void log_set_message(struct br_log *log, const char *message); /* cut as log_entry() cuts it */
size_t log_size(const struct br_log *log);                     /* bytes of its texts */

/*
 * Says it: to the list's stream, whose collector brings it to the list again, in order; without a
 * stream to the list itself. Nowhere when the list is NULL. Takes what the entry holds. With
 * details_ms it may wait so long for details, see stream.h. Returns the entry's id.
 */
uint64_t log_put(struct log_list *list, struct br_log *log, int64_t details_ms);

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

/* An entry of the tool's own. */
void log_tool(struct log_list *list, enum br_log_type type, const char *category,
              const char *format, ...) __attribute__((format(printf, 4, 5)));

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

void download_finish(struct br_download *download);

/* Adds a download; takes ownership of its texts. */
void response_add_download(struct br_response *response, const struct br_download *download);

/* A response with every field absent and every metric unknown. Never NULL. */
struct br_response *response_create(uint64_t id, const char *type);

void capture_finish(struct br_capture *capture);

/* What a file with the picture ends in: "jpg", "png" or "webp". Static. */
const char *capture_extension(const struct br_capture *capture);

/* A picture of a response, and the name by which chunks and files know it. */
struct response_picture {
    char name[16];                    /* "pre", "post", "tile-01", "tile-02" and so on */
    const struct br_capture *capture; /* without bytes: there is none */
    const struct br_tile *tile;       /* NULL: it is none */
};

/* The pictures in the order of the response, absent ones included. False behind the last one. */
bool response_picture_at(const struct br_response *response, size_t index,
                         struct response_picture *ret_picture);

/* Drops the tiles that there are. */
void response_clear_tiles(struct br_response *response);

/* An event with every field absent and every number unknown. */
void network_event_init(struct br_network_event *event);
void network_event_finish(struct br_network_event *event);
struct br_header *network_headers_copy(const struct br_header *headers, size_t count);
void network_headers_free(struct br_header *headers, size_t count);
struct br_network_event network_event_copy(const struct br_network_event *event);
size_t network_event_size(const struct br_network_event *event); /* bytes of its texts */

/*
 * Whether the request failed, or was answered with a status from 400. The favicon.ico that Chrome
 * asks each server for by itself is missed by nobody.
 */
bool network_event_has_failed(const struct br_network_event *event);
bool network_event_is_icon(const struct br_network_event *event);

/* The names of enum br_network_filter, in its order; ends with NULL. */
extern const char *const network_filter_names[];

DEFINE_CLEANUP(struct br_response *, cleanup_response, br_response_destroy)
#define CLEANUP_RESPONSE CLEANUP(cleanup_response)

#endif
