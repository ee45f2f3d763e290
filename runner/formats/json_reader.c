#include "runner/formats/json_reader.h"

#include "runner/base/json.h"
#include "runner/base/json_position.h"
#include "runner/base/strbuf.h"
#include "runner/formats/tool_call.h"

#include <string.h>

enum { MAX_DEPTH = 64 }; /* levels of nested brackets */

static const char byte_order_mark[] = "\xEF\xBB\xBF";
static const char as_an_example[] =
    "an instruction is an object, such as {\"type\": \"click\", \"selector\": \"#go\"}";

struct json_reader {
    struct instruction_options options;
    instruction_on_action *on_action;
    void *data;

    struct source_position here; /* position of the next byte */
    char last;                   /* the previous byte */
    size_t byte_count;
    bool is_line_begin; /* only white space so far in this line */

    struct strbuf text;           /* the open instruction */
    struct source_position begin; /* where it begins */
    char open[MAX_DEPTH];         /* its open brackets, outermost first */
    size_t depth;
    bool is_in_string, is_escaped;
    char before; /* its last byte that is not white space */

    bool is_in_array; /* instructions are in an array */
    bool is_skipping; /* after an error, up to the beginning of an instruction */
    size_t instruction_count, mistake_count;

    bool has_failed; /* permanently */
    struct br_error failure;
};

/* Passes the error on. Takes ownership of the action. */
static void report(struct json_reader *reader, struct br_action *action, const struct br_error *why)
{
    reader->mistake_count++;
    if (reader->options.on_mistake) {
        reader->has_failed =
            !reader->options.on_mistake(reader->data, action, why, &reader->failure);
        return;
    }
    br_action_destroy(action);
    reader->failure = *why;
    reader->has_failed = true;
}

static bool at(struct br_error *err, struct source_position position)
{
    return error_context(err, "line %u, column %u", position.line, position.column);
}

/* Reports an error at the next byte: drops the open instruction, and skips to the next one. */
static void skip_to_next(struct json_reader *reader, struct br_error *why)
{
    at(why, reader->here);
    struct source_position begin = reader->depth > 0 ? reader->begin : reader->here;
    reader->depth = 0;
    reader->is_in_string = false;
    reader->is_escaped = false;
    reader->is_skipping = true;
    strbuf_clear(&reader->text);
    report(reader, action_create("", begin), why);
}

/* Converts a position in the instruction's text to one in the input. */
static struct source_position place_of(const struct json_reader *reader, unsigned line,
                                       unsigned column)
{
    return (struct source_position){
        .line = reader->begin.line + line - 1,
        .column = line == 1 ? reader->begin.column + column - 1 : column,
    };
}

struct duplicate {
    const struct json_reader *reader;
    struct br_error *err;
    bool is_found;
};

static bool on_duplicate(void *data, const char *key, struct source_position position)
{
    struct duplicate *duplicate = data;
    duplicate->is_found = true;
    error_set(duplicate->err, BR_INVALID_ACTION, "\"%s\" is given twice", key);
    at(duplicate->err, place_of(duplicate->reader, position.line, position.column));
    error_hint(duplicate->err, "remove one of them");
    return false;
}

/* Parses the open instruction's text; NULL with INVALID_ACTION and the position. Caller decrefs. */
static json_t *parse_text(const struct json_reader *reader, struct br_error *err)
{
    const struct strbuf *text = &reader->text;
    struct duplicate duplicate = { .reader = reader, .err = err };
    json_error_t where;
    json_t *value = json_parse(text->data, text->length, "the instruction", err);
    if (!value) {
        json_decref(json_loadb(text->data, text->length, JSON_ALLOW_NUL, &where));
        error_set(err, BR_INVALID_ACTION, "not JSON: %s", where.text);
        at(err, place_of(reader, (unsigned)where.line, (unsigned)where.column));
        error_hint(err, "%s", as_an_example);
        return NULL;
    }
    json_find_duplicates(text->data, text->length, on_duplicate, &duplicate);
    if (duplicate.is_found) {
        json_decref(value);
        return NULL;
    }
    return value;
}

static bool set_type(const json_t *object, struct br_action *action, struct br_error *err)
{
    const json_t *value = json_object_get(object, "type");
    const char *type = json_string_value(value);
    if (!type || *type == '\0' || strlen(type) != json_string_length(value)) {
        error_set(err, BR_INVALID_ACTION,
                  value ? "the type is not a name" : "an instruction without a type");
        return error_hint(err, "say what it does, such as \"type\": \"click\"");
    }
    free(action->type);
    action->type = xstrdup(type);
    return true;
}

