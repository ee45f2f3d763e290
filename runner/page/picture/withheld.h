/* What a page keeps from models by data-no-ai, in pictures. */
#ifndef RUNNER_PAGE_PICTURE_WITHHELD_H
#define RUNNER_PAGE_PICTURE_WITHHELD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct br_error;
struct page;
struct page_box;
struct page_capture;

/* A look for such parts whose answers are on their way: what each frame was asked. */
struct withheld_look {
    struct withheld_call {
        char *frame_id;
        int64_t id; /* of the call; -1: it was not asked */
    } * calls;
    size_t count;
};

/*
 * The two halves of a look: asks all frames at once; takes what they say. A look that is begun is
 * taken, once, whatever happened meanwhile. *ret_boxes is an array of where such parts are, in CSS
 * pixels from the upper left corner of the picture (of the viewport, or of the box of the
 * document), in the order of the page; caller decrefs, also after a failure. *ret_is_gone: a
 * document went away before it said it. Nothing is looked for where the options show such parts.
 */
bool withheld_ask(struct page *page, const struct page_capture *options, struct withheld_look *look,
                  struct br_error *err);
bool withheld_take(struct page *page, const struct page_box *box, struct withheld_look *look,
                   json_t **ret_boxes, bool *ret_is_gone, struct br_error *err);

/* Both halves, and again where documents go. The boxes are the caller's to decref in any case. */
bool withheld_find(struct page *page, const struct page_capture *options,
                   const struct page_box *box, json_t **ret_boxes, struct br_error *err);

/*
 * Makes the boxes after a picture those of all that may be on it: what has moved since the look
 * before was anywhere between.
 */
void withheld_join(const json_t *before, json_t *boxes);

#endif
