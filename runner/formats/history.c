#include "runner/formats/history.h"

#include "runner/base/json.h"
#include "runner/base/strbuf.h"
#include "runner/formats/message.h"

#include <string.h>

#define MEBIBYTE (1024 * 1024)

/* A picture that arrives in chunks. */
struct pieces {
    char *id;
    size_t count, total; /* chunks that have arrived, and their total number */
    size_t position;     /* of the first chunk in the input */
    struct strbuf data;
};

struct history_reader {
    history_on_entry *on_entry;
    void *data;
    struct strbuf text; /* the unfinished line, or the array */
    size_t size;        /* bytes of the input so far */
    size_t position;    /* of the present line or item, counted from 1 */
    bool has_begun;     /* a line that is not blank has arrived */
    bool is_array;
    struct pieces *pending;
    size_t pending_count, pending_capacity;
};

static void pieces_finish(struct pieces *pieces)
{
    free(pieces->id);
    strbuf_finish(&pieces->data);
}

static struct pieces *find_pieces(struct history_reader *reader, const char *id)
{
    for (size_t i = 0; i < reader->pending_count; i++) {
        if (strcmp(reader->pending[i].id, id) == 0) {
            return &reader->pending[i];
        }
    }
    return NULL;
}

static struct pieces *add_pieces(struct history_reader *reader, const char *id, size_t total)
{
    reader->pending = array_reserve(reader->pending, reader->pending_count,
                                    &reader->pending_capacity, sizeof(*reader->pending));
    struct pieces *pieces = &reader->pending[reader->pending_count++];
    *pieces = (struct pieces){
        .id = xstrdup(id),
        .total = total,
        .position = reader->position,
        .data = STRBUF_INIT(HISTORY_LINE_MAX),
    };
    return pieces;
}

static void remove_pieces(struct history_reader *reader, struct pieces *pieces)
{
    pieces_finish(pieces);
    *pieces = reader->pending[--reader->pending_count];
}

/* Input that the user supplied is INVALID_ACTION, whatever code the JSON reader used. */
static bool set_invalid(struct br_error *err)
{
    err->code = BR_INVALID_ACTION;
    return false;
}

static bool check_order(const struct pieces *pieces, const char *id, json_int_t index,
                        json_int_t total, struct br_error *err)
{
    json_int_t due = pieces ? (json_int_t)pieces->count : 0;
    json_int_t due_total = pieces ? (json_int_t)pieces->total : total;
    if (index < 0 || index >= total) {
        return error_set(err, BR_INVALID_ACTION, "there is no chunk %lld of %s: it has %lld",
                         (long long)index, id, (long long)total);
    }
    if (total != due_total) {
        return error_set(err, BR_INVALID_ACTION,
                         "chunk %lld of %s says that there are %lld, earlier ones said %lld",
                         (long long)index, id, (long long)total, (long long)due_total);
    }
    if (index < due) {
        return error_set(err, BR_INVALID_ACTION, "chunk %lld of %s comes twice", (long long)index,
                         id);
    }
    if (index > due) {
        return error_set(err, BR_INVALID_ACTION, "chunk %lld of %s comes where chunk %lld is due",
                         (long long)index, id, (long long)due);
    }
    return true;
}

static bool take_chunk(struct history_reader *reader, json_t *chunk, struct br_error *err)
{
    const char *id = NULL;
    const char *data = NULL;
    size_t length = 0;
    json_int_t index = 0;
    json_int_t total = 0;
    if (!json_read(chunk, "chunk", err, "{s:s, s:I, s:I, s:s%}", "id", &id, "index", &index,
                   "total", &total, "data", &data, &length)) {
        return set_invalid(err);
    }
    struct pieces *pieces = find_pieces(reader, id);
    if (!check_order(pieces, id, index, total, err)) {
        return false;
    }
    if (length == 0) {
        return error_set(err, BR_INVALID_ACTION, "chunk %lld of %s is empty", (long long)index, id);
    }
    if (!pieces && reader->pending_count == HISTORY_PENDING_MAX) {
        return error_set(err, BR_LIMIT_EXCEEDED,
                         "chunks of more than %d pictures have no response yet",
                         HISTORY_PENDING_MAX);
    }
    pieces = pieces ? pieces : add_pieces(reader, id, (size_t)total);
    strbuf_add(&pieces->data, data, length);
    pieces->count++;
    if (pieces->data.overflowed) {
        return error_set(err, BR_LIMIT_EXCEEDED, "the chunks of %s are over %d MiB", id,
                         HISTORY_LINE_MAX / MEBIBYTE);
    }
    return true;
}

