/*
 * Draws labels on a picture: each outlines an element, and has a tag with a short text beside it.
 * First all tags are placed, then everything is drawn.
 */
#ifndef IMAGING_LABEL_H
#define IMAGING_LABEL_H

#include "imaging/crop.h"

#include <stdbool.h>
#include <stddef.h>

enum { IMAGE_LABEL_TEXT = 12 };

struct image_label {
    struct image_rect box;       /* the element's part inside the picture */
    char text[IMAGE_LABEL_TEXT]; /* digits and `e`; any other character is drawn as a gap */
    bool has_tag;                /* a place was found */
    struct image_rect tag;
};

/* The properties of the picture that image_label_place() needs. */
struct image_label_ground {
    int width, height;                /* pixels */
    int scale;                        /* pixels of the picture per pixel of a tag; from 1 */
    const struct image_rect *content; /* parts that tags should not hide */
    size_t content_count;
};

/* Returns the size of a tag, at 0,0. */
struct image_rect image_label_size(const char *text, int scale);

/*
 * Finds a place for each tag, in the order of the labels, where it hides the least content. Tries
 * places at the outside of the box (first above its left end), inside at its edges, and a little
 * away from it. Tags never overlap and lie inside the picture; a label without such a place gets no
 * tag.
 */
void image_label_place(struct image_label *labels, size_t count,
                       const struct image_label_ground *ground);

/* Draws the labels that have a tag, first all outlines, opaque and in alternating colours. */
void image_label_draw(struct br_image *image, const struct image_label *labels, size_t count,
                      int scale);

#endif
