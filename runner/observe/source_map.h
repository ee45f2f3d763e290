/*
 * Source maps: which line of a source a place in a generated script comes from. Source: ECMA-426
 * (revision 3 of the format), index maps included. Lines and columns are counted from 1 here.
 */
#ifndef RUNNER_OBSERVE_SOURCE_MAP_H
#define RUNNER_OBSERVE_SOURCE_MAP_H

#include "runner/base/error.h"

#include <stddef.h>

struct source_map;

/* Reads a map; the prefix `)]}'` that keeps it from being run is allowed. Caller destroys. */
struct source_map *source_map_parse(const char *text, size_t length, struct br_error *err);
void source_map_destroy(struct source_map *map);

/* The bytes of memory that the map takes, about. */
size_t source_map_size(const struct source_map *map);

/*
 * Returns "source:line:column" of a position in the script; relative names are resolved against
 * base_url. NULL if the map does not contain it, or is malformed there. Caller frees.
 */
char *source_map_find(const struct source_map *map, const char *base_url, int line, int column);

/*
 * Returns the URL in the last `//# sourceMappingURL=` of a script, up to the end of the line; NULL
 * if there is none. *ret_length bytes; borrowed from the script.
 */
const char *source_map_reference(const char *script, size_t *ret_length);

/* Decodes a `data:` URL in base64; NULL: it is not one. Caller frees. */
char *source_map_inline(const char *url);

#endif
