#include "runner/cli/act_element.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/tag.h"
#include "runner/snapshot/semantics/role.h"

#include <ctype.h>
#include <math.h>
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

static void add_way(json_t *ways, const char *name, const char *value)
{
    json_array_append_new(ways, json_pack("{s:o}", name, json_text(value)));
}

/* Adds the text as a CSS string. */
static void add_css_text(struct strbuf *css, const char *text)
{
    strbuf_add_string(css, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            strbuf_add(css, "\\", 1);
        }
        if ((unsigned char)*text < 0x20) {
            strbuf_add_format(css, "\\%x ", (unsigned)*text);
        } else {
            strbuf_add(css, text, 1);
        }
    }
    strbuf_add_string(css, "\" i]");
}

/* For actions with a `text` of their own: finds the element by its label or placeholder. */
static void add_field_way(json_t *ways, const char *word)
{
    static const char *const attributes[] = { "placeholder", "aria-label", "title", "name" };
    json_t *targets = json_array();
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
        CLEANUP_STRBUF struct strbuf css = STRBUF_INIT(STRBUF_UNCAPPED);
        strbuf_add_format(&css, "[%s=", attributes[i]);
        add_css_text(&css, word);
        json_array_append_new(targets, json_text(css.data));
    }
    /* A name that is also a tag would be read as a selector. */
    if (snapshot_tag(word) <= TAG_CUSTOM) {
        json_array_append_new(targets, json_text(word));
    }
    json_array_append_new(ways, json_pack("{s:o}", "targets", targets));
}

static void add_text_way(const struct action_type *type, json_t *ways, const char *word)
{
    if (action_type_is_by_text(type)) {
        add_way(ways, "text", word);
    } else {
        add_field_way(ways, word);
    }
}

/* Adds the way for one name of a list; returns the next name. */
static const char *add_named_way(const struct action_type *type, json_t *ways, const char *names,
                                 const char *word)
{
    size_t length = strcspn(names, " ");
    char name[MAX_NAME] = "";
    memcpy(name, names, length < sizeof(name) ? length : sizeof(name) - 1);
    if (strcmp(name, "text") == 0) {
        add_text_way(type, ways, word);
    } else {
        json_array_append_new(ways, act_element_of_role(name, word));
    }
    return names + length + strspn(names + length, " ");
}

/* A word such as button may be an element's text, or its role. */
static void add_named_ways(const struct action_type *type, json_t *ways, const char *names,
                           const char *word)
{
    names = add_named_way(type, ways, names, word);
    if (act_element_is_role(word)) {
        add_way(ways, "role", word);
    } else if (act_element_is_tag(word)) {
        add_way(ways, "selector", word);
    }
    while (*names && json_array_size(ways) < ACT_MAX_WAYS) {
        names = add_named_way(type, ways, names, word);
    }
}

json_t *act_element_of_role(const char *role, const char *name)
{
    return json_pack("{s:o, s:o}", "role", json_text(role), "name", json_text(name));
}

static bool is_node(const char *word)
{
    size_t digits = word[0] == 'e' ? strspn(word + 1, "0123456789") : 0;
    return digits > 0 && word[1 + digits] == '\0';
}

static bool takes_place(const struct action_type *type)
{
    return type->names == NAMES_PLACE || type->names == NAMES_PLACE_OR_NOTHING;
}

json_t *act_element_ways(const struct action_type *type, const char *names, const char *word)
{
    double place[2];
    json_t *ways = json_array();
    enum act_selector selector = act_element_selector(word);
    if (is_node(word)) {
        add_way(ways, "node", word);
    } else if (takes_place(type) && act_numbers(word, 2, place)) {
        json_array_append_new(
            ways, json_pack("{s:o, s:o}", "x", act_number(place[0]), "y", act_number(place[1])));
    } else if (strncmp(word, "css=", 4) == 0) {
        add_way(ways, "selector", word + 4);
    } else if (strncmp(word, "text=", 5) == 0) {
        add_text_way(type, ways, word + 5);
    } else {
        if (selector != ACT_NO_SELECTOR) {
            add_way(ways, "selector", word);
        }
        if (selector != ACT_SELECTOR) {
            add_named_ways(type, ways, names, word);
        }
        while (json_array_size(ways) > ACT_MAX_WAYS) {
            json_array_remove(ways, ACT_MAX_WAYS);
        }
    }
    return ways;
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
