/*
 * Reads JSON instructions into actions, piece by piece as the bytes arrive.
 *
 * An instruction is an object with the action's type and its parameters, {"type": "click",
 * "selector": "#go"}, or a tool call (tool_call.h). Instructions follow each other, one on each
 * line or over several lines, with or without an array around them. Each is processed when its last
 * bracket has been read. After an error, the next instruction is searched: it begins with a { at
 * the beginning of a line. The reader does not know which types and parameters exist.
 */
#ifndef RUNNER_FORMATS_JSON_READER_H
#define RUNNER_FORMATS_JSON_READER_H

#include "runner/formats/instruction.h"

struct json_reader;

/* Like the functions of xml.h. */
struct json_reader *json_reader_create(const struct instruction_options *options,
                                       instruction_on_action *on_action, void *data);
bool json_reader_feed(struct json_reader *reader, const char *bytes, size_t length,
                      struct br_error *err);
bool json_reader_end(struct json_reader *reader, struct br_error *err);
void json_reader_destroy(struct json_reader *reader);

#endif
