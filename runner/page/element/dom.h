/*
 * The DOM of a page as Chrome hands it out whole: DOMSnapshot.captureSnapshot of each process that
 * the page uses, and what only the page's scripts know. Nothing of it is decoded here.
 */
#ifndef RUNNER_PAGE_ELEMENT_DOM_H
#define RUNNER_PAGE_ELEMENT_DOM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct br_error;
struct page;

/* More elements take Chrome longer than anybody waits: LIMIT_EXCEEDED. */
enum { PAGE_MAX_ELEMENTS = 300000 };

/* Of one process. */
struct page_dom_part {
    char *text; /* the `result`, with a NUL behind it; owned */
    size_t length;
    int owner_part;   /* the part that has the element of its topmost frame; -1: the page's own */
    int64_t owner_id; /* backend id of that element; 0: not known */
    char *frame_id;   /* of its topmost frame; owned */
};

/* Something about an element that is not in the DOM. */
struct page_dom_mark {
    int part;
    int64_t node_id;  /* backend id */
    const char *kind; /* "focused", "mixed", "invalid"; static */
};

struct page_dom {
    struct page_dom_part *parts; /* the page's own first */
    int part_count;
    struct page_dom_mark *marks;
    size_t mark_count, mark_capacity;
};

/*
 * The computed styles that are asked for: `styles`, and `frame_styles` behind them where the page
 * has frames; both end with NULL. A frame that does not answer is left out, with a warning in the
 * logs. The caller finishes *ret_dom in any case.
 */
bool page_get_dom(struct page *page, const char *const *styles, const char *const *frame_styles,
                  struct page_dom *ret_dom, struct br_error *err);
void page_dom_finish(struct page_dom *dom);

/*
 * Chrome's accessibility tree of all frames of a part: the `nodes` of
 * Accessibility.getFullAXTree. The caller decrefs.
 */
bool page_get_accessibility(struct page *page, const struct page_dom_part *part, json_t **ret_nodes,
                            struct br_error *err);

/* The same of some elements of a part alone, by Accessibility.getPartialAXTree; those that have
 * gone are left out. */
bool page_get_accessibility_of(struct page *page, const struct page_dom_part *part,
                               const int64_t *node_ids, size_t count, json_t **ret_nodes,
                               struct br_error *err);

#endif
