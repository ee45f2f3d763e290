#include "runner/formats/xml.h"

#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/formats/xml_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/*
 * XML has one outermost element, our input has any number of them: expat is told of one around
 * them, on a line of its own so that columns stay right. It is never closed.
 */
static const char root_tag[] = "<_>\n";
enum { ROOT_LINES = 1 };

/*
 * That makes an XML declaration misplaced. With its last letter changed it becomes a processing
 * instruction of the same length, which hands us what it says.
 */
static const char declaration[] = "<?xml";
static const char declaration_target[] = "xm-";

static const char byte_order_mark[] = "\xEF\xBB\xBF";

enum element_kind {
    ELEMENT_BATCH,       /* holds instructions */
    ELEMENT_INSTRUCTION, /* <browser_action>: holds parameters */
    ELEMENT_VALUE,       /* a parameter, or a member of one */
};

struct element {
    enum element_kind kind;
    char name[XML_MAX_NAME + 1];
    struct source_position position;
    json_t *members; /* of a value with elements inside; owned, or NULL */
};

struct xml_reader {
    XML_Parser parser;
    struct xml_reader_options options;
    xml_on_action *on_action;
    void *data;

    size_t mark_length;        /* of byte_order_mark: how much of it is read */
    size_t declaration_length; /* of declaration: how much of it is read */
    bool is_head_over;         /* there is no mark and no declaration from here on */

    struct element elements[XML_MAX_DEPTH]; /* that are open, outermost first */
    size_t depth;

    struct br_action *action; /* the open instruction; owned, or NULL */
    bool has_type;            /* it has */
    size_t parameter_count;   /* its parameters and their members */
    size_t instruction_count;

    struct strbuf text;            /* of the innermost element */
    bool has_cdata;                /* it has a CDATA section */
    size_t cdata_begin, cdata_end; /* from the first one's begin to the last one's end */

    size_t parsed_bytes; /* as expat counts them: root_tag is among them */
    size_t counted_from; /* the place in parsed_bytes from which XML_MAX_BYTES counts */

    bool has_failed;
    struct br_error failure;
};

static struct source_position position_now(const struct xml_reader *reader)
{
    return (struct source_position){
        .line = (unsigned)XML_GetCurrentLineNumber(reader->parser) - ROOT_LINES,
        .column = (unsigned)XML_GetCurrentColumnNumber(reader->parser) + 1,
    };
}

__attribute__((format(printf, 4, 5))) static bool fail(struct xml_reader *reader,
                                                       struct source_position position,
                                                       enum br_code code, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    reader->has_failed = true;
    return error_set(&reader->failure, code, "line %u, column %u: %s", position.line,
                     position.column, text);
}

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t white_length(const char *text, size_t length)
{
    size_t white = 0;
    while (white < length && is_white(text[white])) {
        white++;
    }
    return white;
}

static bool is_name(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789-";
    return *text && strchr(first, *text) && text[strspn(text, all)] == '\0';
}

static bool check_name(struct xml_reader *reader, const char *what, const char *name,
                       struct source_position position)
{
    enum { SHOWN = 40 };
    size_t length = strlen(name);
    int shown = (int)utf8_cut(name, length < SHOWN ? length : SHOWN);
    if (length > XML_MAX_NAME) {
        return fail(reader, position, BR_LIMIT_EXCEEDED,
                    "%s \"%.*s...\" is over %d characters long", what, shown, name, XML_MAX_NAME);
    }
    if (!is_name(name)) {
        return fail(reader, position, BR_INVALID_ACTION,
                    "%s \"%.*s\" is no name: letters, digits, _ and -", what, shown, name);
    }
    return true;
}

/* `action` is the type's name in the form with attributes. */
static bool is_type_name(const char *name)
{
    return strcmp(name, "type") == 0 || strcmp(name, "action") == 0;
}

static struct element *innermost(struct xml_reader *reader)
{
    return reader->depth ? &reader->elements[reader->depth - 1] : NULL;
}

/* Whether the innermost element holds instructions. */
static bool is_between_instructions(const struct xml_reader *reader)
{
    return reader->depth == 0 || reader->elements[reader->depth - 1].kind == ELEMENT_BATCH;
}

