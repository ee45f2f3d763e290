/* What is written beside an element's text: selectors, states, addresses. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_ANNOTATION_H
#define RUNNER_SNAPSHOT_MARKDOWN_ANNOTATION_H

#include "runner/snapshot/markdown/context.h"

/* "<!-- form-start: SELECTOR -->", a paragraph of its own; NONE: without a selector. */
void markdown_marker(struct markdown *markdown, const char *name, int node);

/* "<!--button:#id-->" right behind what was written last; nothing for what is no control, or when
 * no selector finds it. */
void markdown_annotate(struct markdown *markdown, int node);

/* Controls that are boxes of their own stand by themselves. */
void markdown_set_apart(struct markdown *markdown, int node);

/* "checked", "disabled" and the like, in parentheses. */
void markdown_states(struct markdown *markdown, int node);

/* "(address)", of a link or a picture; "data:" and "javascript:" without what follows. */
void markdown_address(struct markdown *markdown, int node, const char *reference);

#endif
