#include "runner/formats/xml.h"

#include "runner/base/utf8.h"
#include "runner/formats/xml_batch.h"
#include "runner/formats/xml_error.h"
#include "runner/formats/xml_skip.h"

#include <string.h>
#include <strings.h>

/*
 * XML has one root element, our input has any number of top-level elements. Expat therefore gets a
 * root element around them, on its own line so that columns stay correct. It is never closed. The
 * other text is used to continue inside a <batch> after an error.
 */
static const char root_tag[] = "<_>\n";
static const char root_and_batch[] = "<_><batch>\n";
enum { ROOT_LINES = 1 };

/* After an error, the rest of a piece is read again. */
enum { PIECE = 16 * 1024 };

/*
 * The root element makes an XML declaration misplaced. With its last letter changed it becomes a
 * processing instruction of the same length, whose content expat passes to us.
 */
static const char declaration[] = "<?xml";
static const char declaration_target[] = "xm-";

static const char byte_order_mark[] = "\xEF\xBB\xBF";

struct xml_reader {
    XML_Parser parser;
    struct instruction_options options;
    struct xml_batch batch; /* builds instructions from the elements */

    size_t mark_length;        /* how much of byte_order_mark has been read */
    size_t declaration_length; /* how much of declaration has been read */
    bool is_head_over;         /* no mark and no declaration can follow */

    struct source_position origin; /* position of the parser's first byte */
    size_t parsed_bytes;           /* in expat's count, which includes root_tag */
    size_t counted_from; /* the offset in parsed_bytes from which INSTRUCTION_MAX_BYTES counts */
    size_t known_bytes;  /* the offset up to which expat has reported tokens: the next token begins
                            there */
    struct source_position known; /* the same place in the source */
    bool is_in_cdata;

    bool is_stopped;  /* by an error, which is in `failure` */
    bool is_begin;    /* the tag at the error may begin the next instruction: only the open elements
                         around it were wrong, or it follows after the error */
    bool is_skipping; /* up to the beginning of the next instruction; the parser is idle */
    struct xml_skip skip;
    struct strbuf held; /* the parser's input from the error on, when it was stopped */
    size_t mistake_count;

    bool has_failed; /* permanently */
    struct br_error failure;
};

static struct source_position position_now(const struct xml_reader *reader)
{
    const unsigned lines = (unsigned)XML_GetCurrentLineNumber(reader->parser) - 1 - ROOT_LINES;
    return (struct source_position){
        .line = reader->origin.line + lines,
        .column = (unsigned)XML_GetCurrentColumnNumber(reader->parser) +
                  (lines == 0 ? reader->origin.column : 1),
    };
}

/* Prefixes an error that is already set with the present position. */
static bool fail_here(struct xml_reader *reader)
{
    const struct source_position position = position_now(reader);
    reader->is_stopped = true;
    return error_context(&reader->failure, "line %u, column %u", position.line, position.column);
}

static bool fail_malformed(struct xml_reader *reader)
{
    reader->is_stopped = true;
    return xml_error_set(&reader->failure, reader->parser, position_now(reader),
                         xml_batch_innermost(&reader->batch));
}

/* Expat still calls handlers for the rest of a token after the parser was stopped. */
static void stop(struct xml_reader *reader)
{
    reader->is_stopped = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

/* Records that the present token was read, at least `length` bytes of it. */
static void know(struct xml_reader *reader, size_t length)
{
    int offset = 0;
    int size = 0;
    const char *text = XML_GetInputContext(reader->parser, &offset, &size);
    if (reader->is_stopped || !text) {
        return;
    }
    reader->known = source_position_behind(position_now(reader), text + offset, length);
    reader->known_bytes = (size_t)XML_GetCurrentByteIndex(reader->parser) + length;
}

static void know_token(struct xml_reader *reader)
{
    know(reader, (size_t)XML_GetCurrentByteCount(reader->parser));
}

/* In a stream, bytes after the present token count for the next instruction. */
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

/* Whether a tag was refused only because an open element around it has no end tag. */
static bool is_begin_inside(const struct xml_batch *batch, const char *name, bool is_between)
{
    if (strcmp(name, "batch") == 0) {
        return batch->depth > 0;
    }
    bool is_bare = strcmp(name, "type") == 0 && !xml_batch_instruction(batch);
    return !is_between && (is_bare || strcmp(name, "browser_action") == 0);
}

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes)
{
    struct xml_reader *reader = data;
    if (reader->is_stopped) {
        return;
    }
    bool is_between = xml_batch_is_between(&reader->batch);
    size_t count = reader->batch.instruction_count;
    if (!xml_batch_open(&reader->batch, name, attributes, position_now(reader), &reader->failure)) {
        reader->is_begin = is_begin_inside(&reader->batch, name, is_between);
        stop(reader);
    }
    know_token(reader);
    if (reader->batch.instruction_count != count) {
        count_from_here(reader);
    }
}

