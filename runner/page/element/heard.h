/* Detects listeners of the page for an element. */
#ifndef RUNNER_PAGE_ELEMENT_HEARD_H
#define RUNNER_PAGE_ELEMENT_HEARD_H

#include <stdbool.h>

struct element;
struct frame;
struct page;

/*
 * Returns whether a script of the page may react to what an action is about to do with an element
 * (its backend_id must be set): there is a listener on the element or an ancestor, up to the
 * window, for an event whose name begins with one of `types`, which end with NULL. Without such a
 * listener the page cannot undo the action. Also true if it cannot be determined. Source:
 * https://chromedevtools.github.io/devtools-protocol/tot/DOMDebugger/#method-getEventListeners
 */
bool page_hears(struct page *page, const struct element *element, const char *const *types);

/* The same for the element of the frame that has the focus. */
bool heard_at_focus(struct page *page, struct frame *frame, const char *const *types);

#endif
