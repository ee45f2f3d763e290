/* Connections over a Unix socket that send and receive lines. */
#ifndef RUNNER_NET_LINES_H
#define RUNNER_NET_LINES_H

#include "runner/base/strbuf.h"
#include "runner/net/connection.h"

/* Takes ownership of an accepted non-blocking socket. False: the loop has no room for it. */
bool lines_accept(struct connections *all, int fd, const struct net_peer *peer);

/* Splits a text that arrives in pieces into its lines, in place. All zero is the beginning. */
struct line_cut {
    size_t start;  /* the lines before it were returned */
    size_t looked; /* bytes from there that hold no newline */
};

/*
 * Returns the next whole line, with a NUL in place of its newline. If `has_ended`, the bytes behind
 * the last newline are a line, too. NULL: there is none. Valid until line_cut_forget().
 */
char *line_cut_next(struct line_cut *cut, struct strbuf *text, bool has_ended, size_t *ret_length);

/* How many bytes were not returned yet. */
size_t line_cut_rest(const struct line_cut *cut, const struct strbuf *text);

/* Removes the returned lines from the text; frees a large buffer that is empty. */
void line_cut_forget(struct line_cut *cut, struct strbuf *text);

#endif
