/* Common code for pictures of the page and of slices. */
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

/*
 * The rectangle of the document that a picture will show, in whole CSS pixels inside the document.
 * All positions count from where the page is scrolled to 0,0. Where text runs to the left, or lines
 * do, parts of the document are at negative positions.
 */
struct area {
    struct page_box box;
    struct page_box view;    /* the viewport's position */
    double left, top;        /* the document's corner: at most 0 */
    struct element scrolled; /* the element that the page was scrolled for */
    bool has_shown;          /* content skipped by `content-visibility: auto` is rendered until
                                area_leave() */
};

/*
 * Call area_leave() afterwards, even after a failure. TARGET_NOT_VISIBLE if it is outside the
 * document.
 */
bool area_find(struct page *page, const struct page_capture *options, struct area *ret_area,
               struct br_error *err);
void area_leave(struct page *page, struct area *area);

/*
 * Takes the picture for the options, as pixels, which may be scaled down to the limits; NULL: no
 * limits. The caller finishes *ret_picture.
 */
bool capture_take(struct page *page, const struct page_capture *options,
                  const struct br_image_limits *limits, struct picture *ret_picture,
                  struct br_error *err);

/*
 * Takes a picture of the box as WebP, encoded by Chrome; NULL: of the viewport. Fills the capture
 * except its time. LIMIT_EXCEEDED if Chrome cannot scale it to the limits.
 */
bool capture_webp(struct page *page, const struct page_capture *options, const struct page_box *box,
                  struct br_capture *capture, struct br_error *err);

/* Captures the viewport as pixels, for comparison. The caller finishes *ret_image. */
bool page_capture_pixels(struct page *page, struct br_image *ret_image, struct br_error *err);

#endif
