/* Which ids of elements are drawn on a picture: whose they are is said by a struct page_labels. */
#ifndef RUNNER_PAGE_PICTURE_LABEL_LIST_H
#define RUNNER_PAGE_PICTURE_LABEL_LIST_H

#include "runner/page/core/box.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is drawn on one picture. Boxes are CSS pixels from the upper left corner of the picture. */
struct picture_labels {
    struct picture_label {
        uint32_t id;  /* drawn as e12 */
        size_t index; /* among those that were found */
        struct page_box box;
        bool is_drawn; /* false: there was no room for it */
    } * labels;
    size_t count;
    struct page_box *content; /* what is not to be drawn over, where there is room */
    size_t content_count;
    double scroll_x, scroll_y; /* of the page, when they were found */
    int tile;                  /* the number of the picture among several, from 1; 0: it is alone */
};

void picture_labels_finish(struct picture_labels *labels);

#endif
