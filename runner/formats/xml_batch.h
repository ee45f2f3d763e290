/*
 * Builds instructions from XML elements, in their order. The formats and rules are those of xml.h;
 * this part does not depend on the parser.
 */
#ifndef RUNNER_FORMATS_XML_BATCH_H
#define RUNNER_FORMATS_XML_BATCH_H

#include "runner/base/strbuf.h"
#include "runner/formats/instruction.h"

/*
 * Limits in addition to those of all instructions. Larger input is refused with BR_LIMIT_EXCEEDED.
 */
enum {
    XML_MAX_VALUE_BYTES = 1024 * 1024,
    XML_MAX_TAG_BYTES = 2 * 1024 * 1024, /* a tag with its attributes, or a comment */
    XML_MAX_DEPTH = 8,                   /* nested elements, including <batch> */
    XML_MAX_NAME = 64,
};

enum xml_element_kind {
    XML_BATCH,       /* holds instructions */
    XML_INSTRUCTION, /* <browser_action>: holds parameters */
    XML_VALUE,       /* a parameter, or a member of one */
};

struct xml_element {
    enum xml_element_kind kind;
    char name[XML_MAX_NAME + 1];
    struct source_position position;
    json_t *members; /* of a value with child elements; owned, or NULL */
};

struct xml_batch {
    bool has_limit; /* INSTRUCTION_MAX_COUNT applies */
    instruction_on_action *on_action;
    void *data;

    struct xml_element elements[XML_MAX_DEPTH]; /* the open elements, outermost first */
    size_t depth;

    struct br_action *action; /* the open instruction; owned, or NULL */
    bool has_type;            /* a type has been read */
    size_t parameter_count;   /* number of its parameters and their members */
    size_t instruction_count;
    bool is_refused; /* on_action has failed */
    bool was_ended;  /* the last instruction was ended by xml_batch_end_bare() */

    struct strbuf text;            /* text of the innermost element */
    bool has_cdata;                /* the text has a CDATA section */
    size_t cdata_begin, cdata_end; /* from the first one's begin to the last one's end */
};

void xml_batch_init(struct xml_batch *batch, bool has_limit, instruction_on_action *on_action,
                    void *data);
void xml_batch_finish(struct xml_batch *batch);

/*
 * Processes the next part of the source, at `position`; `attributes` are names and values in turn,
 * up to a NULL. After a failure only xml_batch_finish() and xml_batch_give_up() may be called.
 */
bool xml_batch_open(struct xml_batch *batch, const char *name, const char **attributes,
                    struct source_position position, struct br_error *err);
bool xml_batch_close(struct xml_batch *batch, const char *name, struct source_position position,
                     struct br_error *err);
bool xml_batch_text(struct xml_batch *batch, const char *text, size_t length,
                    struct source_position position, struct br_error *err);
bool xml_batch_begin_cdata(struct xml_batch *batch, struct source_position position,
                           struct br_error *err);
void xml_batch_end_cdata(struct xml_batch *batch);
bool xml_batch_end(struct xml_batch *batch, struct source_position position, struct br_error *err);

/*
 * Closes all open elements, a <batch> too unless `keeps_batch`, and returns the instruction as far
 * as it was read; NULL if there is none. Caller frees.
 */
struct br_action *xml_batch_give_up(struct xml_batch *batch, bool keeps_batch);

/* Ends an open bare instruction; if parameters follow it, their error says that it was ended. */
bool xml_batch_end_bare(struct xml_batch *batch, struct br_error *err);

/* Whether the next text is outside the elements of an instruction. */
bool xml_batch_is_between(const struct xml_batch *batch);

/* Returns the length of the white space, as XML defines it, at the beginning of the text. */
size_t xml_white_length(const char *text, size_t length);

/* Returns the open <browser_action>, or NULL. Borrowed until the next call. */
const struct xml_element *xml_batch_instruction(const struct xml_batch *batch);

/* Returns the innermost open element, or NULL. Borrowed until the next call. */
const struct xml_element *xml_batch_innermost(const struct xml_batch *batch);

#endif
