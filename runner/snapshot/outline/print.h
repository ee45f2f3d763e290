/* How an outline is printed. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_PRINT_H
#define RUNNER_SNAPSHOT_OUTLINE_PRINT_H

#include <stdbool.h>
#include <stdint.h>

struct print_options {
    bool has_boxes;     /* [x,y,width,height] in the page's viewport, of what has an id */
    bool has_urls;      /* of links and pictures */
    int text_length;    /* of a text or name, characters; 0: any */
    int64_t max_tokens; /* 0: any; the least useful items are cut first, and what was cut is said */
};

#endif
