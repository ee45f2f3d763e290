/* Parameters of a request's query, as struct net_peer has it. */
#ifndef RUNNER_NET_QUERY_H
#define RUNNER_NET_QUERY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The first parameter of this name, decoded. False where it is not there; where it does not fit or
 * holds a NUL, `value` is "".
 */
bool net_query_param(const char *query, const char *name, char *value, size_t size);

#endif
