/* Options of a picture. */
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

/* How the page is prepared for a picture, and restored after it; see docs/pictures.md. */
struct page_stable {
    bool is_frozen; /* stop all motion, and take pictures until two in a row are equal */
    int shots;      /* maximum number of these, 1 to PAGE_MAX_SHOTS; 1: no comparison */
    bool has_at;    /* with a virtual clock: show the document at this age, in motion */
    int64_t at_ms;
    /*
     * Arrays of selectors checked by page_check_selectors(): elements to make invisible, to remove,
     * to paint over; NULL: none.
     */
    json_t *hide, *remove, *mask;
    /*
     * Likewise, with is_frozen: elements that are not compared, and those whose boxes the result
     * has besides; NULL: none.
     */
    json_t *ignore, *locate;
    json_t *result; /* output with is_frozen: the outcome; NULL before. The caller decrefs. */
};

/* Finds the ids to draw onto pictures. */
struct page_labels {
    void *data;
    /*
     * Finds the labels in the box of the document, or in the viewport (NULL), at this moment: fills
     * everything except tile. Called once per capture, or more often while the page changes; the
     * last call counts.
     */
    bool (*find)(void *data, struct page *page, const struct page_box *box,
                 struct picture_labels *ret_labels, struct br_error *err);
    /* Reports what was drawn: `tile` and `is_drawn` are set. Called once per picture. */
    void (*tell)(void *data, const struct picture_labels *labels);
};

enum page_format {
    PAGE_JPEG,
    PAGE_PNG,
    PAGE_WEBP, /* encoded by Chrome; cannot be combined with max_bytes or stable */
};

struct page_capture {
    bool is_full_page;                /* the whole document instead of the viewport */
    const struct page_target *target; /* this element; NULL: none */
    const struct page_box *clip;      /* this rectangle of the document; NULL: none */
    enum page_format format;
    int quality; /* of JPEG and WebP, 1 to 100 */
    struct br_image_limits limits;
    int64_t max_bytes;                /* of the file; 0: unlimited */
    struct page_stable *stable;       /* NULL: the page is not prepared */
    const struct page_labels *labels; /* NULL: none; not for WebP */
    bool shows_withheld;              /* also show elements with data-no-ai, which are otherwise
                                         painted over */
    bool describes;                   /* the last picture of an action: page_describe() follows */
};

/* Device pixels. Beyond this, Chrome repeats tiles or leaves them blank. */
enum { PAGE_MAX_HEIGHT = 16000 };

/*
 * Takes a picture; viewport and scroll position stay the same. The caller finishes *ret_capture. A
 * picture higher than PAGE_MAX_HEIGHT is cut, with a warning in the logs. One that cannot fit
 * max_bytes has no bytes, with a warning, too.
 */
bool page_capture(struct page *page, const struct page_capture *options,
                  struct br_capture *ret_capture, struct br_error *err);

#endif