/* Records the positions of the parameters. */
static void add_places(const struct json_reader *reader, struct br_action *action)
{
    const char *key;
    json_t *value;
    json_object_foreach (action->params, key, value) {
        const struct json_step step = { .key = key };
        const struct source_position place =
            json_position(reader->text.data, reader->text.length, &step, 1);
        action_add_source(action, key, NULL, place_of(reader, place.line, place.column));
    }
}

/* Fills the action from the instruction's text. */
static bool read_instruction(const struct json_reader *reader, struct br_action *action,
                             struct br_error *err)
{
    json_auto_t *object = parse_text(reader, err);
    if (!object) {
        return false;
    }
    const bool is_call = tool_call_kind(object) != CALL_NONE;
    if (is_call ? !tool_call_read(object, action, err) : !set_type(object, action, err)) {
        return at(err, reader->begin);
    }
    if (!is_call) {
        json_object_del(object, "type");
        json_object_update(action->params, object);
    }
    if (json_object_size(action->params) > INSTRUCTION_MAX_PARAMETERS) {
        error_set(err, BR_LIMIT_EXCEEDED, "more than %d parameters in an instruction",
                  INSTRUCTION_MAX_PARAMETERS);
        return at(err, reader->begin);
    }
    if (!is_call) {
        add_places(reader, action);
    }
    return true;
}

/* Processes the complete open instruction. */
static void take_instruction(struct json_reader *reader)
{
    struct br_error err;
    struct br_action *action = action_create("", reader->begin);
    bool is_read = read_instruction(reader, action, &err);
    strbuf_clear(&reader->text);
    if (!is_read) {
        report(reader, action, &err);
        return;
    }
    reader->instruction_count++;
    reader->has_failed = !reader->on_action(reader->data, action, &reader->failure);
}

static void begin_instruction(struct json_reader *reader)
{
    struct br_error err;
    if (!reader->options.is_stream && reader->instruction_count == INSTRUCTION_MAX_COUNT) {
        error_set(&err, BR_LIMIT_EXCEEDED, "more than %d instructions in a batch",
                  INSTRUCTION_MAX_COUNT);
        skip_to_next(reader, &err);
        return;
    }
    reader->begin = reader->here;
    reader->is_skipping = false;
    reader->open[0] = '{';
    reader->depth = 1;
    reader->before = '{';
    strbuf_add(&reader->text, "{", 1);
}

static void read_between(struct json_reader *reader, char c)
{
    struct br_error err;
    if (reader->is_skipping && !reader->is_line_begin) {
        return;
    }
    if (c == '{') {
        begin_instruction(reader);
    } else if (c == (reader->is_in_array ? ']' : '[')) {
        reader->is_in_array = !reader->is_in_array;
        reader->is_skipping = false;
    } else if (c != ',' && !reader->is_skipping) {
        error_set(&err, BR_INVALID_ACTION, "text outside of an instruction");
        error_hint(&err, "%s; give them alone: no prose, and no ``` around them", as_an_example);
        skip_to_next(reader, &err);
    }
}

static void read_in_string(struct json_reader *reader, char c)
{
    struct br_error err;
    if (c == '\n') {
        error_set(&err, BR_INVALID_ACTION, "the line ends inside of a string");
        error_hint(&err, "write \\n for a new line, and \\\" for a quotation mark in a string");
        skip_to_next(reader, &err);
    } else if (reader->is_escaped) {
        reader->is_escaped = false;
    } else {
        reader->is_escaped = c == '\\';
        reader->is_in_string = c != '"';
    }
}

static void open_bracket(struct json_reader *reader, char c)
{
    struct br_error err;
    if (reader->depth < MAX_DEPTH) {
        reader->open[reader->depth++] = c;
        return;
    }
    error_set(&err, BR_LIMIT_EXCEEDED, "brackets lie over %d deep inside each other", MAX_DEPTH);
    skip_to_next(reader, &err);
}

static void close_bracket(struct json_reader *reader, char c)
{
    struct br_error err;
    if (reader->open[reader->depth - 1] != (c == '}' ? '{' : '[')) {
        error_set(&err, BR_INVALID_ACTION, "a %c where %s has to be closed", c,
                  c == '}' ? "a [" : "a {");
        error_hint(&err, "write %c before", c == '}' ? ']' : '}');
        skip_to_next(reader, &err);
    } else if (--reader->depth == 0) {
        take_instruction(reader);
    }
}