static void path_of_innermost(const struct xml_reader *reader, struct strbuf *path)
{
    for (size_t i = 0; i < reader->depth; i++) {
        if (reader->elements[i].kind == ELEMENT_VALUE) {
            strbuf_add_format(path, "%s%s", path->length ? "." : "", reader->elements[i].name);
        }
    }
}

static json_t *typed_value(const char *text)
{
    struct br_error ignored;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return json_boolean(text[0] == 't');
    }
    json_t *value = NULL;
    if (*text && strchr("-0123456789{[", *text)) {
        value = json_parse(text, strlen(text), "value", &ignored);
    }
    return value ? value : json_string(text);
}

/* A place in the input up to which nothing is left over for a later instruction. */
static void count_from_here(struct xml_reader *reader)
{
    if (reader->options.is_stream && !reader->action) {
        reader->counted_from = (size_t)XML_GetCurrentByteIndex(reader->parser);
    }
}

static bool begin_instruction(struct xml_reader *reader, struct source_position position)
{
    if (!reader->options.is_stream && reader->instruction_count == XML_MAX_INSTRUCTIONS) {
        return fail(reader, position, BR_LIMIT_EXCEEDED, "more than %d instructions in a batch",
                    XML_MAX_INSTRUCTIONS);
    }
    count_from_here(reader);
    reader->action = action_create("", position);
    reader->has_type = false;
    reader->parameter_count = 0;
    reader->instruction_count++;
    return true;
}

static bool end_instruction(struct xml_reader *reader)
{
    if (!reader->action) {
        return true;
    }
    if (!reader->has_type) {
        return fail(reader, reader->action->position, BR_INVALID_ACTION,
                    "an instruction without a type");
    }
    if (!reader->on_action(reader->data, TAKE(reader->action), &reader->failure)) {
        reader->has_failed = true;
        return false;
    }
    return true;
}

static bool count_parameter(struct xml_reader *reader, struct source_position position)
{
    if (reader->parameter_count == XML_MAX_PARAMETERS) {
        return fail(reader, position, BR_LIMIT_EXCEEDED,
                    "more than %d parameters in an instruction", XML_MAX_PARAMETERS);
    }
    reader->parameter_count++;
    return true;
}

static bool refuse_twice(struct xml_reader *reader, const char *path,
                         struct source_position position)
{
    const struct source_position first = action_param_position(reader->action, path);
    return fail(reader, position, BR_INVALID_ACTION,
                "\"%s\" is given twice, first at line %u, column %u", path, first.line,
                first.column);
}

static bool check_new_parameter(struct xml_reader *reader, const char *name,
                                struct source_position position)
{
    if (is_type_name(name)) {
        return !reader->has_type || refuse_twice(reader, "type", position);
    }
    return !json_object_get(reader->action->params, name) || refuse_twice(reader, name, position);
}

static bool set_type(struct xml_reader *reader, const char *type, struct source_position position)
{
    if (*type == '\0') {
        return fail(reader, position, BR_INVALID_ACTION, "the type is empty");
    }
    if (!check_name(reader, "type", type, position)) {
        return false;
    }
    free(reader->action->type);
    reader->action->type = xstrdup(type);
    reader->has_type = true;
    action_add_source(reader->action, "type", type, position);
    return true;
}

static bool add_attribute(struct xml_reader *reader, const char *name, const char *text,
                          struct source_position position)
{
    if (!check_name(reader, "attribute", name, position) || !count_parameter(reader, position) ||
        !check_new_parameter(reader, name, position)) {
        return false;
    }
    size_t length = strlen(text);
    if (length > XML_MAX_VALUE_BYTES) {
        return fail(reader, position, BR_LIMIT_EXCEEDED,
                    "the value of \"%s\" is over %d bytes long", name, XML_MAX_VALUE_BYTES);
    }
    size_t begin = white_length(text, length);
    while (length > begin && is_white(text[length - 1])) {
        length--;
    }
    CLEANUP_FREE char *trimmed = xstrndup(text + begin, length - begin);
    if (is_type_name(name)) {
        return set_type(reader, trimmed, position);
    }
    action_add(reader->action, name, typed_value(trimmed), (struct source_position){ 0 });
    action_add_source(reader->action, name, trimmed, position);
    return true;
}

