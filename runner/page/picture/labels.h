/* Finding and drawing the ids of elements on a picture. */
#ifndef RUNNER_PAGE_PICTURE_LABELS_H
#define RUNNER_PAGE_PICTURE_LABELS_H

#include "runner/page/core/box.h"

#include <stdbool.h>

struct br_error;
struct br_image;
struct page;
struct page_capture;
struct picture;

/* The page's state before a picture: document and scroll position. */
struct labels_moment {
    char *loader_id;
    double scroll_x, scroll_y;
};

bool labels_begin(struct page *page, struct labels_moment *ret_moment, struct br_error *err);
void labels_moment_finish(struct labels_moment *moment);

/*
 * After the picture: calls options->labels to find what is on it. *ret_is_same is false, and
 * nothing is found, if the page navigated or scrolled since `before`. `box` NULL: the viewport.
 */
bool labels_find(struct page *page, const struct page_capture *options, const struct page_box *box,
                 const struct labels_moment *before, struct picture *picture, bool *ret_is_same,
                 struct br_error *err);

/* Selects the labels for a part that is cut out of the picture. */
void labels_cut(const struct picture *whole, struct picture *part);

/* Draws them onto the image of that picture, whatever its size, and records which found room. */
void labels_draw(struct br_image *image, struct picture *picture);

#endif