static void XMLCALL on_end(void *data, const XML_Char *name)
{
    struct xml_reader *reader = data;
    if (reader->is_stopped) {
        return;
    }
    if (!xml_batch_close(&reader->batch, name, position_now(reader), &reader->failure)) {
        /*
         * If it was <browser_action/>, all of it has been read: the following tag is another one.
         */
        reader->is_begin = true;
        stop(reader);
    }
    know_token(reader);
    count_between_instructions(reader);
}

/* Returns how much of the text between instructions belongs to the end of a fence around them. */
static size_t fence_length(struct xml_reader *reader, const char *text, size_t length)
{
    if (!reader->skip.has_fence || !xml_batch_is_between(&reader->batch) ||
        (size_t)XML_GetCurrentByteCount(reader->parser) != length) {
        return 0;
    }
    size_t end = 0;
    for (size_t i = 0; i < length && reader->skip.has_fence; i++) {
        if (text[i] == '`') {
            reader->skip.has_fence = ++reader->skip.ticks < XML_FENCE_TICKS;
            end = i + 1;
        } else if (xml_white_length(text + i, 1) == 0) {
            break;
        }
    }
    return end;
}

static void XMLCALL on_text(void *data, const XML_Char *text, int length)
{
    struct xml_reader *reader = data;
    if (reader->is_stopped) {
        return;
    }
    size_t fence = fence_length(reader, text, (size_t)length);
    struct source_position position = position_now(reader);
    position.column += (unsigned)fence;
    know(reader, fence);
    if (!xml_batch_text(&reader->batch, text + fence, (size_t)length - fence, position,
                        &reader->failure)) {
        stop(reader);
    }
    know_token(reader);
    count_between_instructions(reader);
}

static void XMLCALL on_cdata_start(void *data)
{
    struct xml_reader *reader = data;
    if (reader->is_stopped) {
        return;
    }
    if (!xml_batch_begin_cdata(&reader->batch, position_now(reader), &reader->failure)) {
        stop(reader);
        return;
    }
    reader->is_in_cdata = true;
    know_token(reader);
}

static void XMLCALL on_cdata_end(void *data)
{
    struct xml_reader *reader = data;
    if (reader->is_stopped) {
        return;
    }
    xml_batch_end_cdata(&reader->batch);
    reader->is_in_cdata = false;
    know_token(reader);
}

static void XMLCALL on_comment(void *data, const XML_Char *text)
{
    (void)text;
    know_token(data);
    count_between_instructions(data);
}

/* Only the declaration's encoding matters: only UTF-8 is supported. */
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
    if (!reader->is_stopped && strcmp(target, declaration_target) == 0) {
        if (!check_declaration(reader, text)) {
            stop(reader);
        }
    }
    know_token(reader);
    count_between_instructions(reader);
}

/* Makes the parser continue with the text at `origin`. */
static void begin_parsing(struct xml_reader *reader, struct source_position origin)
{
    const char *root = reader->batch.depth > 0 ? root_and_batch : root_tag;
    if (!XML_ParserReset(reader->parser, "UTF-8")) {
        abort();
    }
#ifdef HAVE_XML_REPARSE_DEFERRAL
    /* Otherwise expat may hold back a complete element while a backend waits for the answer. */
    XML_SetReparseDeferralEnabled(reader->parser, XML_FALSE);
#endif
    XML_SetUserData(reader->parser, reader);
    XML_Parse(reader->parser, root, (int)strlen(root), XML_FALSE);
    reader->parsed_bytes = reader->counted_from = reader->known_bytes = strlen(root);
    reader->origin = reader->known = origin;
    reader->is_in_cdata = false;
    reader->is_stopped = false;
    reader->is_begin = false;
    /* Set only now, so that the handlers do not see the elements around the input. */
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetCharacterDataHandler(reader->parser, on_text);
    XML_SetCdataSectionHandler(reader->parser, on_cdata_start, on_cdata_end);
    XML_SetCommentHandler(reader->parser, on_comment);
    XML_SetProcessingInstructionHandler(reader->parser, on_processing_instruction);
}

/* Returns the parser's input from the position of the error on. */
static struct strbuf unread(struct xml_reader *reader)
{
    struct strbuf rest = STRBUF_INIT(STRBUF_UNCAPPED);
    int offset = 0;
    int size = 0;
    const char *text = XML_GetInputContext(reader->parser, &offset, &size);
    const XML_Index index = XML_GetCurrentByteIndex(reader->parser);
    if (text && index >= (XML_Index)reader->known_bytes) {
        const size_t begin = (size_t)offset - ((size_t)index - reader->known_bytes);
        strbuf_add(&rest, text + begin, (size_t)size - begin);
    }
    return rest;
}

