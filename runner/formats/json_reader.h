/*
 * Reads JSON instructions into actions, piece by piece as the bytes come.
 *
 * An instruction is an object with the action's type and its parameters,
 * {"type": "click", "selector": "#go"}, or the call of a tool (tool_call.h). They stand one behind
 * the other, as JSON lines or over several lines each, with or without an array around them. Each
 * is taken when its last bracket is read. Behind a mistake the next instruction is looked for: it
 * begins with a { where a line begins.
 *
 * Which types and parameters exist is not known here.
 */
#ifndef RUNNER_FORMATS_JSON_READER_H
#define RUNNER_FORMATS_JSON_READER_H

#include "runner/formats/instruction.h"

struct json_reader;

/* As those of xml.h, which see. */
struct json_reader *json_reader_create(const struct instruction_options *options,
                                       instruction_on_action *on_action, void *data);
bool json_reader_feed(struct json_reader *reader, const char *bytes, size_t length,
                      struct br_error *err);
bool json_reader_end(struct json_reader *reader, struct br_error *err);
void json_reader_destroy(struct json_reader *reader);

#endif
