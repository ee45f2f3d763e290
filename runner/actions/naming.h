/* How actions name elements and places: the parameters, and what of them goes together. */
#ifndef RUNNER_ACTIONS_NAMING_H
#define RUNNER_ACTIONS_NAMING_H

#include "runner/actions/actions.h"

/*
 * What they take beside their own parameters: of an element, `text` of those that are found by it,
 * and of a place. Each ends with a row without a name.
 */
extern const struct param naming_element_params[], naming_text_params[], naming_place_params[];

/* Whether the type finds elements by their text: it names some, and has no other `text`. */
bool naming_is_by_text(const struct action_type *type);

/* At most one way to name a target, that one whole, and one at least where the type needs it. */
bool naming_check(const struct br_action *action, const struct action_type *type,
                  struct br_error *err);

#endif
