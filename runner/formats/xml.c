#include "runner/formats/xml.h"

#include "runner/base/utf8.h"
#include "runner/formats/xml_batch.h"
#include "runner/formats/xml_error.h"

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

struct xml_reader {
    XML_Parser parser;
    struct xml_reader_options options;
    struct xml_batch batch; /* what the elements become */

    size_t mark_length;        /* of byte_order_mark: how much of it is read */
    size_t declaration_length; /* of declaration: how much of it is read */
    bool is_head_over;         /* there is no mark and no declaration from here on */

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

/* Puts the present place in front of an error that is set already. */
static bool fail_here(struct xml_reader *reader)
{
    const struct source_position position = position_now(reader);
    reader->has_failed = true;
    return error_context(&reader->failure, "line %u, column %u", position.line, position.column);
}

static bool fail_malformed(struct xml_reader *reader)
{
    const struct xml_element *element = xml_batch_innermost(&reader->batch);
    reader->has_failed = true;
    return xml_error_set(&reader->failure, reader->parser, position_now(reader),
                         element ? element->name : NULL,
                         element ? element->position : (struct source_position){ 0 });
}

/* Handlers are still called for what is left of a token after the parser was stopped. */
static void stop(struct xml_reader *reader)
{
    reader->has_failed = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Of a stream, the bytes behind the present token count for the instruction that comes next. */
static void count_from_here(struct xml_reader *reader)
{
    if (reader->options.is_stream) {
        reader->counted_from = (size_t)XML_GetCurrentByteIndex(reader->parser);
    }
}

static void count_between_instructions(struct xml_reader *reader)
{
    if (!reader->batch.action) {
        count_from_here(reader);
    }
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    struct xml_reader *reader = data;
    if (reader->has_failed) {
        return;
    }
    size_t count = reader->batch.instruction_count;
    if (!xml_batch_open(&reader->batch, name, attributes, position_now(reader), &reader->failure)) {
        stop(reader);
    }
    if (reader->batch.instruction_count != count) {
        count_from_here(reader);
    }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml_reader *reader = data;
    if (reader->has_failed) {
        return;
    }
    if (!xml_batch_close(&reader->batch, name, position_now(reader), &reader->failure)) {
        stop(reader);
    }
    count_between_instructions(reader);
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    struct xml_reader *reader = data;
    if (reader->has_failed) {
        return;
    }
    if (!xml_batch_text(&reader->batch, text, (size_t)length, position_now(reader),
                        &reader->failure)) {
        stop(reader);
    }
    count_between_instructions(reader);
}

static void XMLCALL on_cdata_start(void *data)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed &&
        !xml_batch_begin_cdata(&reader->batch, position_now(reader), &reader->failure)) {
        stop(reader);
    }
}

static void XMLCALL on_cdata_end(void *data)
{
    struct xml_reader *reader = data;
    xml_batch_end_cdata(&reader->batch);
}

static void XMLCALL on_comment(void *data, const XML_Char *text)
{
    (void)text;
    count_between_instructions(data);
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
    error_set(&reader->failure, BR_INVALID_ACTION, "encoding \"%.*s\" is not read: only UTF-8 is",
              (int)utf8_cut(encoding, length < 40 ? length : 40), encoding);
    return fail_here(reader);
}

static void XMLCALL on_processing_instruction(void *data, const XML_Char *target,
                                              const XML_Char *text)
{
    struct xml_reader *reader = data;
    if (!reader->has_failed && strcmp(target, declaration_target) == 0) {
        if (!check_declaration(reader, text)) {
            stop(reader);
        }
    }
    count_between_instructions(reader);
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
        error_set(&reader->failure, BR_LIMIT_EXCEEDED, "a tag or comment is over %d MiB long",
                  XML_MAX_TAG_BYTES / (1024 * 1024));
        return fail_here(reader);
    }
    if (reader->parsed_bytes - reader->counted_from > XML_MAX_BYTES) {
        error_set(&reader->failure, BR_LIMIT_EXCEEDED, "%s is over %d MiB long",
                  reader->options.is_stream ? "an instruction" : "the batch",
                  XML_MAX_BYTES / (1024 * 1024));
        return fail_here(reader);
    }
    return true;
}

/*
 * Reads the byte order mark, white space and the XML declaration; returns how many bytes it took,
 * of which the parser has got a changed form.
 */
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
        size_t white = xml_white_length(bytes + taken, length - taken);
        parse(reader, bytes + taken, white);
        taken += white;
    }
    while (taken < length && reader->declaration_length < strlen(declaration) &&
           bytes[taken] == declaration[reader->declaration_length]) {
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
    xml_batch_init(&reader->batch, !reader->options.is_stream, on_action, data);
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
    /* All is well when expat misses only the end of the element that we put around everything. An
     * element of the input's own that is open is the better thing to name. */
    if (!xml_batch_innermost(&reader->batch) &&
        XML_GetErrorCode(reader->parser) != XML_ERROR_NO_ELEMENTS) {
        return fail_malformed(reader);
    }
    return xml_batch_end(&reader->batch, position_now(reader), &reader->failure);
}

bool xml_reader_end(struct xml_reader *reader, struct br_error *err)
{
    if (!reader->has_failed && read_end(reader)) {
        return true;
    }
    reader->has_failed = true;
    *err = reader->failure;
    return false;
}

void xml_reader_destroy(struct xml_reader *reader)
{
    if (!reader) {
        return;
    }
    xml_batch_finish(&reader->batch);
    XML_ParserFree(reader->parser);
    free(reader);
}
