/*
 * The attributes that roles, names and states are computed from, by number. A bit set for each node
 * tells which ones it has, so asking for an absent one is cheap.
 */
#ifndef RUNNER_SNAPSHOT_DOM_ATTRIBUTES_H
#define RUNNER_SNAPSHOT_DOM_ATTRIBUTES_H

#include "runner/snapshot/dom/tree.h"

/* Sorted by name; attributes.c relies on it. */
#define SNAPSHOT_ATTRIBUTES(ATTRIBUTE)                                                             \
    ATTRIBUTE(ABBR, "abbr")                                                                        \
    ATTRIBUTE(ALT, "alt")                                                                          \
    ATTRIBUTE(ARIA_ACTIVEDESCENDANT, "aria-activedescendant")                                      \
    ATTRIBUTE(ARIA_ATOMIC, "aria-atomic")                                                          \
    ATTRIBUTE(ARIA_BUSY, "aria-busy")                                                              \
    ATTRIBUTE(ARIA_CHECKED, "aria-checked")                                                        \
    ATTRIBUTE(ARIA_CONTROLS, "aria-controls")                                                      \
    ATTRIBUTE(ARIA_CURRENT, "aria-current")                                                        \
    ATTRIBUTE(ARIA_DESCRIBEDBY, "aria-describedby")                                                \
    ATTRIBUTE(ARIA_DESCRIPTION, "aria-description")                                                \
    ATTRIBUTE(ARIA_DETAILS, "aria-details")                                                        \
    ATTRIBUTE(ARIA_DISABLED, "aria-disabled")                                                      \
    ATTRIBUTE(ARIA_DROPEFFECT, "aria-dropeffect")                                                  \
    ATTRIBUTE(ARIA_EXPANDED, "aria-expanded")                                                      \
    ATTRIBUTE(ARIA_FLOWTO, "aria-flowto")                                                          \
    ATTRIBUTE(ARIA_GRABBED, "aria-grabbed")                                                        \
    ATTRIBUTE(ARIA_HASPOPUP, "aria-haspopup")                                                      \
    ATTRIBUTE(ARIA_HIDDEN, "aria-hidden")                                                          \
    ATTRIBUTE(ARIA_INVALID, "aria-invalid")                                                        \
    ATTRIBUTE(ARIA_KEYSHORTCUTS, "aria-keyshortcuts")                                              \
    ATTRIBUTE(ARIA_LABEL, "aria-label")                                                            \
    ATTRIBUTE(ARIA_LABELEDBY, "aria-labeledby")                                                    \
    ATTRIBUTE(ARIA_LABELLEDBY, "aria-labelledby")                                                  \
    ATTRIBUTE(ARIA_LEVEL, "aria-level")                                                            \
    ATTRIBUTE(ARIA_LIVE, "aria-live")                                                              \
    ATTRIBUTE(ARIA_MODAL, "aria-modal")                                                            \
    ATTRIBUTE(ARIA_MULTILINE, "aria-multiline")                                                    \
    ATTRIBUTE(ARIA_MULTISELECTABLE, "aria-multiselectable")                                        \
    ATTRIBUTE(ARIA_OWNS, "aria-owns")                                                              \
    ATTRIBUTE(ARIA_PLACEHOLDER, "aria-placeholder")                                                \
    ATTRIBUTE(ARIA_PRESSED, "aria-pressed")                                                        \
    ATTRIBUTE(ARIA_READONLY, "aria-readonly")                                                      \
    ATTRIBUTE(ARIA_RELEVANT, "aria-relevant")                                                      \
    ATTRIBUTE(ARIA_REQUIRED, "aria-required")                                                      \
    ATTRIBUTE(ARIA_ROLEDESCRIPTION, "aria-roledescription")                                        \
    ATTRIBUTE(ARIA_SELECTED, "aria-selected")                                                      \
    ATTRIBUTE(ARIA_VALUENOW, "aria-valuenow")                                                      \
    ATTRIBUTE(ARIA_VALUETEXT, "aria-valuetext")                                                    \
    ATTRIBUTE(AUTOCOMPLETE, "autocomplete")                                                        \
    ATTRIBUTE(AXIS, "axis")                                                                        \
    ATTRIBUTE(BGCOLOR, "bgcolor")                                                                  \
    ATTRIBUTE(BORDER, "border")                                                                    \
    ATTRIBUTE(CLASS, "class")                                                                      \
    ATTRIBUTE(COLSPAN, "colspan")                                                                  \
    ATTRIBUTE(CONTENTEDITABLE, "contenteditable")                                                  \
    ATTRIBUTE(CONTROLS, "controls")                                                                \
    ATTRIBUTE(DATA_CY, "data-cy")                                                                  \
    ATTRIBUTE(DATA_NO_AI, "data-no-ai")                                                            \
    ATTRIBUTE(DATA_TEST, "data-test")                                                              \
    ATTRIBUTE(DATA_TEST_ID, "data-test-id")                                                        \
    ATTRIBUTE(DATA_TESTID, "data-testid")                                                          \
    ATTRIBUTE(DISABLED, "disabled")                                                                \
    ATTRIBUTE(FOR, "for")                                                                          \
    ATTRIBUTE(HEADERS, "headers")                                                                  \
    ATTRIBUTE(HREF, "href")                                                                        \
    ATTRIBUTE(ID, "id")                                                                            \
    ATTRIBUTE(INERT, "inert")                                                                      \
    ATTRIBUTE(LABEL, "label")                                                                      \
    ATTRIBUTE(LIST, "list")                                                                        \
    ATTRIBUTE(MAX, "max")                                                                          \
    ATTRIBUTE(MIN, "min")                                                                          \
    ATTRIBUTE(MULTIPLE, "multiple")                                                                \
    ATTRIBUTE(NAME, "name")                                                                        \
    ATTRIBUTE(ONCLICK, "onclick")                                                                  \
    ATTRIBUTE(OPEN, "open")                                                                        \
    ATTRIBUTE(PLACEHOLDER, "placeholder")                                                          \
    ATTRIBUTE(POPOVER, "popover")                                                                  \
    ATTRIBUTE(POPOVERTARGET, "popovertarget")                                                      \
    ATTRIBUTE(READONLY, "readonly")                                                                \
    ATTRIBUTE(REQUIRED, "required")                                                                \
    ATTRIBUTE(ROLE, "role")                                                                        \
    ATTRIBUTE(ROWSPAN, "rowspan")                                                                  \
    ATTRIBUTE(RULES, "rules")                                                                      \
    ATTRIBUTE(SCOPE, "scope")                                                                      \
    ATTRIBUTE(SIZE, "size")                                                                        \
    ATTRIBUTE(SLOT, "slot")                                                                        \
    ATTRIBUTE(SRC, "src")                                                                          \
    ATTRIBUTE(SUMMARY, "summary")                                                                  \
    ATTRIBUTE(TABINDEX, "tabindex")                                                                \
    ATTRIBUTE(TITLE, "title")                                                                      \
    ATTRIBUTE(TYPE, "type")                                                                        \
    ATTRIBUTE(USEMAP, "usemap")                                                                    \
    ATTRIBUTE(VALUE, "value")                                                                      \
    ATTRIBUTE(XLINK_HREF, "xlink:href")                                                            \
    ATTRIBUTE(XLINK_TITLE, "xlink:title")

