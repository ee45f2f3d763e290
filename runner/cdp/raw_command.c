#include "runner/cdp/raw_command.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cdp/json_walk.h"
#include "runner/cdp/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[RAW_MEMBERS] = {
    [RAW_ID] = "id",
    [RAW_METHOD] = "method",
    [RAW_SESSION_ID] = "sessionId",
    [RAW_PARAMS] = "params",
};

/* Returns the member with this name; RAW_MEMBERS for any other name. */
static enum raw_member find_member(const struct json_walk_text *name)
{
    char resolved[6 * sizeof("sessionId")];
    size_t length = (size_t)(name->to - name->from);
    if (!name->is_ascii || length > sizeof(resolved)) {
        return RAW_MEMBERS;
    }
    length = json_walk_resolve(name, resolved);
    enum raw_member member = RAW_ID;
    while (member < RAW_MEMBERS &&
           !cdp_slice_equals((struct cdp_slice){ resolved, length }, names[member])) {
        member++;
    }
    return member;
}

/* Returns the text of a string without escapes; length 0 for any other value. */
static struct cdp_slice plain_text(struct cdp_slice value)
{
    if (value.length < 2 || value.text[0] != '"' || memchr(value.text, '\\', value.length)) {
        return (struct cdp_slice){ 0 };
    }
    return (struct cdp_slice){ value.text + 1, value.length - 2 };
}

/* Chrome also accepts 7.0 and 70e-1 for 7. */
static bool read_id(struct raw_command *command, struct cdp_slice value)
{
    bool is_number = strchr("-0123456789", value.text[0]);
    double id = is_number ? strtod(value.text, NULL) : 0;
    command->has_id = is_number && id >= INT32_MIN && id <= INT32_MAX && (double)(int32_t)id == id;
    command->id = command->has_id ? (int32_t)id : 0;
    return command->has_id;
}

/* Whether Chrome treats the member as absent: "sessionId":"" and "params":null. */
static bool is_nothing(enum raw_member member, struct cdp_slice value)
{
    return (member == RAW_SESSION_ID && cdp_slice_equals(value, "\"\"")) ||
           (member == RAW_PARAMS && cdp_slice_equals(value, "null"));
}

/* Stores a value as soon as it is read, so that the answer to a later mistake has the id. */
static bool note_value(struct raw_command *command, enum raw_member member, struct cdp_slice value)
{
    if (member == RAW_ID) {
        return read_id(command, value);
    }
    if (member == RAW_SESSION_ID) {
        struct cdp_slice id = plain_text(value);
        command->session_id = id.length ? xstrndup(id.text, id.length) : NULL;
        return command->session_id;
    }
    /* Chrome accepts an array as params if the method has none. */
    return value.text[0] == (member == RAW_METHOD ? '"' : '{') ||
           (member == RAW_PARAMS && value.text[0] == '[');
}

/* Refuses a text that may be valid JSON but is not a command. */
static bool refuse_command(struct raw_command *command, struct json_walk *walk, const char *at,
                           const char *mistake)
{
    walk->at = at;
    command->failure = RAW_NO_COMMAND;
    return json_walk_refuse(walk, mistake);
}

/* *seen has a bit for each member that has been read. */
static bool read_member(struct raw_command *command, struct json_walk *walk, unsigned *seen)
{
    static const char *const mistakes[RAW_MEMBERS] = {
        [RAW_ID] = "an id that is no whole number of 32 bits",
        [RAW_METHOD] = "a method that is no text",
        [RAW_SESSION_ID] = "a sessionId that is none",
        [RAW_PARAMS] = "params that are no object",
    };
    struct json_walk_text name;
    const char *from = walk->at;
    if (!json_walk_text(walk, &name) || !json_walk_take_colon(walk)) {
        return false;
    }
    enum raw_member member = find_member(&name);
    if (member == RAW_MEMBERS) {
        return refuse_command(command, walk, from,
                              "a member other than id, method, sessionId and params");
    }
    if (*seen & 1U << member) {
        return refuse_command(command, walk, from, "a member for the second time");
    }
    const char *value = walk->at;
    if (!json_walk_value(walk)) {
        return false;
    }
    *seen |= 1U << member;
    const struct cdp_slice slice = { value, (size_t)(walk->at - value) };
    if (is_nothing(member, slice)) {
        return true;
    }
    command->values[member] = slice;
    return note_value(command, member, command->values[member]) ||
           refuse_command(command, walk, value, mistakes[member]);
}