static void push(struct xml_reader *reader, enum element_kind kind, const char *name,
                 struct source_position position)
{
    struct element *element = &reader->elements[reader->depth++];
    *element = (struct element){ .kind = kind, .position = position };
    memcpy(element->name, name, strlen(name) + 1);
    strbuf_clear(&reader->text);
    reader->has_cdata = false;
}

static bool open_batch(struct xml_reader *reader, const char *name, const char **attributes,
                       struct source_position position)
{
    if (reader->depth > 0) {
        return fail(reader, position, BR_INVALID_ACTION, "a <batch> inside of a <batch>");
    }
    if (attributes[0]) {
        return fail(reader, position, BR_INVALID_ACTION, "<batch> has no attributes");
    }
    if (!end_instruction(reader)) {
        return false;
    }
    push(reader, ELEMENT_BATCH, name, position);
    return true;
}

static bool open_instruction(struct xml_reader *reader, const char *name, const char **attributes,
                             struct source_position position)
{
    if (!end_instruction(reader) || !begin_instruction(reader, position)) {
        return false;
    }
    push(reader, ELEMENT_INSTRUCTION, name, position);
    for (size_t i = 0; attributes[i]; i += 2) {
        if (!add_attribute(reader, attributes[i], attributes[i + 1], position)) {
            return false;
        }
    }
    return true;
}

/* Makes the innermost element an object and checks that it may have this member. */
static bool check_new_member(struct xml_reader *reader, struct element *parent, const char *name,
                             struct source_position position)
{
    bool has_text = reader->has_cdata ||
                    white_length(reader->text.data, reader->text.length) < reader->text.length;
    if (!parent->members && has_text) {
        return fail(reader, position, BR_INVALID_ACTION, "<%s> behind text inside of <%s>", name,
                    parent->name);
    }
    if (!parent->members) {
        parent->members = json_object();
    }
    if (json_object_get(parent->members, name)) {
        CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
        path_of_innermost(reader, &path);
        strbuf_add_format(&path, ".%s", name);
        return refuse_twice(reader, path.data, position);
    }
    return true;
}

static bool open_value(struct xml_reader *reader, const char *name, const char **attributes,
                       struct source_position position)
{
    if (attributes[0]) {
        return fail(reader, position, BR_INVALID_ACTION,
                    "<%s> has an attribute: only <browser_action> may", name);
    }
    struct element *parent = innermost(reader);
    bool is_member = parent && parent->kind == ELEMENT_VALUE;
    if (!count_parameter(reader, position) ||
        !(is_member ? check_new_member(reader, parent, name, position)
                    : check_new_parameter(reader, name, position))) {
        return false;
    }
    push(reader, ELEMENT_VALUE, name, position);
    return true;
}

static bool refuse_unknown(struct xml_reader *reader, const char *name,
                           struct source_position position)
{
    static const char *const known[] = { "batch", "browser_action", "type" };
    const char *nearest = names_nearest(name, known, sizeof(known) / sizeof(known[0]));
    fail(reader, position, BR_INVALID_ACTION,
         "<%s> stands outside of an instruction, where only <batch>, <browser_action> and <type> "
         "are known",
         name);
    return nearest ? error_hint(&reader->failure, "did you mean <%s>?", nearest) : false;
}

static bool open_element(struct xml_reader *reader, const char *name, const char **attributes)
{
    const struct source_position position = position_now(reader);
    if (reader->depth == XML_MAX_DEPTH) {
        return fail(reader, position, BR_LIMIT_EXCEEDED,
                    "elements lie over %d deep inside each other", XML_MAX_DEPTH);
    }
    if (!check_name(reader, "element", name, position)) {
        return false;
    }
    bool is_batch = strcmp(name, "batch") == 0;
    bool is_instruction = strcmp(name, "browser_action") == 0;
    if (!is_between_instructions(reader)) {
        const struct element *parent = innermost(reader);
        if (is_batch || is_instruction) {
            return fail(reader, position, BR_INVALID_ACTION,
                        "<%s> inside of <%s>, which is open since line %u, column %u", name,
                        parent->name, parent->position.line, parent->position.column);
        }
        return open_value(reader, name, attributes, position);
    }
    if (is_batch) {
        return open_batch(reader, name, attributes, position);
    }
    if (is_instruction) {
        return open_instruction(reader, name, attributes, position);
    }
    if (strcmp(name, "type") == 0) {
        return end_instruction(reader) && begin_instruction(reader, position) &&
               open_value(reader, name, attributes, position);
    }
    return reader->action ? open_value(reader, name, attributes, position)
                          : refuse_unknown(reader, name, position);
}

