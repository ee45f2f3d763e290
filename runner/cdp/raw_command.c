#include "runner/cdp/raw_command.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/utf8.h"
#include "runner/cdp/cbor_writer.h"
#include "runner/cdp/message.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads JSON value by value (RFC 8259), and writes it as CBOR where there is a writer. */
struct reader {
    const char *text, *at, *end;
    struct cbor_writer *writer; /* NULL: it is only looked at */
    size_t depth;
    const char *mistake; /* NULL while there is none; `at` is where it was found */
};

static bool refuse(struct reader *reader, const char *mistake)
{
    if (!reader->mistake) {
        reader->mistake = mistake;
    }
    return false;
}

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\t' ||
                                        *reader->at == '\n' || *reader->at == '\r')) {
        reader->at++;
    }
}

/* Takes this character, if it is the next one. */
static bool take(struct reader *reader, char character)
{
    bool is_next = reader->at < reader->end && *reader->at == character;
    reader->at += is_next;
    return is_next;
}

/* The value of four hexadecimal digits, or -1. */
static int read_hex(const char *digits)
{
    int value = 0;
    for (size_t i = 0; i < 4; i++) {
        const char *all = "0123456789abcdef0123456789ABCDEF";
        const char *digit = digits[i] ? strchr(all, digits[i]) : NULL;
        if (!digit) {
            return -1;
        }
        value = value * 16 + (int)((digit - all) % 16);
    }
    return value;
}

/* Reads what follows a backslash. The unit of UTF-16 that it stands for, or -1. */
static int read_escape(struct reader *reader)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    char letter = *reader->at;
    if (letter == 'u' && reader->end - reader->at > 4) {
        int unit = read_hex(reader->at + 1);
        reader->at += unit < 0 ? 0 : 5;
        return unit;
    }
    const char *found = letter ? strchr(letters, letter) : NULL;
    reader->at += found ? 1 : 0;
    return found ? meanings[found - letters] : -1;
}

/* What is between two quotes. */
struct text {
    const char *from, *to;
    bool has_escapes;
    bool is_ascii; /* once they are resolved */
};

/* Up to the quote that ends it. */
static bool read_characters(struct reader *reader, struct text *text)
{
    while (reader->at < reader->end && *reader->at != '"') {
        unsigned char byte = (unsigned char)*reader->at;
        if (byte < 0x20) {
            return refuse(reader, "a control character in a text");
        }
        size_t size =
            byte < 0x80 ? 1 : utf8_sequence(reader->at, (size_t)(reader->end - reader->at));
        if (size == 0) {
            return refuse(reader, "what is no UTF-8");
        }
        text->is_ascii = text->is_ascii && size == 1;
        reader->at += size;
        if (byte == '\\') {
            int unit = read_escape(reader);
            if (unit < 0) {
                return refuse(reader, "an escape that JSON does not know");
            }
            text->has_escapes = true;
            text->is_ascii = text->is_ascii && unit < 0x80;
        }
    }
    return true;
}

static bool read_text(struct reader *reader, struct text *ret_text)
{
    if (!take(reader, '"')) {
        return refuse(reader, "something other than a text");
    }
    *ret_text = (struct text){ .from = reader->at, .is_ascii = true };
    if (!read_characters(reader, ret_text)) {
        return false;
    }
    ret_text->to = reader->at;
    return take(reader, '"') || refuse(reader, "a text without an end");
}

/* A text of ASCII with its escapes resolved; `out` has room for as much as it has characters. */
static size_t resolve(const struct text *text, char *out)
{
    struct reader reader = { .at = text->from, .end = text->to + 1 };
    size_t length = 0;
    while (reader.at < text->to) {
        char character = *reader.at++;
        out[length++] = character == '\\' ? (char)read_escape(&reader) : character;
    }
    return length;
}

static void write_utf16(struct cbor_writer *writer, const struct text *text)
{
    struct reader reader = { .at = text->from, .end = text->to + 1 };
    size_t begin = cbor_begin_utf16(writer);
    while (reader.at < text->to) {
        if (take(&reader, '\\')) {
            cbor_put_unit(writer, (unsigned)read_escape(&reader));
        } else {
            size_t size = utf8_sequence(reader.at, (size_t)(text->to - reader.at));
            cbor_put_character(writer, reader.at, size);
            reader.at += size;
        }
    }
    cbor_end_utf16(writer, begin);
}

