/* How an action names an element or a place. */
#ifndef RUNNER_PAGE_ELEMENT_NAMED_H
#define RUNNER_PAGE_ELEMENT_NAMED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* An element that a snapshot has shown. */
struct page_node {
    const char *frame_id, *loader_id; /* the document that it was in; see page_frame_loader() */
    int64_t backend_id;               /* 0: it is none */
    char label[24];                   /* for messages: "node e12" */
};

/* How an action names an element or a place; exactly one way is used. */
struct page_target {
    struct page_node node; /* STALE_NODE when it is not there any more */
    const char *selector;  /* CSS, pierces open shadow roots */
    const char *test_id;   /* of data-testid, data-test-id, data-test or data-cy */
    const char *text;      /* a part of what the innermost element says; `*` is any text */
    bool may_be_name;      /* what no element says is the name of a control, or a part of it */
    const char *role;      /* ARIA role, as a snapshot has it, or "control", or "field" */
    const char *name;      /* with role: a part of the accessible name; NULL: any */
    const char *field;     /* what a field is called: by name, id, test id, placeholder, label */
    const json_t *beside;  /* of a field: names of those that are filled with it (strings);
                              of several forms the one with most of them; NULL: none */
    const struct page_node *within; /* of a field: what it is in, such as a form; NULL: anything */
    const json_t *targets; /* selectors or texts (strings): the first that shows; NULL: a place */
    const char *frame;     /* looks in this frame only: its name, its element's selector, or its
                              URL (a part with a `/`, or a glob); NULL: in all */
    bool ignores_no_ai;    /* also what data-no-ai keeps from models; otherwise POLICY_DENIED */
    int nth;               /* which of several matches, from 0; -1: there must be one only */
    double x_min, x_max, y_min, y_max; /* a place in the viewport, CSS pixels */
    int64_t patience_ms;               /* how long the element may take to appear and to be ready */
};

/* Whether it names an element; otherwise a place. */
bool page_target_is_element(const struct page_target *target);

#endif
