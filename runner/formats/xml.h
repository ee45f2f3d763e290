/*
 * Reads XML instructions into actions, piece by piece as the bytes arrive.
 *
 * An instruction is a <browser_action> element, inside a <batch> or not, or a bare sequence of
 * elements that begins with <type> and ends at the next <type>, <browser_action> or <batch>, at
 * </batch> or at the end. Its parameters are elements, and attributes of <browser_action>, where
 * the type may also be called `action`. Elements inside a parameter make it an object.
 *
 * A value is the text of its element without surrounding white space. Text that is `true`, `false`,
 * or a JSON number, object or array as a whole is typed accordingly; other text is a string.
 * action_param_text() returns the text as written. CDATA means "this is text": a value with a CDATA
 * section is a string, and the content of the section is not trimmed. The reader does not know
 * which types and parameters exist.
 *
 * There is no DOCTYPE, and the only entities are the five of XML and character references; the
 * input is UTF-8. After an error, the reader searches for the next instruction, or the end of the
 * open <batch>.
 */
#ifndef RUNNER_FORMATS_XML_H
#define RUNNER_FORMATS_XML_H

#include "runner/formats/instruction.h"

struct xml_reader;

/*
 * Never NULL. `options` may be NULL: a batch, up to its first error. Caller destroys it with
 * xml_reader_destroy().
 */
struct xml_reader *xml_reader_create(const struct instruction_options *options,
                                     instruction_on_action *on_action, void *data);

/*
 * Reads the next bytes, split at any point. Fails with the error of on_action or on_mistake, or
 * without the latter with BR_INVALID_ACTION or BR_LIMIT_EXCEEDED and a message that begins with
 * "line 3, column 9: ", both counted from 1, columns in characters. After a failure all calls fail
 * with the same error.
 */
bool xml_reader_feed(struct xml_reader *reader, const char *bytes, size_t length,
                     struct br_error *err);

/*
 * Reads the end of the input, which also ends a bare instruction. Empty input, without instruction
 * or error, is an error.
 */
bool xml_reader_end(struct xml_reader *reader, struct br_error *err);

/*
 * Whether the last text read is a complete bare instruction, or white space after it: only further
 * input can tell whether it continues.
 */
bool xml_reader_has_bare(const struct xml_reader *reader);

/* Ends that instruction, as further input would. Fails like xml_reader_feed(). */
bool xml_reader_end_bare(struct xml_reader *reader, struct br_error *err);

void xml_reader_destroy(struct xml_reader *reader);

#endif