static void write_text(struct cbor_writer *writer, const struct text *text)
{
    if (!text->is_ascii) {
        write_utf16(writer, text);
    } else if (!text->has_escapes) {
        cbor_put_ascii(writer, text->from, (size_t)(text->to - text->from));
    } else {
        CLEANUP_FREE char *resolved = xmalloc((size_t)(text->to - text->from));
        cbor_put_ascii(writer, resolved, resolve(text, resolved));
    }
}

static bool walk_text(struct reader *reader)
{
    struct text text;
    if (!read_text(reader, &text)) {
        return false;
    }
    if (reader->writer) {
        write_text(reader->writer, &text);
    }
    return true;
}

/* How many digits there are, which are taken. */
static size_t take_digits(struct reader *reader)
{
    const char *from = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
        reader->at++;
    }
    return (size_t)(reader->at - from);
}

static bool read_number(struct reader *reader)
{
    take(reader, '-');
    if (!take(reader, '0') && take_digits(reader) == 0) {
        return refuse(reader, "what is no JSON");
    }
    if (take(reader, '.') && take_digits(reader) == 0) {
        return refuse(reader, "a number without its digits");
    }
    if (take(reader, 'e') || take(reader, 'E')) {
        if (!take(reader, '+')) {
            take(reader, '-');
        }
        if (take_digits(reader) == 0) {
            return refuse(reader, "a number without its digits");
        }
    }
    return true;
}

static bool walk_number(struct reader *reader)
{
    const char *from = reader->at;
    if (!read_number(reader)) {
        return false;
    }
    /* What follows is not of the number, or there is a NUL. */
    double number = strtod(from, NULL);
    if (!isfinite(number) || reader->at - from > RAW_NUMBER) {
        reader->at = from;
        return refuse(reader, "a number that is too large");
    }
    if (reader->writer) {
        cbor_put_number(reader->writer, number);
    }
    return true;
}

static bool walk_literal(struct reader *reader)
{
    static const struct {
        const char *word;
        enum cbor_literal literal;
    } table[] = { { "null", CBOR_NULL }, { "false", CBOR_FALSE }, { "true", CBOR_TRUE } };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        size_t length = strlen(table[i].word);
        if ((size_t)(reader->end - reader->at) >= length &&
            memcmp(reader->at, table[i].word, length) == 0) {
            reader->at += length;
            if (reader->writer) {
                cbor_put_literal(reader->writer, table[i].literal);
            }
            return true;
        }
    }
    return walk_number(reader);
}

static bool walk_value(struct reader *reader);

/* The colon between a name and its value. */
static bool take_colon(struct reader *reader)
{
    skip_space(reader);
    if (!take(reader, ':')) {
        return refuse(reader, "a name without a colon");
    }
    skip_space(reader);
    return true;
}

/* Goes on to the next member or item. False at `close`, which is taken, and at a mistake. */
static bool take_comma(struct reader *reader, char close)
{
    skip_space(reader);
    if (take(reader, close)) {
        return false;
    }
    if (!take(reader, ',')) {
        return refuse(reader, reader->at < reader->end ? "what is no JSON" : "an early end");
    }
    skip_space(reader);
    return true;
}

static bool walk_items(struct reader *reader, char close)
{
    bool is_object = close == '}';
    skip_space(reader);
    if (take(reader, close)) {
        return true;
    }
    do {
        if (is_object && !(walk_text(reader) && take_colon(reader))) {
            return false;
        }
        if (!walk_value(reader)) {
            return false;
        }
    } while (take_comma(reader, close));
    return !reader->mistake;
}

static bool walk_nested(struct reader *reader, char close)
{
    if (reader->depth == CDP_MAX_DEPTH) {
        return refuse(reader, "more levels than Chrome can read");
    }
    size_t begin = reader->writer ? cbor_begin(reader->writer, close == '}') : 0;
    reader->depth++;
    if (!walk_items(reader, close)) {
        return false;
    }
    reader->depth--;
    if (reader->writer) {
        cbor_end(reader->writer, begin);
    }
    return true;
}

