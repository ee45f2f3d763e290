/* The element ids that are drawn on a picture; a struct page_labels finds their elements. */
#ifndef RUNNER_PAGE_PICTURE_LABEL_LIST_H
#define RUNNER_PAGE_PICTURE_LABEL_LIST_H

#include "runner/page/core/box.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* The labels of one picture. Boxes are in CSS pixels from the picture's upper left corner. */
struct picture_labels {
    struct picture_label {
        uint32_t id;  /* drawn as e12 */
        size_t index; /* index among those found */
        struct page_box box;
        bool is_drawn; /* false: there was no room for it */
    } * labels;
    size_t count;
    struct page_box *content; /* areas to avoid, if there is room elsewhere */
    size_t content_count;
    double scroll_x, scroll_y; /* of the page, at the time of finding */
    int tile;                  /* number of the picture among several, from 1; 0: a single
                                  picture */
};

static inline void picture_labels_finish(struct picture_labels *labels)
{
    free(labels->labels);
    free(labels->content);
    *labels = (struct picture_labels){ 0 };
}

#endif
