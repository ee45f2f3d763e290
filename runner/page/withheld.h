/* What a page keeps from models by data-no-ai, in pictures; for the files of this folder only. */
#ifndef RUNNER_PAGE_WITHHELD_H
#define RUNNER_PAGE_WITHHELD_H

#include "runner/page/capture.h"

/*
 * Adds to *boxes (an array) where such parts are, in all frames that answer, in CSS pixels from the
 * upper left corner of the picture: of the viewport, or of the box of the document. To be called
 * before and after a capture with the same array: what has moved meanwhile was anywhere between.
 * Does nothing where the options show them.
 */
bool withheld_find(struct page *page, const struct page_capture *options,
                   const struct page_box *box, json_t *boxes, struct br_error *err);

#endif
