/*
 * Reads any bytes as a command of a client for Chrome. If jansson can read the text, both must
 * agree on whether it is a command. What is sent must have the same meaning, as text and as CBOR.
 */
#include "runner/base/memory.h"
#include "runner/cdp/cbor.h"
#include "runner/cdp/raw_command.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Returns the command as Chrome would read it. */
static json_t *read_sent(const struct raw_command *command)
{
    if (!command->is_cbor) {
        return json_loadb(command->bytes, command->length, FLAGS, NULL);
    }
    struct cbor_reader reader = { 0 };
    size_t taken = 0;
    CLEANUP_FREE char *text = xmalloc(CBOR_GROWTH * command->length + CBOR_MORE);
    size_t length =
        cbor_read(&reader, (const unsigned char *)command->bytes, command->length, text, &taken);
    assert(reader.is_whole && taken == command->length);
    return json_loadb(text, length, FLAGS, NULL);
}

static void check_sent(const struct raw_command *command, json_t *root)
{
    json_auto_t *sent = read_sent(command);
    assert(sent);
    assert(json_real_value(json_object_get(sent, "id")) == 7);
    assert(json_real_value(json_object_get(root, "id")) == command->id);
    static const char *const same[] = { "method", "params" };
    for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
        json_t *value = json_object_get(root, same[i]);
        value = json_is_null(value) ? NULL : value; /* null counts as omitted */
        assert(!value == !json_object_get(sent, same[i]));
        assert(!value || json_equal(value, json_object_get(sent, same[i])));
    }
    const char *session = json_string_value(json_object_get(root, "sessionId"));
    const char *sent_session = json_string_value(json_object_get(sent, "sessionId"));
    assert(strcmp(session && *session ? session : "root", sent_session) == 0);
}

/*
 * Whether the text is certainly not a command. jansson has no depth limit and rounds numbers, so it
 * cannot decide every case.
 */
static bool is_certainly_none(const json_t *root)
{
    return root && (!json_is_object(root) || !json_is_real(json_object_get(root, "id")) ||
                    !json_is_string(json_object_get(root, "method")));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    CLEANUP_FREE char *text = xmalloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    /* jansson ignores a NUL after a number. */
    json_auto_t *root = memchr(text, '\0', size) ? NULL : json_loadb(text, size, FLAGS, NULL);
    for (int is_cbor = 0; is_cbor <= 1; is_cbor++) {
        struct br_error err = { 0 };
        struct raw_command command;
        bool is_read = raw_command_read(&command, text, size, is_cbor, "root", &err);
        assert(is_read == (command.failure == 0) && is_read == (command.bytes != NULL));
        assert(!is_read || !is_certainly_none(root));
        if (is_read) {
            raw_command_set_id(&command, 7);
            assert(is_cbor || command.bytes[command.length] == '\0');
        }
        if (is_read && root) {
            check_sent(&command, root);
        }
        /*
         * What jansson reads as JSON must be read here, too, except for too many levels and too
         * large numbers.
         */
        assert(is_read || !root || command.failure == RAW_NO_COMMAND ||
               strstr(err.message, "levels") || strstr(err.message, "too large"));
        raw_command_finish(&command);
    }
    return 0;
}
