/* A document of DOMSnapshot.captureSnapshot as it comes: columns of indexes and numbers. */
#ifndef RUNNER_SNAPSHOT_DOM_COLUMNS_H
#define RUNNER_SNAPSHOT_DOM_COLUMNS_H

#include "runner/snapshot/dom/scan.h"

/* Of few nodes only: `index` says of which, `value` is empty where being listed is all. */
struct sparse {
    struct scan_ints index, value;
};

/* Indexes of strings are -1 where there is none. */
struct columns {
    int url, base_url, title, language, frame_id; /* strings */
    double scroll_x, scroll_y, content_width, content_height;
    struct scan_ints parent, type, name, text, backend_id;
    struct scan_int_lists attributes; /* names and values by turns */
    struct sparse shadow, text_value, input_value, checked, selected, content_document, pseudo,
        clickable, picture;
    struct scan_ints layout_node, layout_text, paint_order;
    struct scan_int_lists styles;
    struct scan_float_lists bounds;
    struct scan_ints line_layout, line_start, line_length;
    struct scan_float_lists line_bounds;
};

/* Reads the object that begins here; the scan says whether it could. To be finished in any case. */
void columns_read(struct columns *columns, struct scan *scan);
void columns_finish(struct columns *columns);

#endif
