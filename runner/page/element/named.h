/* How an action names an element or a place. */
#ifndef RUNNER_PAGE_ELEMENT_NAMED_H
#define RUNNER_PAGE_ELEMENT_NAMED_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* An element that a snapshot has shown. */
struct page_node {
    const char *frame_id, *loader_id; /* its document; see page_frame_loader() */
    int64_t backend_id;               /* 0: no node */
    char label[24];                   /* for messages: "node e12" */
};

/* How an action names an element or a place; exactly one way is used. */
struct page_target {
    struct page_node node; /* STALE_NODE if it no longer exists */
    const char *selector;  /* CSS; searches open shadow roots, too */
    const char *test_id;   /* value of data-testid, data-test-id, data-test or data-cy */
    const char *text;      /* part of the innermost element's text; `*` is any text */
    bool may_be_name;      /* if no element has the text, match the name of a control, or a part
                              of it */
    const char *role;      /* ARIA role as in a snapshot, or "control", or "field" */
    const char *name;      /* with role: part of the accessible name; NULL: any */
    bool is_exact;         /* only exactly this name */
    const char *word;      /* an element in a person's words: its text, label, name or selector; see
                              patience_reading() */
    const char *word_kind; /* what the word names: "field", "combobox" or "control"; NULL: anything
                              with that text */
    const char *word_role; /* the word if it is a role; otherwise NULL */
    bool is_loose;         /* a part of the word's text or label is enough */
    const char *field;     /* a field by its name, id, test id, placeholder or label */
    const json_t *beside;  /* for a field: names of other fields to be filled with it (strings);
                              of several forms the one with most of them is used; NULL: none */
    const struct page_node *within; /* for a field: what must contain it, such as a form; NULL:
                                       anything */
    const json_t *targets; /* selectors or texts (strings): the first visible one; NULL: a place */
    const char *frame;     /* search only this frame: its name, its element's selector, or its
                              URL (a part with a `/`, or a glob); NULL: all frames */
    bool ignores_no_ai;    /* may also be in data-no-ai; otherwise POLICY_DENIED */
    int nth;               /* index among several matches, from 0; -1: there must be only one */
    double x_min, x_max, y_min, y_max; /* a place in the viewport, CSS pixels */
    int64_t patience_ms;               /* how long to wait for the element to appear and be ready */
};

/* Returns whether it names an element; otherwise a place. */
static inline bool page_target_is_element(const struct page_target *target)
{
    return target->word || target->selector || target->test_id || target->text || target->role ||
           target->targets || target->field || target->node.backend_id;
}

#endif
