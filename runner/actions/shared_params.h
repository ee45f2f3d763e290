/* Parameters that many actions share: rows, their choices, and rules about them. */
#ifndef RUNNER_ACTIONS_SHARED_PARAMS_H
#define RUNNER_ACTIONS_SHARED_PARAMS_H

#include "runner/actions/params.h"

/* Rows of every action. All tables end with a row without a name. */
extern const struct param shared_common_params[];

/*
 * Ways to name an element; `text`, for actions without another one; and points instead of elements.
 */
extern const struct param shared_element_params[], shared_text_params[], shared_place_params[];

/* Rules for an optional element, a required element, an optional place, a required place. */
extern const struct rule shared_element_rules[], shared_needed_element_rules[],
    shared_place_rules[], shared_needed_place_rules[];

/* Values of `button`. */
extern const char *const button_choices[];

/* Values of `modifiers`, in the order of the protocol's bits. */
extern const char *const modifier_choices[];

/* Values of `waitUntil`, in the order of enum page_wait_until. */
extern const char *const wait_until_choices[];
#define PARAM_WAIT_UNTIL                                                                           \
    PARAM(                                                                                         \
        "waitUntil", CHOICE,                                                                       \
        "load: the load event; domcontentloaded: the document has been parsed; networkidle0 and "  \
        "networkidle2: no, or at most two, pending requests for half a second.",                   \
        .choices = wait_until_choices, .default_value = "load", .is_rare = true)

#endif
