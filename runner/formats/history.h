/*
 * Reads the output of `run` and messages again, and shortens them so that they can stay in a
 * conversation.
 */
#ifndef RUNNER_FORMATS_HISTORY_H
#define RUNNER_FORMATS_HISTORY_H

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <browser_runner/response.h>
#include <jansson.h>
#include <stddef.h>

enum {
    HISTORY_LINE_MAX = 64 * 1024 * 1024,   /* bytes of a line, of an array, of a joined picture */
    HISTORY_INPUT_MAX = 512 * 1024 * 1024, /* total bytes */
    HISTORY_PENDING_MAX = 64,              /* pictures whose response has not arrived yet */
};

/*
 * Receives a response with complete pictures, or a message (see message.h); borrowed during the
 * call.
 */
typedef bool history_on_entry(void *data, json_t *entry, struct br_error *err);

/*
 * Reads lines of `run` (responses, chunks, summaries) and messages of any provider, mixed, or one
 * JSON array of such objects, and joins the pictures that came in chunks. Blank lines are skipped.
 */
struct history_reader;

struct history_reader *history_reader_create(history_on_entry *on_entry, void *data);
void history_reader_destroy(struct history_reader *reader);

/*
 * Accepts any piece of the input; calls on_entry for each entry that becomes complete. Returns
 * false with the number of the line (of the array's item): INVALID_ACTION for a line that is
 * neither from `run` nor a message, and for chunks that are missing, duplicate, or out of order;
 * LIMIT_EXCEEDED; or the error of on_entry. The reader must then be destroyed.
 */
bool history_reader_feed(struct history_reader *reader, const char *bytes, size_t length,
                         struct br_error *err);

/*
 * Ends the input: fails like history_reader_feed(), and with INVALID_ACTION if chunks belong to no
 * response.
 */
bool history_reader_end(struct history_reader *reader, struct br_error *err);

/*
 * Cleans an array of entries in place; the newest is the last. In all responses but the last one,
 * including those that are texts of messages, only logs of source "tool" are kept, metrics become
 * null (seed 2, "Log handling"), and requests are filtered and summarised. The newest keep_images
 * pictures and the newest result of `snapshot` are kept; placeholders replace the others. Nothing
 * else in a message changes. Cleaning again changes nothing.
 */
void history_clean(json_t *entries, size_t keep_images, enum br_network_filter filter);

DEFINE_CLEANUP(struct history_reader *, cleanup_history_reader, history_reader_destroy)
#define CLEANUP_HISTORY_READER CLEANUP(cleanup_history_reader)

#endif
