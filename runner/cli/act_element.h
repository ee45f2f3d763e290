/* An element or a place, as a word of the command line names it. */
#ifndef RUNNER_CLI_ACT_ELEMENT_H
#define RUNNER_CLI_ACT_ELEMENT_H

#include "runner/actions/action_type.h"

/* More than that would be much waiting, and failures that count for the limits of a session. */
enum { ACT_MAX_WAYS = 2 };

/*
 * What the word may mean, as members of an instruction: an array of 1 to ACT_MAX_WAYS objects, the
 * likeliest first.
 * It is the id of a node (e12), a place (10,20) where the type takes one, a CSS selector, one of
 * these by its prefix (css=…, text=…), or else what the element is called. `names` says how
 * elements of such names are looked for: roles, and `text`, with a space between them. Caller
 * decrefs.
 */
json_t *act_element_ways(const struct action_type *type, const char *names, const char *word);

/* The same of a role and a name. */
json_t *act_element_of_role(const char *role, const char *name);

/* Whether it is a role as snapshots write them: in lower case. */
bool act_element_is_role(const char *word);

/* Whether it is the name of an element of HTML, in lower case. */
bool act_element_is_tag(const char *word);

/* Whether the parameters name an element or a place already. */
bool act_element_is_given(const struct action_type *type, const json_t *params);

/* Whether it can only be meant as a selector, or as something else as well. */
enum act_selector { ACT_NO_SELECTOR, ACT_LIKE_SELECTOR, ACT_SELECTOR };
enum act_selector act_element_selector(const char *word);

/* As many numbers as wanted, a comma between them ("10,20"); false where it is anything else. */
bool act_numbers(const char *word, size_t count, double *ret_numbers);

/* A number of these; caller decrefs. */
json_t *act_number(double number);

#endif