/* The text of the innermost element without the white space around it. Caller frees. */
static char *trimmed_text(const struct xml_reader *reader)
{
    const struct strbuf *text = &reader->text;
    size_t begin = white_length(text->data, text->length);
    size_t end = text->length;
    if (reader->has_cdata && begin > reader->cdata_begin) {
        begin = reader->cdata_begin;
    }
    while (end > (reader->has_cdata ? reader->cdata_end : begin) && is_white(text->data[end - 1])) {
        end--;
    }
    return xstrndup(text->data + begin, end - begin);
}

static bool close_value(struct xml_reader *reader)
{
    CLEANUP_STRBUF struct strbuf path = STRBUF_INIT(STRBUF_UNCAPPED);
    path_of_innermost(reader, &path);
    struct element *element = innermost(reader);
    json_t *value = TAKE(element->members);
    CLEANUP_FREE char *text = value ? NULL : trimmed_text(reader);
    reader->depth--;

    struct element *parent = innermost(reader);
    bool is_member = parent && parent->kind == ELEMENT_VALUE;
    if (!is_member && is_type_name(element->name)) {
        json_decref(value);
        return text ? set_type(reader, text, element->position)
                    : fail(reader, element->position, BR_INVALID_ACTION,
                           "the type has elements inside of it");
    }
    if (!value) {
        value = reader->has_cdata ? json_string(text) : typed_value(text);
    }
    if (is_member) {
        json_object_set_new(parent->members, element->name, value);
    } else {
        action_add(reader->action, element->name, value, (struct source_position){ 0 });
    }
    action_add_source(reader->action, path.data, text, element->position);
    return true;
}

static bool close_element(struct xml_reader *reader, const char *name)
{
    const struct element *element = innermost(reader);
    if (!element) {
        return fail(reader, position_now(reader), BR_INVALID_ACTION, "</%s> closes nothing", name);
    }
    if (element->kind == ELEMENT_VALUE) {
        return close_value(reader);
    }
    reader->depth--;
    return end_instruction(reader);
}

/* Handlers are still called for what is left of a token after the parser was stopped. */
static void stop_if_failed(struct xml_reader *reader, bool is_ok)
{
    if (!is_ok) {
        XML_StopParser(reader->parser, XML_FALSE);
    }
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed) {
        stop_if_failed(reader, open_element(reader, name, attributes));
    }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed) {
        stop_if_failed(reader, close_element(reader, name));
        count_from_here(reader);
    }
}

static bool add_text(struct xml_reader *reader, const char *text, size_t length)
{
    const struct element *element = innermost(reader);
    if (element && element->kind == ELEMENT_VALUE && !element->members) {
        strbuf_add(&reader->text, text, length);
        return !reader->text.overflowed ||
               fail(reader, element->position, BR_LIMIT_EXCEEDED,
                    "the value of <%s> is over %d bytes long", element->name, XML_MAX_VALUE_BYTES);
    }
    size_t white = white_length(text, length);
    if (white == length) {
        return true;
    }
    /* Expat hands over line ends by themselves: the white space is of one line. */
    struct source_position position = position_now(reader);
    position.column += (unsigned)white;
    if (is_between_instructions(reader)) {
        return fail(reader, position, BR_INVALID_ACTION, "text outside of an instruction");
    }
    return fail(reader, position, BR_INVALID_ACTION, "text beside the elements inside of <%s>",
                element->name);
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed) {
        stop_if_failed(reader, add_text(reader, text, (size_t)length));
        count_from_here(reader);
    }
}

