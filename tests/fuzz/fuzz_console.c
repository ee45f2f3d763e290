/*
 * Feeds any bytes as a message of an extension: reads, stores and prints it, and writes it as JSON.
 */
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/console/envelope.h"
#include "runner/console/print.h"
#include "runner/console/read.h"
#include "runner/console/write.h"

#include <assert.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Checks that the text has no control characters that a terminal would interpret. */
static void check_harmless(const char *text)
{
    for (const char *at = text; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        assert(byte >= ' ' || byte == '\n' || byte == '\t');
        assert(byte != 0x7F && !(byte == 0xC2 && (unsigned char)at[1] < 0xA0));
    }
    assert(utf8_is_valid(text, strlen(text)));
}

static void print_event(struct console_tab *tab, const struct console_event *event)
{
    const struct console_print print = {
        .methods = UINT32_MAX, .has_location = true, .source = SOURCE_TITLE, .style.columns = 40
    };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct console_effect effect = console_tab_apply(tab, event);
    console_add_event(&text, &print, event, &effect, 0);
    check_harmless(text.data);
    strbuf_clear(&text);
    json_auto_t *payload = console_payload_json(event);
    console_add_json_line(&text, payload);
    check_harmless(text.data);
    struct br_error err = { 0 };
    json_auto_t *again = json_parse(text.data, text.length, "the line", &err);
    assert(json_equal(payload, again));
    free(effect.text);
}

static void take(struct console_tab *tab, const json_t *message)
{
    struct envelope envelope;
    struct envelope_fault fault;
    enum envelope_verdict verdict = envelope_read(message, &envelope, &fault);
    if (verdict == ENVELOPE_UNSUPPORTED) {
        free(envelope_unsupported(message));
        return;
    }
    struct console_event *event = NULL;
    if (verdict == ENVELOPE_FINE && envelope.type == ENVELOPE_CONSOLE_EVENT) {
        event = console_read(envelope.payload, envelope.source, envelope.time_ms, &fault.field,
                             &fault.why);
    }
    if (event) {
        print_event(tab, event);
        console_event_destroy(event);
    } else {
        char *reply = fault.field ? envelope_invalid(&fault, message, "") : NULL;
        assert(!reply || strlen(reply) < 10000);
        free(reply);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct br_error err = { 0 };
    struct console_tab tab = { .id = xstrdup("1") };
    json_auto_t *root = json_parse((const char *)bytes, size, "the message", &err);
    size_t index;
    json_t *message;
    json_array_foreach (root, index, message) {
        take(&tab, message);
    }
    if (root && !json_is_array(root)) {
        take(&tab, root);
    }
    console_tab_finish(&tab);
    return 0;
}