static bool begins_with_tag(const struct strbuf *text, const char *beginning, const char *name)
{
    CLEANUP_FREE char *tag = xasprintf("%s%s", beginning, name);
    const size_t length = strlen(tag);
    return text->length > length && strncmp(text->data, tag, length) == 0 &&
           memchr(" \t\r\n/>", text->data[length], 6);
}

/*
 * Whether a bare instruction was complete before the error, which then belongs to something else.
 */
static bool is_bare_over(const struct strbuf *rest)
{
    return begins_with_tag(rest, "<", "browser_action") || begins_with_tag(rest, "<", "batch") ||
           begins_with_tag(rest, "<", "type") || begins_with_tag(rest, "<?", "xml");
}

/* Whether this is the end tag of an element that was itself refused, and no further error. */
static bool is_end_of_wrapper(const struct xml_reader *reader, const struct strbuf *rest)
{
    return XML_GetErrorCode(reader->parser) == XML_ERROR_TAG_MISMATCH && *reader->skip.wrapper &&
           begins_with_tag(rest, "</", reader->skip.wrapper);
}

/* Passes the error on, with the instruction as far as it was read. */
static bool report(struct xml_reader *reader)
{
    struct br_action *action = xml_batch_give_up(&reader->batch, true);
    action = action ? action : action_create("", reader->known);
    struct br_error err;
    reader->mistake_count++;
    return reader->options.on_mistake(reader->batch.data, action, &reader->failure, &err) ||
           (reader->failure = err, false);
}

/*
 * After an error: drops the open elements, and searches for the next beginning of an instruction,
 * from the beginning of the wrong token on.
 */
static void skip_to_next(struct xml_reader *reader)
{
    struct xml_batch *batch = &reader->batch;
    if (!reader->options.on_mistake || batch->is_refused) {
        reader->has_failed = true;
        return;
    }
    struct strbuf rest = unread(reader);
    const bool is_between = xml_batch_is_between(batch);
    const bool is_wrapper_end = is_between && is_end_of_wrapper(reader, &rest);
    struct br_error err;
    if (is_between && batch->has_type && batch->action && (is_wrapper_end || is_bare_over(&rest)) &&
        !xml_batch_end_bare(batch, &err)) {
        strbuf_finish(&rest);
        reader->failure = err;
        reader->has_failed = true;
        return;
    }
    const struct xml_element *owner = xml_batch_instruction(batch);
    xml_skip_begin(&reader->skip, reader->known, !reader->is_begin, !owner && !batch->action);
    if (owner) {
        xml_skip_set_owner(&reader->skip, owner->name, batch->has_type);
    }
    if (reader->is_in_cdata) {
        xml_skip_set_cdata(&reader->skip);
    }
    if (is_wrapper_end) {
        reader->skip.wrapper[0] = '\0';
    } else {
        reader->has_failed = !report(reader);
    }
    reader->skip.is_batch_open = batch->depth > 0;
    reader->is_skipping = true;
    reader->held = rest;
}

static bool find_fault(struct xml_reader *reader, const char *bytes, size_t length)
{
    const enum XML_Status status = XML_Parse(reader->parser, bytes, (int)length, XML_FALSE);
    if (reader->is_stopped) {
        return false; /* expat does not report it if the piece ends after <![CDATA[ */
    }
    if (status != XML_STATUS_OK) {
        return fail_malformed(reader);
    }
    reader->parsed_bytes += length;
    /* Expat scans an unfinished tag again with every piece, so its length must be limited. */
    const XML_Index unfinished = XML_GetCurrentByteIndex(reader->parser);
    if (unfinished >= 0 && reader->parsed_bytes - (size_t)unfinished > XML_MAX_TAG_BYTES) {
        error_set(&reader->failure, BR_LIMIT_EXCEEDED, "a tag or comment is over %d MiB long",
                  XML_MAX_TAG_BYTES / (1024 * 1024));
        return fail_here(reader);
    }
    if (reader->parsed_bytes - reader->counted_from > INSTRUCTION_MAX_BYTES) {
        error_set(&reader->failure, BR_LIMIT_EXCEEDED, "%s is over %d MiB long",
                  reader->options.is_stream ? "an instruction" : "the batch",
                  INSTRUCTION_MAX_BYTES / (1024 * 1024));
        return fail_here(reader);
    }
    return true;
}

static void parse(struct xml_reader *reader, const char *bytes, size_t length)
{
    if (!find_fault(reader, bytes, length)) {
        skip_to_next(reader);
    }
}

