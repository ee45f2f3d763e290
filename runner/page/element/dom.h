/*
 * The DOM of a page as Chrome delivers it: DOMSnapshot.captureSnapshot of each process of the page,
 * and states that only its scripts know. Nothing is decoded here.
 */
#ifndef RUNNER_PAGE_ELEMENT_DOM_H
#define RUNNER_PAGE_ELEMENT_DOM_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct br_error;
struct page;

/* More elements take Chrome too long: LIMIT_EXCEEDED. */
enum { PAGE_MAX_ELEMENTS = 300000 };

/* The part of one process. */
struct page_dom_part {
    char *text; /* the `result`, with a NUL after it; owned */
    size_t length;
    int owner_part;   /* the part with the element of its top frame; -1: the page's own */
    int64_t owner_id; /* backend id of that element; 0: unknown */
    char *frame_id;   /* of its top frame; owned */
};

/* A state of an element that is not in the DOM. */
struct page_dom_mark {
    int part;
    int64_t node_id;  /* backend id */
    const char *kind; /* "focused", "mixed", "invalid"; static */
};

struct page_dom {
    struct page_dom_part *parts; /* the page's own part first */
    int part_count;
    struct page_dom_mark *marks;
    size_t mark_count, mark_capacity;
};

struct page_dom_request {
    const char *const *styles;
    const char *const *frame_styles;    /* further ones, if the page has frames */
    void (*on_sent)(struct page *page); /* called before the wait for the replies; NULL: nothing */
};

/*
 * Requests the DOM with computed styles; both lists end with NULL. A frame that does not respond is
 * omitted, with a warning in the logs. The caller finishes *ret_dom in any case.
 */
bool page_get_dom(struct page *page, const struct page_dom_request *request,
                  struct page_dom *ret_dom, struct br_error *err);
void page_dom_finish(struct page_dom *dom);

/*
 * Gets Chrome's accessibility tree of all frames of a part: the `nodes` of
 * Accessibility.getFullAXTree. The caller decrefs.
 */
bool page_get_accessibility(struct page *page, const struct page_dom_part *part, json_t **ret_nodes,
                            struct br_error *err);

/*
 * Gets it for some elements of a part, with Accessibility.getPartialAXTree; omits elements that no
 * longer exist.
 */
bool page_get_accessibility_of(struct page *page, const struct page_dom_part *part,
                               const int64_t *node_ids, size_t count, json_t **ret_nodes,
                               struct br_error *err);

#endif