enum snapshot_attribute_number {
#define SNAPSHOT_ATTRIBUTE_ENUM(symbol, name) ATTRIBUTE_##symbol,
    SNAPSHOT_ATTRIBUTES(SNAPSHOT_ATTRIBUTE_ENUM)
#undef SNAPSHOT_ATTRIBUTE_ENUM
        ATTRIBUTE_COUNT,
};

struct snapshot_attributes {
    const struct snapshot_tree *tree;
    uint64_t (*present)[2]; /* for each node: its attributes as bits */
    uint8_t *numbers;       /* for each attribute of the tree; ATTRIBUTE_COUNT: not one of these */
};

void snapshot_attributes_init(struct snapshot_attributes *attributes,
                              const struct snapshot_tree *tree);
void snapshot_attributes_finish(struct snapshot_attributes *attributes);

static inline bool snapshot_has(const struct snapshot_attributes *attributes, int node,
                                enum snapshot_attribute_number number)
{
    return attributes->present[node][number / 64] >> (number % 64) & 1;
}

/* Returns "" for an empty attribute, NULL for an absent one. */
const char *snapshot_get(const struct snapshot_attributes *attributes, int node,
                         enum snapshot_attribute_number number);

/* Returns whether it is present with this value, ignoring case. */
bool snapshot_is(const struct snapshot_attributes *attributes, int node,
                 enum snapshot_attribute_number number, const char *value);

/* Returns whether it is present and not empty. */
bool snapshot_is_filled(const struct snapshot_attributes *attributes, int node,
                        enum snapshot_attribute_number number);

/* For ARIA states: any value except "", "false" and "undefined" is true. */
bool snapshot_is_true(const struct snapshot_attributes *attributes, int node,
                      enum snapshot_attribute_number number);

/* Returns the number at the beginning of the value; `fallback` if there is none. */
int snapshot_integer(const struct snapshot_attributes *attributes, int node,
                     enum snapshot_attribute_number number, int fallback);

/*
 * Finds the next word of *text and moves *text behind it; returns the word's length, or 0 at the
 * end.
 */
size_t snapshot_word(const char **text, const char **ret_word);

#endif
