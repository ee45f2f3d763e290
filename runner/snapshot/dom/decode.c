#include "runner/snapshot/dom/decode.h"

#include "runner/base/memory.h"
#include "runner/snapshot/dom/decode_document.h"

#include <string.h>

/* Finds where the two members begin in the reply. */
static bool find_members(struct scan scan, char **ret_documents, char **ret_strings)
{
    int state = 0;
    *ret_documents = NULL;
    *ret_strings = NULL;
    for (const char *key; (key = scan_member(&scan, &state));) {
        if (strcmp(key, "documents") == 0) {
            *ret_documents = scan.at;
        } else if (strcmp(key, "strings") == 0) {
            *ret_strings = scan.at;
        }
        scan_skip(&scan);
    }
    return !scan.is_broken && *ret_documents && *ret_strings;
}

static void read_strings(struct decoder *decoder)
{
    int state = 0;
    while (scan_item(&decoder->scan, &state)) {
        decoder->strings = array_reserve(decoder->strings, decoder->string_count,
                                         &decoder->string_capacity, sizeof(*decoder->strings));
        decoder->strings[decoder->string_count++] = scan_string(&decoder->scan);
    }
}

/* A frame of the same process: its position comes with the enclosing document. */
struct hanging {
    int document, owner; /* index in the reply; node of the tree */
};

struct hangings {
    struct hanging *items;
    size_t count, capacity;
};

static void note_frames(struct decoder *decoder, const struct columns *columns, int first,
                        struct hangings *hangings)
{
    const struct sparse *sparse = &columns->content_document;
    for (size_t i = 0; i < sparse->index.count; i++) {
        const struct snapshot_node *owner = decoder_node(decoder, sparse, i, first);
        if (owner) {
            hangings->items = array_reserve(hangings->items, hangings->count, &hangings->capacity,
                                            sizeof(*hangings->items));
            hangings->items[hangings->count++] = (struct hanging){
                .document = scan_int_at(&sparse->value, i, -1),
                .owner = (int)(owner - decoder->tree->nodes),
            };
        }
    }
}

static void hang_frames(struct decoder *decoder, int first_document,
                        const struct hangings *hangings)
{
    struct snapshot_tree *tree = decoder->tree;
    for (size_t i = 0; i < hangings->count; i++) {
        int document = hangings->items[i].document;
        if (document <= 0 || document >= tree->document_count - first_document ||
            !snapshot_tree_hang_document(tree, first_document + document,
                                         hangings->items[i].owner)) {
            decoder_mismatch(decoder, "a frame without a document of its own");
        }
    }
}

static bool is_too_large(const struct snapshot_tree *tree)
{
    return tree->node_count > SNAPSHOT_MAX_NODES || tree->document_count > SNAPSHOT_MAX_DOCUMENTS ||
           tree->attribute_bytes > (size_t)SNAPSHOT_MAX_ATTRIBUTES << 20;
}

static bool read_documents(struct decoder *decoder)
{
    struct snapshot_tree *tree = decoder->tree;
    struct hangings hangings = { 0 };
    int first_document = tree->document_count;
    int state = 0;
    while (!decoder->broken && !is_too_large(tree) && scan_item(&decoder->scan, &state)) {
        struct columns columns;
        int first = tree->node_count;
        columns_read(&columns, &decoder->scan);
        if (!decoder->scan.is_broken && decoder_add_document(decoder, &columns)) {
            note_frames(decoder, &columns, first, &hangings);
        }
        columns_finish(&columns);
    }
    if (!decoder->scan.is_broken && !decoder->broken && !is_too_large(tree)) {
        hang_frames(decoder, first_document, &hangings);
    }
    free(hangings.items);
    return !decoder->scan.is_broken && !decoder->broken && tree->document_count > first_document;
}

/* Removes all nodes of a part that could not be read. */
static void undo(struct snapshot_tree *tree, const struct snapshot_tree *before)
{
    tree->node_count = before->node_count;
    tree->layout_count = before->layout_count;
    tree->line_count = before->line_count;
    tree->attribute_count = before->attribute_count;
    tree->attribute_bytes = before->attribute_bytes;
    tree->document_count = before->document_count;
}

static bool refuse_size(struct br_error *err)
{
    error_set(err, BR_LIMIT_EXCEEDED,
              "the page has more than %d nodes, %d frames or %d MB of attributes",
              SNAPSHOT_MAX_NODES, SNAPSHOT_MAX_DOCUMENTS, SNAPSHOT_MAX_ATTRIBUTES);
    return error_hint(err, "let the page show less of it at once, or take a screenshot");
}

static bool decode(struct decoder *decoder, struct br_error *err)
{
    char *documents = NULL;
    char *strings = NULL;
    if (find_members(decoder->scan, &documents, &strings)) {
        decoder->scan.at = strings;
        read_strings(decoder);
        decoder->scan.at = decoder->scan.is_broken ? decoder->scan.end : documents;
        if (read_documents(decoder)) {
            return !is_too_large(decoder->tree) || refuse_size(err);
        }
    }
    return error_set(err, BR_UNKNOWN_ERROR,
                     "the reply to DOMSnapshot.captureSnapshot makes no page: %s",
                     decoder->broken ? decoder->broken : "it is no such JSON");
}

bool snapshot_tree_add(struct snapshot_tree *tree, char *text, size_t length, int *ret_part,
                       struct br_error *err)
{
    struct snapshot_tree before = *tree;
    struct decoder decoder = {
        .tree = tree,
        .scan = { .at = text, .end = text + length },
    };
    bool is_decoded = decode(&decoder, err);
    free(decoder.strings);
    if (!is_decoded) {
        undo(tree, &before);
        free(text);
        return false;
    }
    tree->parts = array_reserve(tree->parts, (size_t)tree->part_count, &tree->part_capacity,
                                sizeof(*tree->parts));
    tree->parts[tree->part_count] = (struct snapshot_part){
        .text = text,
        .first_node = before.node_count,
        .end_node = tree->node_count,
        .first_document = before.document_count,
        .end_document = tree->document_count,
    };
    *ret_part = tree->part_count++;
    return true;
}
