#include "runner/batch/reader.h"

#include "runner/formats/json_reader.h"
#include "runner/formats/xml.h"

#include <string.h>

static const char byte_order_mark[] = "\xEF\xBB\xBF";

struct batch_reader {
    /*
     * Until the format is known both readers get the input, which is white space; then the other
     * one is NULL.
     */
    struct xml_reader *xml;
    struct json_reader *json;
    size_t formless_bytes; /* bytes received while the format was unknown */
    bool is_stream;
    bool is_line_over; /* the input so far ends with a complete line */
    int64_t line_ms;   /* when that line ended */
};

struct batch_reader *batch_reader_create(const struct instruction_options *options,
                                         instruction_on_action *on_action, void *data)
{
    struct batch_reader *reader = xcalloc(1, sizeof(*reader));
    reader->xml = xml_reader_create(options, on_action, data);
    reader->json = json_reader_create(options, on_action, data);
    reader->is_stream = options && options->is_stream;
    return reader;
}

void batch_reader_destroy(struct batch_reader *reader)
{
    if (reader) {
        xml_reader_destroy(reader->xml);
        json_reader_destroy(reader->json);
        free(reader);
    }
}

/*
 * Returns whether the byte does not decide the format: white space, or part of a byte order mark at
 * the beginning.
 */
static bool is_formless(size_t place, char c)
{
    return memchr(" \t\r\n", c, 4) ||
           (place < sizeof(byte_order_mark) - 1 && c == byte_order_mark[place]);
}

/* Returns how many of the bytes do not decide the format. */
static size_t take_formless(struct batch_reader *reader, const char *bytes, size_t length)
{
    size_t i = 0;
    while (i < length && is_formless(reader->formless_bytes, bytes[i])) {
        reader->formless_bytes++;
        i++;
    }
    return i;
}

static void choose(struct batch_reader *reader, char first)
{
    if (first == '{' || first == '[') {
        xml_reader_destroy(reader->xml);
        reader->xml = NULL;
    } else {
        json_reader_destroy(reader->json);
        reader->json = NULL;
    }
}

static void note_line(struct batch_reader *reader, const char *bytes, size_t length, int64_t now_ms)
{
    size_t end = length;
    while (end > 0 && memchr(" \t\r", bytes[end - 1], 3)) {
        end--;
    }
    if (end > 0) {
        reader->is_line_over = bytes[end - 1] == '\n';
        reader->line_ms = now_ms;
    }
}

bool batch_reader_feed(struct batch_reader *reader, const char *bytes, size_t length,
                       int64_t now_ms, struct br_error *err)
{
    note_line(reader, bytes, length, now_ms);
    if (reader->xml && reader->json) {
        size_t formless = take_formless(reader, bytes, length);
        if (!xml_reader_feed(reader->xml, bytes, formless, err) ||
            !json_reader_feed(reader->json, bytes, formless, err)) {
            return false;
        }
        if (formless == length) {
            return true;
        }
        bytes += formless;
        length -= formless;
        choose(reader, *bytes);
    }
    return reader->xml ? xml_reader_feed(reader->xml, bytes, length, err)
                       : json_reader_feed(reader->json, bytes, length, err);
}

bool batch_reader_end(struct batch_reader *reader, struct br_error *err)
{
    return reader->xml ? xml_reader_end(reader->xml, err) : json_reader_end(reader->json, err);
}

int batch_reader_due_ms(const struct batch_reader *reader, int64_t now_ms)
{
    if (!reader->is_stream || !reader->is_line_over || !reader->xml ||
        !xml_reader_has_bare(reader->xml)) {
        return -1;
    }
    int64_t left_ms = reader->line_ms + BATCH_PAUSE_MS - now_ms;
    return left_ms > 0 ? (int)left_ms : 0;
}

bool batch_reader_tick(struct batch_reader *reader, int64_t now_ms, struct br_error *err)
{
    return batch_reader_due_ms(reader, now_ms) != 0 || xml_reader_end_bare(reader->xml, err);
}
