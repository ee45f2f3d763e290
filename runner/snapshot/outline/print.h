/* Options for printing an outline. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_PRINT_H
#define RUNNER_SNAPSHOT_OUTLINE_PRINT_H

#include <stdbool.h>
#include <stdint.h>

struct print_options {
    bool has_boxes;     /* print [x,y,width,height] in the page's viewport for items with an id */
    bool has_urls;      /* print URLs of links and pictures */
    int text_length;    /* limit of characters of a text or name; 0: none */
    int64_t max_tokens; /* 0: no limit; otherwise cuts the least useful items and reports what
                           was cut */
};

#endif
