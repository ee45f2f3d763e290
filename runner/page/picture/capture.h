/* What pictures of the page and of its slices have in common. */
#ifndef RUNNER_PAGE_PICTURE_CAPTURE_H
#define RUNNER_PAGE_PICTURE_CAPTURE_H

#include "runner/page/core/box.h"
#include "runner/page/element/element.h"

#include <stdbool.h>

struct br_capture;
struct br_error;
struct br_image;
struct br_image_limits;
struct page;
struct page_capture;
struct picture;

/* The rectangle of the document that a picture is to show: whole CSS pixels inside of it. */
struct area {
    struct page_box box;
    struct page_box view;    /* where the viewport is */
    struct element scrolled; /* that the page was scrolled for, to show it */
    bool has_shown;          /* what `content-visibility: auto` skips is drawn until it is left */
};

/* Ends with area_leave(), whatever came of it. TARGET_NOT_VISIBLE for what lies outside. */
bool area_find(struct page *page, const struct page_capture *options, struct area *ret_area,
               struct br_error *err);
void area_leave(struct page *page, struct area *area);

/*
 * Takes the picture that the options ask for, as pixels, which may be shrunk to the limits; NULL:
 * all of them. The caller finishes *ret_picture.
 */
bool capture_take(struct page *page, const struct page_capture *options,
                  const struct br_image_limits *limits, struct picture *ret_picture,
                  struct br_error *err);

/*
 * A picture of the box as WebP, which Chrome encodes. NULL: of the viewport. Fills all of the
 * capture but its time. LIMIT_EXCEEDED for one that Chrome cannot scale into the limits.
 */
bool capture_webp(struct page *page, const struct page_capture *options, const struct page_box *box,
                  struct br_capture *capture, struct br_error *err);

/* The viewport as pixels, for comparing. The caller finishes *ret_image. */
bool page_capture_pixels(struct page *page, struct br_image *ret_image, struct br_error *err);

#endif
