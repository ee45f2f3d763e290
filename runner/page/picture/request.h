/* What picture of a page is asked for. */
#ifndef RUNNER_PAGE_PICTURE_REQUEST_H
#define RUNNER_PAGE_PICTURE_REQUEST_H

#include <browser_runner/image.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_capture;
struct br_error;
struct page;
struct page_box;
struct page_target;
struct picture_labels;

enum { PAGE_MAX_SHOTS = 10 };

/* How the page is prepared for a picture, and put back after it; see docs/pictures.md. */
struct page_stable {
    bool is_frozen; /* nothing moves, and pictures are taken until two in a row are equal */
    int shots;      /* at most so many of them, 1 to PAGE_MAX_SHOTS; 1: it is not compared */
    /* Arrays of selectors that page_check_selectors() has seen, of what is made invisible, is taken
     * away, is painted over; NULL: nothing. */
    json_t *hide, *remove, *mask;
    json_t *result; /* with is_frozen what came of it; NULL before. The caller decrefs. */
};

/* Who knows the ids that are drawn onto pictures. */
struct page_labels {
    void *data;
    /*
     * What is in the box of the document, or in the viewport (NULL), at this moment: fills all but
     * tile. Called once a capture, or more often while the page changes; the last call counts.
     */
    bool (*find)(void *data, struct page *page, const struct page_box *box,
                 struct picture_labels *ret_labels, struct br_error *err);
    /* What was drawn of it: `tile` and `is_drawn` are there. Called once a picture. */
    void (*tell)(void *data, const struct picture_labels *labels);
};

enum page_format {
    PAGE_JPEG,
    PAGE_PNG,
    PAGE_WEBP, /* encoded by Chrome; with neither max_bytes nor stable */
};

struct page_capture {
    bool is_full_page;                /* the whole document instead of the viewport */
    const struct page_target *target; /* this element; NULL: none */
    const struct page_box *clip;      /* this rectangle of the document; NULL: none */
    enum page_format format;
    int quality; /* of JPEG and WebP, 1 to 100 */
    struct br_image_limits limits;
    int64_t max_bytes;                /* of the file; 0: any number */
    struct page_stable *stable;       /* NULL: the page as it is */
    const struct page_labels *labels; /* NULL: none; not of WebP */
    bool shows_withheld;              /* also what data-no-ai marks, which is painted over else */
    bool describes;                   /* it is the last of an action: page_describe() follows */
};

/* Device pixels. Beyond, Chrome repeats tiles or leaves them blank. */
enum { PAGE_MAX_HEIGHT = 16000 };

/*
 * Takes a picture; the viewport and the scroll position stay as they are. The caller finishes
 * *ret_capture. What is higher than PAGE_MAX_HEIGHT is cut there, with a warning in the logs. One
 * that cannot be made to fit max_bytes has no bytes, with a warning, too.
 */
bool page_capture(struct page *page, const struct page_capture *options,
                  struct br_capture *ret_capture, struct br_error *err);

#endif
