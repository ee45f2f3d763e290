#ifndef RUNNER_PAGE_CORE_BOX_H
#define RUNNER_PAGE_CORE_BOX_H

/* A rectangle of the document, CSS pixels. */
struct page_box {
    double x, y, width, height;
};

#endif
