/*
 * Reads instructions in any format from bytes. The first byte that is not white space decides: { or
 * [ means JSON (json_reader.h), anything else XML (xml.h).
 *
 * On a stream, an instruction without an enclosing element or array has no terminator: it ends when
 * the next one begins, or when its line has ended and no byte has followed for BATCH_PAUSE_MS.
 */
#ifndef RUNNER_BATCH_READER_H
#define RUNNER_BATCH_READER_H

#include "runner/formats/instruction.h"

#include <stdint.h>

enum { BATCH_PAUSE_MS = 50 };

struct batch_reader;

/* As xml_reader_create(). */
struct batch_reader *batch_reader_create(const struct instruction_options *options,
                                         instruction_on_action *on_action, void *data);
void batch_reader_destroy(struct batch_reader *reader);

/*
 * Feed the next bytes, received at `now_ms` of the monotonic clock, and signal the end of input.
 * Both fail as xml_reader_feed() does.
 */
bool batch_reader_feed(struct batch_reader *reader, const char *bytes, size_t length,
                       int64_t now_ms, struct br_error *err);
bool batch_reader_end(struct batch_reader *reader, struct br_error *err);

/*
 * Returns in how many milliseconds batch_reader_tick() is due if no bytes come before; -1: not due.
 * Call batch_reader_tick() only when there are no bytes to feed.
 */
int batch_reader_due_ms(const struct batch_reader *reader, int64_t now_ms);
bool batch_reader_tick(struct batch_reader *reader, int64_t now_ms, struct br_error *err);

#endif
