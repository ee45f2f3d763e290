/* Other tools' names for our actions and parameters: used in hints only, never accepted. */
#ifndef RUNNER_ACTIONS_SYNONYMS_H
#define RUNNER_ACTIONS_SYNONYMS_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct synonym {
    const char *names; /* lower case, without _ and -, separated and surrounded by spaces */
    const char *known; /* our action or parameter, if the action has that */
    const char *more;  /* how to write it; or NULL */
};

/* The tables; an entry with NULL names ends them. */
extern const struct synonym action_synonyms[];
extern const struct synonym param_synonyms[];

/*
 * Finds the first entry from `table` on with this name, ignoring case, _ and -; NULL: none. To
 * continue, search from the following entry.
 */
const struct synonym *synonym_find(const struct synonym *table, const char *name);

/* Sets the hint that names our word. Returns false. */
bool synonym_hint(const struct synonym *synonym, struct br_error *err);

#endif
