/*
 * Labels on a picture: each an outline of what it names, and a tag with a short text beside it.
 * Where the tags go is found first, then all is drawn.
 */
#ifndef IMAGING_LABEL_H
#define IMAGING_LABEL_H

#include "imaging/crop.h"

#include <stdbool.h>
#include <stddef.h>

enum { IMAGE_LABEL_TEXT = 12 };

struct image_label {
    struct image_rect box;       /* of what it names, as far as it is in the picture */
    char text[IMAGE_LABEL_TEXT]; /* digits and `e`; anything else is drawn as a gap */
    bool has_tag;                /* there is room for it */
    struct image_rect tag;
};

/* What there is of a picture for image_label_place(). */
struct image_label_ground {
    int width, height;                /* of the picture */
    int scale;                        /* pixels of the picture to one of a tag's; from 1 */
    const struct image_rect *content; /* what tags are not to be drawn over, where there is room */
    size_t content_count;
};

/* The size that a tag has. */
struct image_rect image_label_size(const char *text, int scale);

/*
 * Finds a place for each tag, in the order of the labels: outside of the box, above its left end
 * before anywhere else, then inside, at its edges, then a little away from it; where it hides least
 * of the content. Tags never overlap, and lie inside the picture: one that finds no place has none.
 */
void image_label_place(struct image_label *labels, size_t count,
                       const struct image_label_ground *ground);

/* Draws those that have a tag, the outlines below all tags. Opaque, in colours that take turns. */
void image_label_draw(struct br_image *image, const struct image_label *labels, size_t count,
                      int scale);

#endif
