#include "runner/cli/act_element.h"

#include "runner/base/json.h"
#include "runner/snapshot/dom/tag.h"
#include "runner/snapshot/semantics/role.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_WHOLE 9e15

enum { MAX_NAME = 40 };

bool act_numbers(const char *word, size_t count, double *ret_numbers)
{
    for (size_t i = 0; i < count; i++) {
        char *end = NULL;
        /* strtod() also accepts white space, inf, nan and 0x10. */
        if (word[strspn(word, "0123456789+-.eE,")] != '\0') {
            return false;
        }
        ret_numbers[i] = strtod(word, &end);
        if (end == word || *end != (i + 1 < count ? ',' : '\0') || !isfinite(ret_numbers[i])) {
            return false;
        }
        word = end + 1;
    }
    return true;
}

json_t *act_size(const char *word)
{
    size_t width = strspn(word, "0123456789");
    size_t height = word[width] == 'x' ? strspn(word + width + 1, "0123456789") : 0;
    if (!width || width > 5 || !height || height > 5 || word[width + 1 + height]) {
        return NULL;
    }
    return json_pack("{s:I, s:I}", "width", (json_int_t)strtol(word, NULL, 10), "height",
                     (json_int_t)strtol(word + width + 1, NULL, 10));
}

json_t *act_number(double number)
{
    bool is_whole = fabs(number) <= LARGEST_WHOLE && number == floor(number);
    return is_whole ? json_integer((json_int_t)number) : json_real(number);
}

static bool is_lower(const char *word)
{
    return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

bool act_element_is_role(const char *word)
{
    return is_lower(word) && snapshot_role_from_name(word) != ROLE_UNKNOWN;
}

bool act_element_is_tag(const char *word)
{
    return is_lower(word) && snapshot_tag(word) > TAG_CUSTOM;
}

/* The parts that were found in a selector. */
struct css {
    const char *at;
    int parts;       /* ids, classes, attributes, pseudo-classes */
    int combinators; /* other than a space */
};

static bool is_name_start(const char *at)
{
    unsigned char c = (unsigned char)*at;
    return isalpha(c) || c == '_' || c >= 0x80 || (c == '\\' && at[1]);
}

/* Skips a CSS identifier; returns false, without moving, if there is none. */
static bool skip_identifier(struct css *css)
{
    const char *at = css->at + (*css->at == '-');
    if (!is_name_start(at) && *at != '-') {
        return false;
    }
    while (is_name_start(at) || isdigit((unsigned char)*at) || *at == '-') {
        at += *at == '\\' ? 2 : 1;
    }
    css->at = at;
    return true;
}

/* Skips to after the matching bracket; ignores brackets in quoted texts. */
static bool skip_brackets(struct css *css, char open, char close)
{
    int depth = 0;
    char quote = '\0';
    for (const char *at = css->at; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
        } else if (quote) {
            quote = *at == quote ? '\0' : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (*at == open) {
            depth++;
        } else if (*at == close && --depth == 0) {
            css->at = at + 1;
            return true;
        }
    }
    return false;
}

static bool skip_attribute(struct css *css)
{
    struct css inner = { .at = css->at + 1 };
    return skip_identifier(&inner) && strchr("=~|^$*] ", *inner.at) && *inner.at &&
           skip_brackets(css, '[', ']');
}

static bool skip_pseudo(struct css *css)
{
    css->at += css->at[1] == ':' ? 2 : 1;
    size_t length = strspn(css->at, "abcdefghijklmnopqrstuvwxyz-");
    css->at += length;
    return length > 0 && (*css->at != '(' || skip_brackets(css, '(', ')'));
}

static bool skip_part(struct css *css)
{
    css->parts++;
    switch (*css->at) {
    case '#':
    case '.':
        css->at++;
        return skip_identifier(css);
    case '[':
        return skip_attribute(css);
    default:
        return skip_pseudo(css);
    }
}

/* Skips the name of a known tag, or of a custom element; returns false for another word. */
static bool skip_tag(struct css *css)
{
    char name[MAX_NAME] = "";
    const char *begin = css->at;
    if (*begin == '*') {
        css->at++;
        return true;
    }
    if (!skip_identifier(css)) {
        return true;
    }
    size_t length = (size_t)(css->at - begin);
    if (length >= sizeof(name)) {
        return false;
    }
    memcpy(name, begin, length);
    return is_lower(name) && snapshot_tag(name) >= TAG_CUSTOM;
}

static bool skip_compound(struct css *css)
{
    const char *begin = css->at;
    if (!skip_tag(css)) {
        return false;
    }
    while (*css->at && strchr("#.[:", *css->at)) {
        if (!skip_part(css)) {
            return false;
        }
    }
    return css->at > begin;
}

/* Skips white space and a combinator; returns false at the end, and if there is neither. */
static bool skip_combinator(struct css *css)
{
    const char *begin = css->at;
    css->at += strspn(css->at, " \t\n");
    if (*css->at && strchr(">+~,", *css->at)) {
        css->combinators += *css->at != ',';
        css->at++;
        css->at += strspn(css->at, " \t\n");
        if (!*css->at) {
            css->at = begin; /* nothing follows that it could combine */
            return false;
        }
    }
    return css->at > begin && *css->at;
}

enum act_selector act_element_selector(const char *word)
{
    struct css css = { .at = word };
    bool is_well = true;
    while ((is_well = skip_compound(&css)) && skip_combinator(&css)) {
    }
    if (!is_well || *css.at || css.parts + css.combinators == 0) {
        return ACT_NO_SELECTOR;
    }
    /* A word such as main.js or a > b may also be the name of an element. */
    return strchr("#.[*", *word) || strpbrk(word, "#[(") ? ACT_SELECTOR : ACT_LIKE_SELECTOR;
}

json_t *act_element_of_role(const char *role, const char *name)
{
    return json_pack("{s:o, s:o}", "role", json_text(role), "name", json_text(name));
}

static bool takes_place(const struct action_type *type)
{
    return type->names == NAMES_PLACE || type->names == NAMES_PLACE_OR_NOTHING;
}

bool act_element_is_given(const struct action_type *type, const json_t *params)
{
    const struct param *rows[RULE_NAMES];
    size_t count = type->names == NAMES_NOTHING ? 0 : action_type_names(type, "@element", rows);
    for (size_t i = 0; i < count; i++) {
        if (json_object_get(params, rows[i]->name)) {
            return true;
        }
    }
    return takes_place(type) && (json_object_get(params, "x") || json_object_get(params, "xRange"));
}
