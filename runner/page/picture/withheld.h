/* Areas that a page hides from models by data-no-ai, in pictures. */
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

/* A search in progress: the calls to each frame. */
struct withheld_look {
    struct withheld_call {
        char *frame_id;
        int64_t id; /* of the call; -1: not sent */
    } * calls;
    size_t count;
};

/*
 * The two halves of a search: call all frames at once; collect their answers. Every begun search
 * must be collected or dropped, whatever happens in between. *ret_boxes is an array of the areas,
 * in CSS pixels from the picture's upper left corner (of the viewport, or of the box of the
 * document), in document order; caller decrefs, also after a failure. *ret_is_gone: a document
 * disappeared before it answered. Nothing is searched if the options show such areas.
 */
bool withheld_ask(struct page *page, const struct page_capture *options, struct withheld_look *look,
                  struct br_error *err);
bool withheld_take(struct page *page, const struct page_box *box, struct withheld_look *look,
                   json_t **ret_boxes, bool *ret_is_gone, struct br_error *err);

/* Ends a begun search without waiting for its answers. */
void withheld_drop(struct page *page, struct withheld_look *look);

/* Both halves, repeated if documents disappear. The caller decrefs the boxes in any case. */
bool withheld_find(struct page *page, const struct page_capture *options,
                   const struct page_box *box, json_t **ret_boxes, struct br_error *err);

/*
 * Extends the boxes found after a picture to all that may be on it: an area that moved since the
 * search before may have been anywhere in between.
 */
void withheld_join(const json_t *before, json_t *boxes);

#endif
