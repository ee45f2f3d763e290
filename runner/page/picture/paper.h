/*
 * The page on paper: a PDF as Chrome prints it, with its style sheets for print. Its scripts are
 * told by the events beforeprint and afterprint.
 */
#ifndef RUNNER_PAGE_PICTURE_PAPER_H
#define RUNNER_PAGE_PICTURE_PAPER_H

#include <stdbool.h>
#include <stddef.h>

struct br_error;
struct page;

/* Lengths are in inches. */
struct paper {
    double width, height; /* before it is turned for landscape */
    double margins[4];    /* top, right, bottom, left */
    double scale;         /* of the contents, 0.1 to 2 */
    bool is_landscape;
    bool has_background;
    bool has_css_size;           /* a size in @page of the style sheets replaces width and height */
    const char *ranges;          /* such as "1-3, 5"; NULL: all pages */
    const char *header, *footer; /* HTML; NULL: none */
    bool shows_withheld;         /* also print elements with data-no-ai, which are otherwise taken
                                    out of the layout meanwhile */
    size_t max_bytes;
};

/*
 * Prints the page. *ret_left_out: the number of parts that were taken out. The caller frees
 * *ret_bytes. LIMIT_EXCEEDED if the PDF has more than max_bytes. POLICY_DENIED if it is not certain
 * that data-no-ai was respected: a frame does not answer, or the page shows such a part again when
 * it is printed.
 */
bool paper_print(struct page *page, const struct paper *paper, char **ret_bytes, size_t *ret_size,
                 int *ret_left_out, struct br_error *err);

/* Returns the number of pages of a PDF as Chrome writes it; 0: unknown. */
int paper_count_pages(const char *bytes, size_t size);

#endif