/* Joins the chunks that `captures` names and puts them into the image block. */
static bool join_picture(struct history_reader *reader, json_t *capture, json_t *block,
                         struct br_error *err)
{
    json_t *source = NULL;
    const char *id = NULL;
    json_int_t total = 0;
    size_t length = 0;
    const char *data = NULL;
    json_t *chunks = json_object_get(capture, "chunks");
    if (!json_read(block, "image block", err, "{s:o, s:{s:s%}}", "source", &source, "source",
                   "data", &data, &length)) {
        return set_invalid(err);
    }
    if (!chunks) {
        return length > 0 ||
               error_set(err, BR_INVALID_ACTION, "the picture has neither data nor chunks");
    }
    if (!json_read(chunks, "chunks", err, "{s:s, s:I}", "id", &id, "total", &total)) {
        return set_invalid(err);
    }
    if (length > 0) {
        return error_set(err, BR_INVALID_ACTION, "the picture has both data and chunks");
    }
    struct pieces *pieces = find_pieces(reader, id);
    if (!pieces) {
        return error_set(err, BR_INVALID_ACTION, "the %lld chunks of %s did not come",
                         (long long)total, id);
    }
    if (pieces->total != (size_t)total) {
        return error_set(err, BR_INVALID_ACTION, "%s has %zu chunks, not %lld", id, pieces->total,
                         (long long)total);
    }
    if (pieces->count < pieces->total) {
        return error_set(err, BR_INVALID_ACTION, "chunk %zu of the %zu of %s did not come",
                         pieces->count, pieces->total, id);
    }
    json_object_set_new(source, "data",
                        json_stringn_nocheck(pieces->data.data, pieces->data.length));
    remove_pieces(reader, pieces);
    json_object_del(capture, "chunks");
    return true;
}

static bool take_response(struct history_reader *reader, json_t *response, struct br_error *err)
{
    CLEANUP_PICTURE_SLOTS struct picture_slots slots = picture_slots_list(response);
    for (size_t i = 0; i < slots.count; i++) {
        struct picture_slot *slot = &slots.items[i];
        if (picture_is_image(slot->block) &&
            !join_picture(reader, slot->capture, slot->block, err)) {
            return error_context(err, "screenshots.%s", slot->name);
        }
    }
    return reader->on_entry(reader->data, response, err);
}

static bool pass_over(struct history_reader *reader, json_t *summary, struct br_error *err)
{
    (void)reader;
    (void)summary;
    (void)err;
    return true;
}

static bool take_value(struct history_reader *reader, json_t *value, struct br_error *err)
{
    static const struct {
        const char *kind;
        bool (*take)(struct history_reader *reader, json_t *value, struct br_error *err);
    } kinds[] = {
        { "response", take_response },
        { "chunk", take_chunk },
        { "summary", pass_over },
        { "progress", pass_over },
    };
    const char *kind = json_member_string(value, "kind");
    for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(kind, kinds[i].kind) == 0) {
            return kinds[i].take(reader, value, err);
        }
    }
    if (message_is(value)) {
        return message_check(value, err) && reader->on_entry(reader->data, value, err);
    }
    if (kind) {
        error_set(err, BR_INVALID_ACTION, "the kind \"%s\" is unknown", kind);
    } else {
        error_set(err, BR_INVALID_ACTION, "this is neither a line of run nor a message");
    }
    return error_hint(err,
                      "the input must be the output of browser-runner run, and messages: objects "
                      "with role and content, or Gemini's parts; for a request, give its messages");
}

