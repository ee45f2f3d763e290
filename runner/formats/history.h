/* What `run` printed and messages, read again and made small enough to stay in a conversation. */
#ifndef RUNNER_FORMATS_HISTORY_H
#define RUNNER_FORMATS_HISTORY_H

#include "runner/base/error.h"
#include "runner/base/memory.h"

#include <browser_runner/response.h>
#include <jansson.h>
#include <stddef.h>

enum {
    HISTORY_LINE_MAX = 64 * 1024 * 1024,   /* bytes of a line, of an array, of a joined picture */
    HISTORY_INPUT_MAX = 512 * 1024 * 1024, /* bytes in all */
    HISTORY_PENDING_MAX = 64,              /* pictures whose response did not come yet */
};

/* A response whose pictures are whole, or a message (see message.h); borrowed during the call. */
typedef bool history_on_entry(void *data, json_t *entry, struct br_error *err);

/*
 * Reads lines of `run` (responses, chunks, summaries) and messages of any provider, mixed, or one
 * JSON array of such objects, and joins the pictures that came in chunks. Blank lines are passed
 * over.
 */
struct history_reader;

struct history_reader *history_reader_create(history_on_entry *on_entry, void *data);
void history_reader_destroy(struct history_reader *reader);

/*
 * Takes any piece of the input; calls on_entry for each entry that is complete by then.
 * False with the number of the line (of the array's item): INVALID_ACTION for what is no line of
 * `run` and no message and for chunks that are missing, double, or out of order; LIMIT_EXCEEDED; or
 * the error of on_entry. Destroy the reader then.
 */
bool history_reader_feed(struct history_reader *reader, const char *bytes, size_t length,
                         struct br_error *err);

/* The end of the input: as feed, and chunks that belong to no response are INVALID_ACTION. */
bool history_reader_end(struct history_reader *reader, struct br_error *err);

/*
 * Cleans an array of entries, the newest last, in place: of all responses but the last, also of
 * those that are texts of messages, only the logs of source "tool" stay, and metrics become null
 * (seed 2, "Log handling"); of their requests those that the filter keeps, and a summary. Of all
 * pictures the newest keep_images stay, and of the results of `snapshot` the newest one; a
 * placeholder comes in the place of each other. Nothing
 * else of a message changes. Cleaning again changes nothing.
 */
void history_clean(json_t *entries, size_t keep_images, enum br_network_filter filter);

DEFINE_CLEANUP(struct history_reader *, cleanup_history_reader, history_reader_destroy)
#define CLEANUP_HISTORY_READER CLEANUP(cleanup_history_reader)

#endif
