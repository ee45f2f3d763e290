/* Parses a word of the command line that names an element or a position. */
#ifndef RUNNER_CLI_ACT_ELEMENT_H
#define RUNNER_CLI_ACT_ELEMENT_H

#include "runner/actions/action_type.h"

/* Returns a role and a name as members of an instruction. Caller decrefs. */
json_t *act_element_of_role(const char *role, const char *name);

/* Whether it is a role as snapshots write it: in lower case. */
bool act_element_is_role(const char *word);

/* Whether it is the name of an HTML element, in lower case. */
bool act_element_is_tag(const char *word);

/* Whether the parameters already name an element or a position. */
bool act_element_is_given(const struct action_type *type, const json_t *params);

/* Whether the word is not, may be, or can only be a selector. */
enum act_selector { ACT_NO_SELECTOR, ACT_LIKE_SELECTOR, ACT_SELECTOR };
enum act_selector act_element_selector(const char *word);

/* Parses exactly `count` numbers separated by commas ("10,20"); false for anything else. */
bool act_numbers(const char *word, size_t count, double *ret_numbers);

/* Parses "390x844" as {width, height}; NULL: it is none. Caller decrefs. */
json_t *act_size(const char *word);

/* Encodes one of these numbers; caller decrefs. */
json_t *act_number(double number);

#endif
