/* Connections that send and receive lines, over a Unix socket. */
#ifndef RUNNER_NET_LINES_H
#define RUNNER_NET_LINES_H

#include "runner/base/strbuf.h"
#include "runner/net/connection.h"

/* Takes an accepted socket that does not block. False: the loop has no room for it. */
bool lines_accept(struct connections *all, int fd, const struct net_peer *peer);

/* Cuts a text that comes piece by piece into its lines, in place. All zero is at its beginning. */
struct line_cut {
    size_t start;  /* the lines before were given */
    size_t looked; /* so many bytes from there have no newline */
};

/*
 * The next line that is whole, a NUL in the place of its newline; what comes behind the last
 * newline is one if `has_ended` and it is not empty. NULL: there is none. It is the text's, until
 * the next line_cut_forget().
 */
char *line_cut_next(struct line_cut *cut, struct strbuf *text, bool has_ended, size_t *ret_length);

/* How many bytes there are that were not given. */
size_t line_cut_rest(const struct line_cut *cut, const struct strbuf *text);

/* Forgets the lines that were given; where nothing is left, also the memory for long ones. */
void line_cut_forget(struct line_cut *cut, struct strbuf *text);

#endif
