/* Pictures of a page that is made to hold still. */
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

/* One picture, as Chrome made it; as pixels when they are needed. */
struct picture {
    const struct br_image_limits *limits; /* its pixels are shrunk to; NULL: all are needed */
    unsigned char *png;
    size_t png_size;
    struct br_image image;        /* `pixels` NULL: not decoded yet */
    bool is_painted;              /* over what is masked or withheld */
    struct page_box box;          /* what it shows of the document, CSS pixels */
    json_t *masks;                /* array: boxes of the document to be painted over; NULL: none */
    struct picture_labels labels; /* to be drawn, when all else is done */
    json_t *withheld; /* array: boxes of the picture that are not to be seen, see withheld.h */
};

void picture_finish(struct picture *picture);

/* Forgets what Chrome made, for another try: place and masks stay. */
void picture_drop(struct picture *picture);

/* Makes the pixels as Chrome drew them, in the limits, unless they are there. */
bool picture_unpack(struct picture *picture, struct br_error *err);

/* The same with masks and what is withheld painted over, which have to be known by then. */
bool picture_decode(struct picture *picture, struct br_error *err);

/* Takes one: calls stable_look() when it knows the box, just before Chrome is asked. */
typedef bool (*stable_shoot)(struct page *page, const struct page_capture *options,
                             struct picture *ret_picture, struct br_error *err);

/*
 * Prepares the page as options->stable says, takes pictures until two in a row are equal or there
 * are as many as it allows, and puts the page back, whatever came of it. *ret_picture is the last
 * one, the caller's to finish.
 */
bool stable_capture(struct page *page, const struct page_capture *options, stable_shoot shoot,
                    struct picture *ret_picture, struct br_error *err);

/* Ends what has begun to move meanwhile, and finds what is to be painted over. */
bool stable_look(struct page *page, const struct page_stable *stable, bool is_viewport,
                 struct picture *picture, struct br_error *err);

/* Whether all are CSS selectors: INVALID_ACTION names the first that is none. */
bool page_check_selectors(struct page *page, json_t *selectors, struct br_error *err);

#endif