/* Whether JSON allows a value here. */
static bool may_begin_value(const struct json_reader *reader)
{
    bool is_in_list = reader->open[reader->depth - 1] == '[';
    return reader->before == ':' || (is_in_list && strchr("[,", reader->before));
}

/* Reads a byte of an instruction that is neither white space nor inside a string. */
static void read_inside(struct json_reader *reader, char c)
{
    struct br_error err;
    if (c == '{' && reader->is_line_begin && !may_begin_value(reader)) {
        error_set(&err, BR_INVALID_ACTION,
                  "a { where the instruction of line %u, column %u, has to be closed",
                  reader->begin.line, reader->begin.column);
        error_hint(&err, "write } before");
        skip_to_next(reader, &err);
        if (!reader->has_failed) {
            begin_instruction(reader);
        }
        return;
    }
    reader->before = c;
    if (c == '"') {
        reader->is_in_string = true;
    } else if (c == '{' || c == '[') {
        open_bracket(reader, c);
    } else if (c == '}' || c == ']') {
        close_bracket(reader, c);
    }
}

static bool is_too_long(const struct json_reader *reader)
{
    return reader->text.length > INSTRUCTION_MAX_BYTES ||
           (!reader->options.is_stream && reader->byte_count > INSTRUCTION_MAX_BYTES);
}

static void read_byte(struct json_reader *reader, char c)
{
    struct br_error err;
    bool is_white = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (reader->depth > 0) {
        strbuf_add(&reader->text, &c, 1);
    }
    if (is_too_long(reader)) {
        error_set(&err, BR_LIMIT_EXCEEDED, "%s is over %d MiB long",
                  reader->options.is_stream ? "an instruction" : "the batch",
                  INSTRUCTION_MAX_BYTES / (1024 * 1024));
        skip_to_next(reader, &err);
    } else if (reader->is_in_string) {
        read_in_string(reader, c);
    } else if (!is_white && reader->depth > 0) {
        read_inside(reader, c);
    } else if (!is_white) {
        read_between(reader, c);
    }
    source_position_advance(&reader->here, reader->last, c);
    reader->last = c;
    reader->is_line_begin = c == '\n' || (is_white && reader->is_line_begin);
}

struct json_reader *json_reader_create(const struct instruction_options *options,
                                       instruction_on_action *on_action, void *data)
{
    struct json_reader *reader = xcalloc(1, sizeof(*reader));
    *reader = (struct json_reader){
        .options = options ? *options : (struct instruction_options){ 0 },
        .on_action = on_action,
        .data = data,
        .here = { 1, 1 },
        .is_line_begin = true,
        .text = STRBUF_INIT(STRBUF_UNCAPPED),
    };
    return reader;
}

bool json_reader_feed(struct json_reader *reader, const char *bytes, size_t length,
                      struct br_error *err)
{
    for (size_t i = 0; i < length && !reader->has_failed; i++) {
        size_t place = reader->byte_count++;
        if (place >= strlen(byte_order_mark) || bytes[i] != byte_order_mark[place]) {
            read_byte(reader, bytes[i]);
        }
    }
    if (reader->has_failed) {
        *err = reader->failure;
    }
    return !reader->has_failed;
}

bool json_reader_end(struct json_reader *reader, struct br_error *err)
{
    struct br_error why;
    if (!reader->has_failed && reader->depth > 0) {
        error_set(&why, BR_INVALID_ACTION,
                  "the input ends inside of the instruction of line %u, column %u",
                  reader->begin.line, reader->begin.column);
        error_hint(&why, "write %s before",
                   reader->is_in_string                     ? "\""
                   : reader->open[reader->depth - 1] == '{' ? "}"
                                                            : "]");
        skip_to_next(reader, &why);
    } else if (!reader->has_failed && reader->is_in_array) {
        error_set(&why, BR_INVALID_ACTION, "the input ends inside of an array");
        error_hint(&why, "write ] behind the last instruction");
        skip_to_next(reader, &why);
    } else if (!reader->has_failed && reader->instruction_count + reader->mistake_count == 0) {
        error_set(&reader->failure, BR_INVALID_ACTION, "no instruction found");
        reader->has_failed = true;
    }
    if (reader->has_failed) {
        *err = reader->failure;
    }
    return !reader->has_failed;
}

void json_reader_destroy(struct json_reader *reader)
{
    if (reader) {
        strbuf_finish(&reader->text);
        free(reader);
    }
}
