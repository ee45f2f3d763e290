/* Connections over a Unix socket that send and receive lines. */
#ifndef RUNNER_NET_LINES_H
#define RUNNER_NET_LINES_H

#include "runner/base/strbuf.h"
#include "runner/net/connection.h"

/*
 * Takes ownership of an accepted non-blocking socket. Returns false when the loop has no room for
 * it.
 */
bool lines_accept(struct connections *all, int fd, const struct net_peer *peer);

/* Splits a text that arrives in pieces into its lines, in place. Initialise with zeros. */
struct line_cut {
    size_t start;  /* offset of the first line that was not returned */
    size_t looked; /* bytes from there that are known to have no newline */
};

/*
 * Returns the next whole line, with a NUL in place of its newline; NULL if there is none. If
 * `has_ended`, the bytes after the last newline are also a line. Valid until line_cut_forget().
 */
char *line_cut_next(struct line_cut *cut, struct strbuf *text, bool has_ended, size_t *ret_length);

/* Returns the number of bytes that were not returned yet. */
size_t line_cut_rest(const struct line_cut *cut, const struct strbuf *text);

/* Removes the returned lines from the text. Frees a large buffer that is empty. */
void line_cut_forget(struct line_cut *cut, struct strbuf *text);

#endif
