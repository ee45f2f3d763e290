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
 * are the five of XML and character references; the input is UTF-8.
 */
#ifndef RUNNER_FORMATS_XML_H
#define RUNNER_FORMATS_XML_H

#include "runner/base/action.h"
#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Whatever is larger is refused with BR_LIMIT_EXCEEDED. */
enum {
    XML_MAX_BYTES = 10 * 1024 * 1024, /* of a batch; of an instruction of a stream */
    XML_MAX_VALUE_BYTES = 1024 * 1024,
    XML_MAX_TAG_BYTES = 2 * 1024 * 1024, /* of a tag with its attributes, or a comment */
    XML_MAX_INSTRUCTIONS = 10000,        /* of a batch */
    XML_MAX_DEPTH = 8,                   /* elements inside each other, <batch> included */
    XML_MAX_PARAMETERS = 64,             /* of an instruction, members of parameters included */
    XML_MAX_NAME = 64,
};

/*
 * Takes ownership of an action, as soon as its last tag is read. False, with `err` set, ends the
 * reading. Must not call the reader.
 */
typedef bool xml_on_action(void *data, struct br_action *action, struct br_error *err);

/*
 * Told of a mistake as soon as it is seen: `why` begins with its place. Takes ownership of the
 * action, which is the instruction as far as it was read, its type empty where there was none. What
 * follows is skipped up to where the next instruction begins, or the <batch> that is open ends.
 * False, with `err` set, ends the reading.
 */
typedef bool xml_on_mistake(void *data, struct br_action *action, const struct br_error *why,
                            struct br_error *err);

struct xml_reader_options {
    bool is_stream;             /* may go on for ever: the input as a whole has no limits */
    xml_on_mistake *on_mistake; /* NULL: the first mistake ends the reading */
};

struct xml_reader;

/* Never NULL. `options` may be NULL: a batch, up to its first mistake. Caller ends it with
 * xml_reader_destroy(). */
struct xml_reader *xml_reader_create(const struct xml_reader_options *options,
                                     xml_on_action *on_action, void *data);

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

void xml_reader_destroy(struct xml_reader *reader);

#endif