static void XMLCALL on_cdata_start(void *data)
{
    struct xml_reader *reader = data;
    const struct element *element = innermost(reader);
    if (reader->has_failed) {
        return;
    }
    if (!element || element->kind != ELEMENT_VALUE || element->members) {
        stop_if_failed(reader, fail(reader, position_now(reader), BR_INVALID_ACTION,
                                    "CDATA outside of a value"));
    } else if (!reader->has_cdata) {
        reader->has_cdata = true;
        reader->cdata_begin = reader->text.length;
    }
}

static void XMLCALL on_cdata_end(void *data)
{
    struct xml_reader *reader = data;
    reader->cdata_end = reader->text.length;
}

static void XMLCALL on_comment(void *data, const XML_Char *text)
{
    (void)text;
    count_from_here(data);
}

/* Only the encoding that an XML declaration names matters: we read no other than UTF-8. */
static bool check_declaration(struct xml_reader *reader, const char *text)
{
    static const char *const read_as_is[] = { "UTF-8", "UTF8", "US-ASCII", "ASCII" };
    const char *encoding = strstr(text, "encoding");
    if (!encoding) {
        return true;
    }
    encoding += strcspn(encoding, "\"'");
    encoding += *encoding ? 1 : 0;
    size_t length = strcspn(encoding, "\"'");
    for (size_t i = 0; i < sizeof(read_as_is) / sizeof(read_as_is[0]); i++) {
        if (strlen(read_as_is[i]) == length && strncasecmp(encoding, read_as_is[i], length) == 0) {
            return true;
        }
    }
    return fail(reader, position_now(reader), BR_INVALID_ACTION,
                "encoding \"%.*s\" is not read: only UTF-8 is",
                (int)utf8_cut(encoding, length < 40 ? length : 40), encoding);
}

static void XMLCALL on_processing_instruction(void *data, const XML_Char *target,
                                              const XML_Char *text)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed && strcmp(target, declaration_target) == 0) {
        stop_if_failed(reader, check_declaration(reader, text));
    }
    count_from_here(reader);
}

static bool fail_malformed(struct xml_reader *reader)
{
    const struct element *element = innermost(reader);
    reader->has_failed = true;
    return xml_error_set(&reader->failure, reader->parser, position_now(reader),
                         element ? element->name : NULL,
                         element ? element->position : (struct source_position){ 0 });
}

static bool parse(struct xml_reader *reader, const char *bytes, size_t length)
{
    if (XML_Parse(reader->parser, bytes, (int)length, XML_FALSE) != XML_STATUS_OK) {
        return reader->has_failed ? false : fail_malformed(reader);
    }
    reader->parsed_bytes += length;
    /* Expat looks through an unfinished tag again with every piece, which must come to an end. */
    const XML_Index unfinished = XML_GetCurrentByteIndex(reader->parser);
    if (unfinished >= 0 && reader->parsed_bytes - (size_t)unfinished > XML_MAX_TAG_BYTES) {
        return fail(reader, position_now(reader), BR_LIMIT_EXCEEDED,
                    "a tag or comment is over %d MiB long", XML_MAX_TAG_BYTES / (1024 * 1024));
    }
    if (reader->parsed_bytes - reader->counted_from > XML_MAX_BYTES) {
        return fail(reader, position_now(reader), BR_LIMIT_EXCEEDED, "%s is over %d MiB long",
                    reader->options.is_stream ? "an instruction" : "the batch",
                    XML_MAX_BYTES / (1024 * 1024));
    }
    return true;
}

/* Reads the byte order mark, white space and the XML declaration; returns how many bytes it took,
 * of which the parser has got a changed form. */
static size_t parse_head(struct xml_reader *reader, const char *bytes, size_t length)
{
    size_t taken = 0;
    while (taken < length && reader->mark_length < strlen(byte_order_mark) &&
           bytes[taken] == byte_order_mark[reader->mark_length]) {
        reader->mark_length++;
        taken++;
    }
    if (taken == length) {
        return taken;
    }
    if (reader->mark_length > 0 && reader->mark_length < strlen(byte_order_mark)) {
        /* Not the mark, but only part of it: expat says what is wrong with these bytes. */
        reader->is_head_over = true;
        parse(reader, byte_order_mark, reader->mark_length);
        return taken;
    }
    reader->mark_length = strlen(byte_order_mark);
    if (reader->declaration_length == 0) {
        size_t white = white_length(bytes + taken, length - taken);
        parse(reader, bytes + taken, white);
        taken += white;
    }
    while (taken < length && bytes[taken] == declaration[reader->declaration_length] &&
           reader->declaration_length < strlen(declaration)) {
        bool is_last = ++reader->declaration_length == strlen(declaration);
        parse(reader, is_last ? "-" : bytes + taken, 1);
        taken++;
    }
    reader->is_head_over = taken < length || reader->declaration_length == strlen(declaration);
    return taken;
}

