/*
 * A document of DOMSnapshot.captureSnapshot in its original form: columns of indexes and numbers.
 */
#ifndef RUNNER_SNAPSHOT_DOM_COLUMNS_H
#define RUNNER_SNAPSHOT_DOM_COLUMNS_H

#include "runner/snapshot/dom/scan.h"

/* A column for few nodes: `index` lists the nodes; `value` is empty for flags. */
struct sparse {
    struct scan_ints index, value;
};

/* String indexes are -1 for absent strings. */
struct columns {
    int url, base_url, title, language, frame_id; /* string indexes */
    double scroll_x, scroll_y, content_width, content_height;
    struct scan_ints parent, type, name, text, backend_id;
    struct scan_int_lists attributes; /* names and values alternate */
    struct sparse shadow, text_value, input_value, checked, selected, content_document, pseudo,
        clickable, picture;
    struct scan_ints layout_node, layout_text, paint_order;
    struct scan_int_lists styles;
    struct scan_float_lists bounds;
    struct scan_ints line_layout, line_start, line_length;
    struct scan_float_lists line_bounds;
};

/*
 * Reads the object that begins at the scan's position; errors are in the scan. Finish in any case.
 */
void columns_read(struct columns *columns, struct scan *scan);
void columns_finish(struct columns *columns);

#endif
