/* Annotations of elements: selectors, states, addresses. */
#ifndef RUNNER_SNAPSHOT_MARKDOWN_ANNOTATION_H
#define RUNNER_SNAPSHOT_MARKDOWN_ANNOTATION_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/markdown/context.h"

/*
 * Writes "<!-- form-start: SELECTOR -->" as a paragraph of its own; node NONE: without a selector.
 */
void markdown_marker(struct markdown *markdown, const char *name, int node);

/*
 * Writes "<!--button:#id-->" directly after the previous text; nothing if the node is not a control
 * or has no selector.
 */
void markdown_annotate(struct markdown *markdown, int node);

/* Puts controls that are blocks on lines of their own. */
void markdown_set_apart(struct markdown *markdown, int node);

/* Writes states such as "checked" and "disabled" in parentheses. */
void markdown_states(struct markdown *markdown, int node);

/* Writes "(address)" of a link or a picture; of "data:" and "javascript:" only the scheme. */
void markdown_address(struct markdown *markdown, int node, const char *reference);

/*
 * Resolves a reference against the absolute URL `base` (RFC 3986, 5.2) and adds the result,
 * treating white space and backslashes as browsers do. With a `base` without path (data:, about:)
 * the reference stays unchanged.
 */
void address_resolve(const char *base, const char *reference, struct strbuf *address);

#endif
