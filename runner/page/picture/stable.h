/* Pictures of a page whose motion is stopped. */
#ifndef RUNNER_PAGE_PICTURE_STABLE_H
#define RUNNER_PAGE_PICTURE_STABLE_H

#include "runner/page/core/box.h"
#include "runner/page/picture/label_list.h"

#include <browser_runner/image.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct br_image_limits;
struct page;
struct page_capture;
struct page_stable;

/*
 * A picture as delivered by Chrome; decoded to pixels when needed. A JPEG is finished: nothing of
 * it is scaled or painted over.
 */
struct picture {
    const struct br_image_limits *limits; /* its pixels are scaled down to these; NULL: not
                                             scaled */
    unsigned char *png;                   /* or JPEG */
    size_t png_size;
    struct br_image image;        /* `pixels` NULL: not decoded yet */
    bool is_painted;              /* masked and withheld areas are painted over */
    struct page_box box;          /* the part of the document that it shows, CSS pixels */
    json_t *masks;                /* array: boxes of the document to paint over; NULL: none */
    json_t *ignored, *located;    /* likewise: not compared, and only reported; with `selector` */
    struct picture_labels labels; /* to be drawn last */
    json_t *withheld;             /* array: boxes of the picture to paint over, see withheld.h */
};

void picture_finish(struct picture *picture);

/* Discards what Chrome delivered, for another try; keeps box and masks. */
void picture_drop(struct picture *picture);

/* Decodes the pixels of a PNG within the limits, unless already done. */
bool picture_unpack(struct picture *picture, struct br_error *err);

/* As picture_unpack(), and paints over masks and withheld areas, which must be known. */
bool picture_decode(struct picture *picture, struct br_error *err);

/* Takes a picture: calls stable_look() when the box is known, just before Chrome captures. */
typedef bool (*stable_shoot)(struct page *page, const struct page_capture *options,
                             struct picture *ret_picture, struct br_error *err);

/*
 * Prepares the page according to options->stable, takes pictures until two in a row are equal or
 * the maximum is reached, and restores the page in any case. *ret_picture is the last one; the
 * caller finishes it.
 */
bool stable_capture(struct page *page, const struct page_capture *options, stable_shoot shoot,
                    struct picture *ret_picture, struct br_error *err);

/* Stops what has begun to move meanwhile, and finds the areas to paint over. */
bool stable_look(struct page *page, const struct page_stable *stable, bool is_viewport,
                 struct picture *picture, struct br_error *err);

/* Returns whether all are CSS selectors; INVALID_ACTION names the first invalid one. */
bool page_check_selectors(struct page *page, json_t *selectors, struct br_error *err);

#endif
