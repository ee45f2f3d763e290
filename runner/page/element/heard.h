/* Whether a page has scripts that hear what happens to an element. */
#ifndef RUNNER_PAGE_ELEMENT_HEARD_H
#define RUNNER_PAGE_ELEMENT_HEARD_H

#include <stdbool.h>

struct element;
struct page;

/*
 * Whether a script of the page may hear what an action is about to do to an element whose
 * job told of its backend_id: at the element, or at what is around it up to the window, there is a
 * listener for an event whose name begins with one of `types`, which end with NULL. Nobody else
 * undoes what was done. True as well where that cannot be found out. Source:
 * https://chromedevtools.github.io/devtools-protocol/tot/DOMDebugger/#method-getEventListeners
 */
bool page_hears(struct page *page, const struct element *element, const char *const *types);

#endif
