/*
 * Reads XML instructions into actions, piece by piece as the bytes come.
 *
 * An instruction is a <browser_action> element, inside a <batch> or not, or a bare sequence of
 * elements that begins with <type> and ends at the next <type>, <browser_action> or <batch>, at
 * </batch> or at the end. Its parameters are elements, and attributes of <browser_action>, where
 * the type may also be called `action`. Elements inside a parameter make it an object.
 *
 * A value is the text of its element without the white space around it. It is typed when the whole
 * of it is `true`, `false`, or a JSON number, object or array, and a string otherwise; the text as
 * it was written stays reachable by action_param_text(). CDATA means "this is text": a value with a
 * CDATA section is a string, and what is inside of the section is not trimmed.
 *
 * Which types and parameters exist is not known here. There is no DOCTYPE, and the only entities
 * are the five of XML and character references; the input is UTF-8. Behind a mistake the next
 * instruction is looked for, or the end of the <batch> that is open.
 */
#ifndef RUNNER_FORMATS_XML_H
#define RUNNER_FORMATS_XML_H

#include "runner/formats/instruction.h"

struct xml_reader;

/* Never NULL. `options` may be NULL: a batch, up to its first mistake. Caller ends it with
 * xml_reader_destroy(). */
struct xml_reader *xml_reader_create(const struct instruction_options *options,
                                     instruction_on_action *on_action, void *data);

/*
 * Reads the next bytes, however they are cut. Fails with the error of on_action or on_mistake, or
 * without the latter with BR_INVALID_ACTION or BR_LIMIT_EXCEEDED and a message that begins with
 * "line 3, column 9: ", both counted from 1, columns in characters. After a failure all calls fail
 * with the same error.
 */
bool xml_reader_feed(struct xml_reader *reader, const char *bytes, size_t length,
                     struct br_error *err);

/*
 * Reads the end of the input, which ends a bare instruction. Nothing at all, neither instruction
 * nor mistake, is an error.
 */
bool xml_reader_end(struct xml_reader *reader, struct br_error *err);

/*
 * Whether the last thing read is a bare instruction as a whole, or the white space behind it: only
 * what comes next would say whether there is more of it.
 */
bool xml_reader_has_bare(const struct xml_reader *reader);

/* Ends that instruction, as what comes next would. Fails as xml_reader_feed() does. */
bool xml_reader_end_bare(struct xml_reader *reader, struct br_error *err);

void xml_reader_destroy(struct xml_reader *reader);

#endif