static bool take_line(struct history_reader *reader, struct br_error *err)
{
    struct strbuf *text = &reader->text;
    size_t blank = strspn(text->data, " \t\r");
    reader->position++;
    if (blank == text->length) {
        strbuf_clear(text);
        return true;
    }
    if (!reader->has_begun && text->data[blank] == '[') {
        reader->has_begun = reader->is_array = true;
        strbuf_add(text, "\n", 1);
        return true;
    }
    reader->has_begun = true;
    json_auto_t *value = json_parse(text->data, text->length, "it", err);
    strbuf_clear(text);
    return (value ? take_value(reader, value, err) : set_invalid(err)) ||
           error_context(err, "line %zu", reader->position);
}

static bool take_array(struct history_reader *reader, struct br_error *err)
{
    size_t index;
    json_t *item;
    json_auto_t *items = json_parse(reader->text.data, reader->text.length, "the input", err);
    if (!items) {
        return set_invalid(err);
    }
    json_array_foreach (items, index, item) {
        reader->position = index + 1;
        if (!take_value(reader, item, err)) {
            return error_context(err, "item %zu", index + 1);
        }
    }
    return true;
}

static bool check_size(const struct history_reader *reader, struct br_error *err)
{
    if (reader->size > HISTORY_INPUT_MAX) {
        return error_set(err, BR_LIMIT_EXCEEDED, "the input is over %d MiB",
                         HISTORY_INPUT_MAX / MEBIBYTE);
    }
    if (!reader->text.overflowed) {
        return true;
    }
    if (reader->is_array) {
        return error_set(err, BR_LIMIT_EXCEEDED, "the array is over %d MiB",
                         HISTORY_LINE_MAX / MEBIBYTE);
    }
    return error_set(err, BR_LIMIT_EXCEEDED, "line %zu is over %d MiB", reader->position + 1,
                     HISTORY_LINE_MAX / MEBIBYTE);
}

struct history_reader *history_reader_create(history_on_entry *on_entry, void *data)
{
    struct history_reader *reader = xmalloc(sizeof(*reader));
    *reader = (struct history_reader){
        .on_entry = on_entry,
        .data = data,
        .text = STRBUF_INIT(HISTORY_LINE_MAX),
    };
    return reader;
}

void history_reader_destroy(struct history_reader *reader)
{
    if (!reader) {
        return;
    }
    for (size_t i = 0; i < reader->pending_count; i++) {
        pieces_finish(&reader->pending[i]);
    }
    free(reader->pending);
    strbuf_finish(&reader->text);
    free(reader);
}

bool history_reader_feed(struct history_reader *reader, const char *bytes, size_t length,
                         struct br_error *err)
{
    while (length > 0) {
        const char *newline = reader->is_array ? NULL : memchr(bytes, '\n', length);
        size_t piece = newline ? (size_t)(newline - bytes) : length;
        size_t taken = piece + (newline ? 1 : 0);
        strbuf_add(&reader->text, bytes, piece);
        reader->size += taken;
        if (!check_size(reader, err) || (newline && !take_line(reader, err))) {
            return false;
        }
        bytes += taken;
        length -= taken;
    }
    return true;
}

bool history_reader_end(struct history_reader *reader, struct br_error *err)
{
    if (reader->text.length > 0 && !reader->is_array && !take_line(reader, err)) {
        return false;
    }
    if (reader->is_array && !take_array(reader, err)) {
        return false;
    }
    if (reader->pending_count > 0) {
        return error_set(
            err, BR_INVALID_ACTION, "%s %zu: the chunks of %s belong to no response that came",
            reader->is_array ? "item" : "line", reader->pending[0].position, reader->pending[0].id);
    }
    return true;
}
