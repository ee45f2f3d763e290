/*
 * Instructions from bytes in whatever form: the first byte that is no white space tells whether it
 * is JSON (json_reader.h), by a { or a [, or XML (xml.h).
 *
 * On a stream a bare instruction has no end of its own: it ends with what comes next, or when its
 * line has ended and nothing more has come for BATCH_PAUSE_MS.
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
 * The next bytes, which came at `now_ms` of the monotonic clock, and their end. Both fail as
 * xml_reader_feed() does.
 */
bool batch_reader_feed(struct batch_reader *reader, const char *bytes, size_t length,
                       int64_t now_ms, struct br_error *err);
bool batch_reader_end(struct batch_reader *reader, struct br_error *err);

/*
 * In how many milliseconds batch_reader_tick() is due, unless more comes before; -1: it is not. It
 * is called only when nothing has come that could be fed.
 */
int batch_reader_due_ms(const struct batch_reader *reader, int64_t now_ms);
bool batch_reader_tick(struct batch_reader *reader, int64_t now_ms, struct br_error *err);

#endif
