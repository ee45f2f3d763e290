#include "runner/snapshot/dom/columns.h"

#include <stdlib.h>
#include <string.h>

enum column_kind { STRING, NUMBER, INTS, INT_LISTS, FLOAT_LISTS, SPARSE };

struct column {
    const char *name; /* NULL ends a table */
    enum column_kind kind;
    size_t offset;
};

#define COLUMN(name, kind, member)                                                                 \
    {                                                                                              \
        name, kind, offsetof(struct columns, member)                                               \
    }

static const struct column document_columns[] = {
    COLUMN("documentURL", STRING, url),
    COLUMN("baseURL", STRING, base_url),
    COLUMN("title", STRING, title),
    COLUMN("contentLanguage", STRING, language),
    COLUMN("frameId", STRING, frame_id),
    COLUMN("scrollOffsetX", NUMBER, scroll_x),
    COLUMN("scrollOffsetY", NUMBER, scroll_y),
    COLUMN("contentWidth", NUMBER, content_width),
    COLUMN("contentHeight", NUMBER, content_height),
    { 0 },
};

static const struct column node_columns[] = {
    COLUMN("parentIndex", INTS, parent),
    COLUMN("nodeType", INTS, type),
    COLUMN("nodeName", INTS, name),
    COLUMN("nodeValue", INTS, text),
    COLUMN("backendNodeId", INTS, backend_id),
    COLUMN("attributes", INT_LISTS, attributes),
    COLUMN("shadowRootType", SPARSE, shadow),
    COLUMN("textValue", SPARSE, text_value),
    COLUMN("inputValue", SPARSE, input_value),
    COLUMN("inputChecked", SPARSE, checked),
    COLUMN("optionSelected", SPARSE, selected),
    COLUMN("contentDocumentIndex", SPARSE, content_document),
    COLUMN("pseudoType", SPARSE, pseudo),
    COLUMN("isClickable", SPARSE, clickable),
    COLUMN("currentSourceURL", SPARSE, picture),
    { 0 },
};

static const struct column layout_columns[] = {
    COLUMN("nodeIndex", INTS, layout_node),   COLUMN("styles", INT_LISTS, styles),
    COLUMN("bounds", FLOAT_LISTS, bounds),    COLUMN("text", INTS, layout_text),
    COLUMN("paintOrders", INTS, paint_order), { 0 },
};

static const struct column line_columns[] = {
    COLUMN("layoutIndex", INTS, line_layout),
    COLUMN("bounds", FLOAT_LISTS, line_bounds),
    COLUMN("start", INTS, line_start),
    COLUMN("length", INTS, line_length),
    { 0 },
};

static const struct {
    const char *name;
    const struct column *table;
} tables[] = {
    { "nodes", node_columns },
    { "layout", layout_columns },
    { "textBoxes", line_columns },
};
enum { TABLE_COUNT = sizeof(tables) / sizeof(tables[0]) };

static void read_sparse(struct scan *scan, struct sparse *sparse)
{
    int state = 0;
    for (const char *key; (key = scan_member(scan, &state));) {
        if (strcmp(key, "index") == 0) {
            scan_ints(scan, &sparse->index);
        } else if (strcmp(key, "value") == 0) {
            scan_ints(scan, &sparse->value);
        } else {
            scan_skip(scan);
        }
    }
}

static void read_column(struct columns *columns, struct scan *scan, const struct column *column)
{
    void *place = (char *)columns + column->offset;
    switch (column->kind) {
    case STRING:
        *(int *)place = scan_int(scan);
        break;
    case NUMBER:
        *(double *)place = scan_number(scan);
        break;
    case INTS:
        scan_ints(scan, place);
        break;
    case INT_LISTS:
        scan_int_lists(scan, place);
        break;
    case FLOAT_LISTS:
        scan_float_lists(scan, place);
        break;
    case SPARSE:
        read_sparse(scan, place);
        break;
    }
}

/* Reads the member if it is in the table. */
static bool read_member(struct columns *columns, struct scan *scan, const struct column *table,
                        const char *key)
{
    for (const struct column *column = table; column->name; column++) {
        if (strcmp(column->name, key) == 0) {
            read_column(columns, scan, column);
            return true;
        }
    }
    return false;
}

static void read_table(struct columns *columns, struct scan *scan, const struct column *table)
{
    int state = 0;
    for (const char *key; (key = scan_member(scan, &state));) {
        if (!read_member(columns, scan, table, key)) {
            scan_skip(scan);
        }
    }
}

void columns_read(struct columns *columns, struct scan *scan)
{
    int state = 0;
    *columns =
        (struct columns){ .url = -1, .base_url = -1, .title = -1, .language = -1, .frame_id = -1 };
    for (const char *key; (key = scan_member(scan, &state));) {
        const struct column *table = NULL;
        for (size_t i = 0; i < TABLE_COUNT; i++) {
            table = strcmp(tables[i].name, key) == 0 ? tables[i].table : table;
        }
        if (table) {
            read_table(columns, scan, table);
        } else if (!read_member(columns, scan, document_columns, key)) {
            scan_skip(scan);
        }
    }
}

static void finish_column(struct columns *columns, const struct column *column)
{
    char *place = (char *)columns + column->offset;
    switch (column->kind) {
    case INTS:
        free(((struct scan_ints *)place)->items);
        break;
    case INT_LISTS:
        free(((struct scan_int_lists *)place)->values.items);
        free(((struct scan_int_lists *)place)->ends.items);
        break;
    case FLOAT_LISTS:
        free(((struct scan_float_lists *)place)->values.items);
        free(((struct scan_float_lists *)place)->ends.items);
        break;
    case SPARSE:
        free(((struct sparse *)place)->index.items);
        free(((struct sparse *)place)->value.items);
        break;
    default:
        break;
    }
}

void columns_finish(struct columns *columns)
{
    for (size_t i = 0; i < TABLE_COUNT; i++) {
        for (const struct column *column = tables[i].table; column->name; column++) {
            finish_column(columns, column);
        }
    }
}