struct xml_reader *xml_reader_create(const struct xml_reader_options *options,
                                     xml_on_action *on_action, void *data)
{
    struct xml_reader *reader = xcalloc(1, sizeof(*reader));
    reader->options = options ? *options : (struct xml_reader_options){ 0 };
    reader->on_action = on_action;
    reader->data = data;
    reader->text = (struct strbuf)STRBUF_INIT(XML_MAX_VALUE_BYTES);
    reader->parser = XML_ParserCreate("UTF-8");
    if (!reader->parser) {
        abort();
    }
#ifdef HAVE_XML_REPARSE_DEFERRAL
    /* It may hold back an element that is complete, while a backend waits for the answer. */
    XML_SetReparseDeferralEnabled(reader->parser, XML_FALSE);
#endif
    XML_SetUserData(reader->parser, reader);
    XML_Parse(reader->parser, root_tag, (int)strlen(root_tag), XML_FALSE);
    reader->parsed_bytes = reader->counted_from = strlen(root_tag);
    /* Set only now: they do not see the element around everything. */
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetCharacterDataHandler(reader->parser, on_text);
    XML_SetCdataSectionHandler(reader->parser, on_cdata_start, on_cdata_end);
    XML_SetCommentHandler(reader->parser, on_comment);
    XML_SetProcessingInstructionHandler(reader->parser, on_processing_instruction);
    return reader;
}

bool xml_reader_feed(struct xml_reader *reader, const char *bytes, size_t length,
                     struct br_error *err)
{
    enum { PIECE = 64 * 1024 };
    while (length > 0 && !reader->has_failed) {
        size_t piece = length < PIECE ? length : PIECE;
        if (!reader->is_head_over) {
            piece = parse_head(reader, bytes, piece);
        } else {
            parse(reader, bytes, piece);
        }
        bytes += piece;
        length -= piece;
    }
    if (reader->has_failed) {
        *err = reader->failure;
        return false;
    }
    return true;
}

/* What follows from the end of the input; the parser has seen all bytes. */
static bool read_end(struct xml_reader *reader)
{
    if (!reader->is_head_over && reader->mark_length < strlen(byte_order_mark) &&
        !parse(reader, byte_order_mark, reader->mark_length)) {
        return false;
    }
    XML_Parse(reader->parser, "", 0, XML_TRUE);
    if (reader->has_failed) {
        return false;
    }
    const struct element *element = innermost(reader);
    if (element) {
        return fail(reader, position_now(reader), BR_INVALID_ACTION,
                    "the input ends inside of <%s>, opened at line %u, column %u", element->name,
                    element->position.line, element->position.column);
    }
    /* All is well when expat misses only the end of the element that we put around everything. */
    if (XML_GetErrorCode(reader->parser) != XML_ERROR_NO_ELEMENTS) {
        return fail_malformed(reader);
    }
    if (!end_instruction(reader)) {
        return false;
    }
    if (reader->instruction_count == 0) {
        reader->has_failed = true;
        return error_set(&reader->failure, BR_INVALID_ACTION, "no instruction found");
    }
    return true;
}

bool xml_reader_end(struct xml_reader *reader, struct br_error *err)
{
    if (!reader->has_failed && read_end(reader)) {
        return true;
    }
    *err = reader->failure;
    return false;
}

void xml_reader_destroy(struct xml_reader *reader)
{
    if (!reader) {
        return;
    }
    for (size_t i = 0; i < reader->depth; i++) {
        json_decref(reader->elements[i].members);
    }
    br_action_destroy(reader->action);
    strbuf_finish(&reader->text);
    XML_ParserFree(reader->parser);
    free(reader);
}