static bool walk_value(struct reader *reader)
{
    if (reader->at >= reader->end) {
        return refuse(reader, "an early end");
    }
    if (*reader->at == '"') {
        return walk_text(reader);
    }
    if (take(reader, '{')) {
        return walk_nested(reader, '}');
    }
    return take(reader, '[') ? walk_nested(reader, ']') : walk_literal(reader);
}

/* The members that a command may have. */
enum member { ID, METHOD, SESSION_ID, PARAMS, MEMBERS };

static const char *const names[MEMBERS] = {
    [ID] = "id",
    [METHOD] = "method",
    [SESSION_ID] = "sessionId",
    [PARAMS] = "params",
};

/* The raw text of each; length 0 where there is none. */
struct members {
    struct cdp_slice values[MEMBERS];
};

/* Which member this name is; MEMBERS: another one. */
static enum member find_member(const struct text *name)
{
    char resolved[6 * sizeof("sessionId")];
    size_t length = (size_t)(name->to - name->from);
    if (!name->is_ascii || length > sizeof(resolved)) {
        return MEMBERS;
    }
    length = resolve(name, resolved);
    enum member member = ID;
    while (member < MEMBERS &&
           !cdp_slice_equals((struct cdp_slice){ resolved, length }, names[member])) {
        member++;
    }
    return member;
}

/* The text of a string without escapes; length 0 for any other value. */
static struct cdp_slice plain_text(struct cdp_slice value)
{
    if (value.length < 2 || value.text[0] != '"' || memchr(value.text, '\\', value.length)) {
        return (struct cdp_slice){ 0 };
    }
    return (struct cdp_slice){ value.text + 1, value.length - 2 };
}

static bool read_id(struct raw_command *command, struct cdp_slice value)
{
    size_t digits = value.text[0] == '-' ? 1 : 0;
    long long id = 0;
    if (value.length - digits > 10) {
        return false;
    }
    for (size_t i = digits; i < value.length; i++) {
        if (value.text[i] < '0' || value.text[i] > '9') {
            return false;
        }
        id = id * 10 + value.text[i] - '0';
    }
    id = digits ? -id : id;
    command->has_id = id >= INT32_MIN && id <= INT32_MAX;
    command->id = command->has_id ? (int32_t)id : 0;
    return command->has_id;
}

/* As soon as it is there: a mistake that comes later can be answered then. */
static bool note_value(struct raw_command *command, enum member member, struct cdp_slice value)
{
    if (member == ID) {
        return read_id(command, value);
    }
    if (member == SESSION_ID) {
        struct cdp_slice id = plain_text(value);
        command->session_id = id.length ? xstrndup(id.text, id.length) : NULL;
        return command->session_id;
    }
    return value.text[0] == (member == METHOD ? '"' : '{');
}

/* A command may be JSON all the same. */
static bool refuse_command(struct raw_command *command, struct reader *reader, const char *at,
                           const char *mistake)
{
    reader->at = at;
    command->failure = RAW_NO_COMMAND;
    return refuse(reader, mistake);
}

static bool read_member(struct raw_command *command, struct reader *reader, struct members *members)
{
    static const char *const mistakes[MEMBERS] = {
        [ID] = "an id that is no whole number of 32 bits",
        [METHOD] = "a method that is no text",
        [SESSION_ID] = "a sessionId that is none",
        [PARAMS] = "params that are no object",
    };
    struct text name;
    const char *from = reader->at;
    if (!read_text(reader, &name) || !take_colon(reader)) {
        return false;
    }
    enum member member = find_member(&name);
    if (member == MEMBERS) {
        return refuse_command(command, reader, from,
                              "a member other than id, method, sessionId and params");
    }
    if (members->values[member].length > 0) {
        return refuse_command(command, reader, from, "a member for the second time");
    }
    const char *value = reader->at;
    if (!walk_value(reader)) {
        return false;
    }
    members->values[member] = (struct cdp_slice){ value, (size_t)(reader->at - value) };
    return note_value(command, member, members->values[member]) ||
           refuse_command(command, reader, value, mistakes[member]);
}

