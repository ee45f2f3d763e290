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

struct log_list {
    struct br_log *items;
    size_t count, capacity, dropped;
    size_t bytes; /* of the texts of all entries but the last */
};

/*
 * Whether another entry of the browser's would be dropped: there are LOG_MAX_ENTRIES, or
 * LOG_MAX_BYTES of texts, which do not keep the tool from having its say.
 */
bool log_list_is_full(const struct log_list *list);

/* Adds an entry with the present time and returns it for more fields; NULL when the list is full
 * or NULL itself.
 * The message is copied, at most LOG_MAX_TEXT of it; a cut one says so at its end. */
struct br_log *log_add(struct log_list *list, enum br_log_type type, enum br_log_source source,
                       const char *category, const char *message);

/* Another message for the entry, cut as log_add() cuts it. */
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

/* The same for the last entry and the one before it alone. */
void log_list_fold_last(struct log_list *list);

void log_finish(struct br_log *log);
void log_list_finish(struct log_list *list);

/* The name as in a response ("warning"), and back; false for an unknown one. */
const char *log_type_name(enum br_log_type type);
bool log_type_from_name(const char *name, enum br_log_type *ret_type);

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