/* Continues with the instruction that the skipping has found. */
static void resume(struct xml_reader *reader)
{
    struct xml_skip *skip = &reader->skip;
    if (xml_skip_is_at_batch(skip)) {
        xml_batch_give_up(&reader->batch, false);
    }
    reader->is_skipping = false;
    begin_parsing(reader, skip->tag_position);
    parse(reader, skip->tag, skip->tag_length);
}

/* Consumes all bytes; after an error the remaining ones are in `held`. */
static void read_bytes(struct xml_reader *reader, const char *bytes, size_t length)
{
    while (length > 0 && !reader->has_failed) {
        size_t taken = length;
        if (reader->is_skipping) {
            bool is_found = false;
            taken = xml_skip_read(&reader->skip, bytes, length, &is_found);
            if (is_found) {
                resume(reader);
            }
        } else {
            parse(reader, bytes, length);
        }
        bytes += taken;
        length -= taken;
    }
}

static void read_held(struct xml_reader *reader)
{
    while (reader->held.length > 0 && !reader->has_failed) {
        struct strbuf held = reader->held;
        reader->held = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
        read_bytes(reader, held.data, held.length);
        strbuf_finish(&held);
    }
}

/*
 * Reads the byte order mark, white space and the XML declaration; returns how many bytes it
 * consumed, which the parser has received in a changed form.
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
        /* Not the complete mark: expat reports what is wrong with these bytes. */
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

struct xml_reader *xml_reader_create(const struct instruction_options *options,
                                     instruction_on_action *on_action, void *data)
{
    struct xml_reader *reader = xcalloc(1, sizeof(*reader));
    reader->options = options ? *options : (struct instruction_options){ 0 };
    xml_batch_init(&reader->batch, !reader->options.is_stream, on_action, data);
    reader->held = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    reader->parser = XML_ParserCreate("UTF-8");
    if (!reader->parser) {
        abort();
    }
    begin_parsing(reader, (struct source_position){ 1, 1 });
    return reader;
}

bool xml_reader_feed(struct xml_reader *reader, const char *bytes, size_t length,
                     struct br_error *err)
{
    while (length > 0 && !reader->has_failed) {
        size_t piece = length < PIECE ? length : PIECE;
        if (!reader->is_head_over) {
            piece = parse_head(reader, bytes, piece);
        } else {
            read_bytes(reader, bytes, piece);
        }
        read_held(reader);
        bytes += piece;
        length -= piece;
    }
    if (reader->has_failed) {
        *err = reader->failure;
        return false;
    }
    return true;
}

static bool find_fault_at_end(struct xml_reader *reader)
{
    XML_Parse(reader->parser, "", 0, XML_TRUE);
    if (reader->is_stopped) {
        return false;
    }
    /*
     * The input is complete if expat misses only the end of our own root element. If an element of
     * the input is open, that one is the better one to name.
     */
    if (!xml_batch_innermost(&reader->batch) &&
        XML_GetErrorCode(reader->parser) != XML_ERROR_NO_ELEMENTS) {
        return fail_malformed(reader);
    }
    return xml_batch_end(&reader->batch, position_now(reader), &reader->failure);
}

bool xml_reader_end(struct xml_reader *reader, struct br_error *err)
{
    if (!reader->is_head_over && reader->mark_length < strlen(byte_order_mark)) {
        parse(reader, byte_order_mark, reader->mark_length);
    }
    if (!reader->has_failed && !reader->is_skipping && !find_fault_at_end(reader)) {
        skip_to_next(reader);
    }
    if (!reader->has_failed && reader->batch.instruction_count + reader->mistake_count == 0) {
        reader->has_failed = true;
        error_set(&reader->failure, BR_INVALID_ACTION, "no instruction found");
    }
    if (reader->has_failed) {
        *err = reader->failure;
    }
    return !reader->has_failed;
}

bool xml_reader_has_bare(const struct xml_reader *reader)
{
    const struct xml_batch *batch = &reader->batch;
    return batch->action && batch->has_type && xml_batch_is_between(batch) &&
           !reader->is_skipping && !reader->has_failed &&
           reader->known_bytes == reader->parsed_bytes;
}

bool xml_reader_end_bare(struct xml_reader *reader, struct br_error *err)
{
    reader->has_failed = !xml_batch_end_bare(&reader->batch, &reader->failure);
    reader->counted_from = reader->parsed_bytes;
    if (reader->has_failed) {
        *err = reader->failure;
    }
    return !reader->has_failed;
}

void xml_reader_destroy(struct xml_reader *reader)
{
    if (!reader) {
        return;
    }
    xml_batch_finish(&reader->batch);
    strbuf_finish(&reader->held);
    XML_ParserFree(reader->parser);
    free(reader);
}