static bool read_members(struct raw_command *command, struct json_walk *walk)
{
    unsigned seen = 0;
    json_walk_skip_space(walk);
    const char *from = walk->at;
    if (!json_walk_take(walk, '{')) {
        return json_walk_value(walk) &&
               refuse_command(command, walk, from, "something other than an object");
    }
    json_walk_skip_space(walk);
    if (!json_walk_take(walk, '}')) {
        do {
            if (!read_member(command, walk, &seen)) {
                return false;
            }
        } while (json_walk_take_comma(walk, '}'));
    }
    struct cdp_slice id = command->values[RAW_ID];
    if (walk->mistake && id.length > 0 && walk->at == id.text + id.length) {
        command->has_id = false; /* it was only the beginning of a broken number such as 007 */
    }
    json_walk_skip_space(walk);
    if (!walk->mistake && walk->at < walk->end) {
        return json_walk_refuse(walk, "something behind the command");
    }
    if (!walk->mistake && (!command->has_id || command->values[RAW_METHOD].length == 0)) {
        return refuse_command(command, walk, walk->text, command->has_id ? "no method" : "no id");
    }
    return !walk->mistake;
}

static void write_as_cbor(struct raw_command *command, const char *session_id)
{
    struct cbor_writer writer = { 0 };
    size_t begin = cbor_begin(&writer, true);
    cbor_put_ascii(&writer, names[RAW_ID], strlen(names[RAW_ID]));
    command->id_at = cbor_put_id(&writer);
    for (enum raw_member member = RAW_METHOD; member < RAW_MEMBERS; member++) {
        struct cdp_slice value = command->values[member];
        if (value.length > 0) {
            struct json_walk walk = {
                .at = value.text,
                .end = value.text + value.length,
                .writer = &writer,
            };
            cbor_put_ascii(&writer, names[member], strlen(names[member]));
            json_walk_value(&walk); /* cannot fail: it was read before */
        }
    }
    if (!command->session_id && session_id) {
        cbor_put_ascii(&writer, names[RAW_SESSION_ID], strlen(names[RAW_SESSION_ID]));
        cbor_put_ascii(&writer, session_id, strlen(session_id));
    }
    cbor_end(&writer, begin);
    command->bytes = (char *)writer.bytes;
    command->length = writer.length;
}

/* Room for an id that is set later. Spaces are ignored there. */
#define ID_ROOM "          "

static void write_as_text(struct raw_command *command, const char *session_id)
{
    struct strbuf buf = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&buf, "{\"id\":");
    command->id_at = buf.length;
    strbuf_add_string(&buf, ID_ROOM);
    for (enum raw_member member = RAW_METHOD; member < RAW_MEMBERS; member++) {
        struct cdp_slice value = command->values[member];
        if (value.length > 0) {
            strbuf_add_format(&buf, ",\"%s\":", names[member]);
            strbuf_add(&buf, value.text, value.length);
        }
    }
    if (!command->session_id && session_id) {
        strbuf_add_format(&buf, ",\"%s\":\"%s\"", names[RAW_SESSION_ID], session_id);
    }
    strbuf_add_string(&buf, "}");
    command->length = buf.length;
    command->bytes = strbuf_take(&buf);
}

bool raw_command_read(struct raw_command *command, const char *text, size_t length, bool is_cbor,
                      const char *session_id, struct br_error *err)
{
    struct json_walk walk = { .text = text, .at = text, .end = text + length };
    *command = (struct raw_command){ .is_cbor = is_cbor, .failure = RAW_NO_JSON };
    if (!read_members(command, &walk)) {
        return error_set(err, BR_INVALID_ACTION, "%s at byte %zu of the command", walk.mistake,
                         (size_t)(walk.at - text));
    }
    command->failure = 0;
    (is_cbor ? write_as_cbor : write_as_text)(command, session_id);
    return true;
}

void raw_command_set_params(struct raw_command *command, struct cdp_slice params,
                            const char *session_id)
{
    free(TAKE(command->bytes));
    command->values[RAW_PARAMS] = params;
    (command->is_cbor ? write_as_cbor : write_as_text)(command, session_id);
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
