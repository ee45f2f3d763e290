/* What other tools call our actions and parameters: words for hints, never read as our own. */
#ifndef RUNNER_ACTIONS_SYNONYMS_H
#define RUNNER_ACTIONS_SYNONYMS_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct synonym {
    const char *names; /* lower case, without _ and -, a space between them and around all */
    const char *known; /* the action, or the parameter where the action has it */
    const char *more;  /* how it is written; or NULL */
};

/* The tables, NULL names behind the last entry. */
extern const struct synonym action_synonyms[];
extern const struct synonym param_synonyms[];

/*
 * The first entry from `table` on that has the name, whatever its case, _ and -; NULL: none has.
 * The search goes on behind an entry.
 */
const struct synonym *synonym_find(const struct synonym *table, const char *name);

/* The hint that says what is meant. Returns false. */
bool synonym_hint(const struct synonym *synonym, struct br_error *err);

#endif