static bool read_members(struct raw_command *command, struct reader *reader,
                         struct members *members)
{
    skip_space(reader);
    if (!take(reader, '{')) {
        return reader->at == reader->end
                   ? refuse(reader, "an early end")
                   : refuse_command(command, reader, reader->at, "something other than an object");
    }
    skip_space(reader);
    if (!take(reader, '}')) {
        do {
            if (!read_member(command, reader, members)) {
                return false;
            }
        } while (take_comma(reader, '}'));
    }
    skip_space(reader);
    if (!reader->mistake && reader->at < reader->end) {
        return refuse(reader, "something behind the command");
    }
    if (!reader->mistake && (!command->has_id || members->values[METHOD].length == 0)) {
        return refuse_command(command, reader, reader->text,
                              command->has_id ? "no method" : "no id");
    }
    return !reader->mistake;
}

static void write_as_cbor(struct raw_command *command, const struct members *members,
                          const char *session_id)
{
    struct cbor_writer writer = { 0 };
    size_t begin = cbor_begin(&writer, true);
    cbor_put_ascii(&writer, names[ID], strlen(names[ID]));
    command->id_at = cbor_put_id(&writer);
    for (enum member member = METHOD; member < MEMBERS; member++) {
        struct cdp_slice value = members->values[member];
        if (value.length > 0) {
            struct reader reader = {
                .at = value.text,
                .end = value.text + value.length,
                .writer = &writer,
            };
            cbor_put_ascii(&writer, names[member], strlen(names[member]));
            walk_value(&reader); /* again: it is fine */
        }
    }
    if (!command->session_id && session_id) {
        cbor_put_ascii(&writer, names[SESSION_ID], strlen(names[SESSION_ID]));
        cbor_put_ascii(&writer, session_id, strlen(session_id));
    }
    cbor_end(&writer, begin);
    command->bytes = (char *)writer.bytes;
    command->length = writer.length;
}

/* Room for an id that is known later; spaces mean nothing there. */
#define ID_ROOM "          "

static void write_as_text(struct raw_command *command, const struct members *members,
                          const char *session_id)
{
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "{\"id\":");
    command->id_at = buf.length;
    strbuf_add_string(&buf, ID_ROOM);
    for (enum member member = METHOD; member < MEMBERS; member++) {
        struct cdp_slice value = members->values[member];
        if (value.length > 0) {
            strbuf_add_format(&buf, ",\"%s\":", names[member]);
            strbuf_add(&buf, value.text, value.length);
        }
    }
    if (!command->session_id && session_id) {
        strbuf_add_format(&buf, ",\"%s\":\"%s\"", names[SESSION_ID], session_id);
    }
    strbuf_add_string(&buf, "}");
    command->length = buf.length;
    command->bytes = strbuf_take(&buf);
}

bool raw_command_read(struct raw_command *command, const char *text, size_t length, bool is_cbor,
                      const char *session_id, struct br_error *err)
{
    struct reader reader = { .text = text, .at = text, .end = text + length };
    struct members members = { 0 };
    *command = (struct raw_command){ .is_cbor = is_cbor, .failure = RAW_NO_JSON };
    if (!read_members(command, &reader, &members)) {
        return error_set(err, BR_INVALID_ACTION, "%s at byte %zu of the command", reader.mistake,
                         (size_t)(reader.at - text));
    }
    command->failure = 0;
    (is_cbor ? write_as_cbor : write_as_text)(command, &members, session_id);
    return true;
}

void raw_command_set_id(struct raw_command *command, int32_t id)
{
    char digits[sizeof(ID_ROOM) + 2];
    if (command->is_cbor) {
        cbor_set_id((unsigned char *)command->bytes + command->id_at, (uint32_t)id);
        return;
    }
    snprintf(digits, sizeof(digits), "%*d", (int)sizeof(ID_ROOM) - 1, (int)id);
    memcpy(command->bytes + command->id_at, digits, sizeof(ID_ROOM) - 1);
}

void raw_command_finish(struct raw_command *command)
{
    free(command->session_id);
    free(command->bytes);
    *command = (struct raw_command){ 0 };
}
