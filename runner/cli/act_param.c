#include "runner/cli/act_param.h"

#include "runner/actions/actions.h"
#include "runner/actions/synonyms.h"
#include "runner/base/json.h"
#include "runner/base/names.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/cli/act_element.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { MAX_NAME = 64, MAX_KNOWN = 64 };

/* Members of values that have no rows of their own. */
static const struct param range_members[] = { PARAM("min", NUMBER, ""),
                                              PARAM("max", NUMBER, ""),
                                              { 0 } };
static const struct param point_members[] = { PARAM("x", NUMBER, ""),
                                              PARAM("y", NUMBER, ""),
                                              { 0 } };
static const struct param box_members[] = { PARAM("x", NUMBER, ""),
                                            PARAM("y", NUMBER, ""),
                                            PARAM("width", NUMBER, ""),
                                            PARAM("height", NUMBER, ""),
                                            { 0 } };
static const struct param clock_members[] = { PARAM("time", CLOCK, ""),
                                              PARAM("seed", INTEGER, ""),
                                              { 0 } };
static const struct param any_header = PARAM("", TEXT, "");
static const struct param any_field = PARAM("", TEXTS, "");

/* The rows in which a name is searched. */
struct level {
    const struct param *rows[PARAM_TABLES];
};

static struct level level_of_type(const struct action_type *type)
{
    struct level level;
    struct action_tables tables = action_type_tables(type);
    memcpy(level.rows, tables.params, sizeof(level.rows));
    return level;
}

/* Returns the rows of the value's members; empty if the value is not an object. */
static struct level level_below(const struct param *row)
{
    switch (row->kind) {
    case PARAM_TARGET: {
        struct level level = level_of_type(&action_hover);
        level.rows[PARAM_TABLES - 1] = NULL; /* parameters of every action */
        return level;
    }
    case PARAM_MEMBERS:
        return (struct level){ { row->members } };
    case PARAM_RANGE:
        return (struct level){ { range_members } };
    case PARAM_POINT:
        return (struct level){ { point_members } };
    case PARAM_BOX:
        return (struct level){ { box_members } };
    case PARAM_CLOCK:
        return (struct level){ { clock_members } };
    default:
        return (struct level){ { NULL } };
    }
}

/* Compares names, ignoring case and hyphens. */
static bool is_same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += *a == '-' || *a == '_';
        b += *b == '-' || *b == '_';
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return false;
        }
        if (!*a) {
            return true;
        }
    }
}

/* Returns the row with exactly this name, else the first one with another spelling of it. */
static const struct param *find_row(const struct level *level, const char *name)
{
    const struct param *like = NULL;
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = level->rows[i]; row && row->name; row++) {
            if (strcmp(row->name, name) == 0) {
                return row;
            }
            like = !like && is_same_name(row->name, name) ? row : like;
        }
    }
    return like;
}

/* Adds the name in the spelling of options: "full-page". */
static void add_option_name(struct strbuf *text, const char *name)
{
    for (; *name; name++) {
        if (isupper((unsigned char)*name)) {
            strbuf_add_format(text, "-%c", tolower((unsigned char)*name));
        } else {
            strbuf_add(text, name, 1);
        }
    }
}

static bool add_help(const char *type, const char *nearest, struct br_error *err)
{
    if (!nearest) {
        return error_hint(err, "see browser-runner help actions %s", type);
    }
    CLEANUP_STRBUF struct strbuf option = STRBUF_INIT(MAX_NAME);
    add_option_name(&option, nearest);
    return error_hint(err, "did you mean --%s? see browser-runner help actions %s", option.data,
                      type);
}

/* Returns the parameter for a name that other tools use, if the type has it. */
static const char *find_synonym(const struct action_type *type, const char *name)
{
    const struct synonym *synonym = synonym_find(param_synonyms, name);
    while (synonym && !action_type_param(type, synonym->known)) {
        synonym = synonym_find(synonym + 1, name);
    }
    return synonym ? synonym->known : NULL;
}

static bool unknown_option(const struct action_type *type, const struct level *level,
                           const char *path, const char *name, struct br_error *err)
{
    const char *known[MAX_KNOWN];
    size_t count = 0;
    for (size_t i = 0; i < PARAM_TABLES; i++) {
        for (const struct param *row = level->rows[i]; row && row->name && count < MAX_KNOWN;
             row++) {
            known[count++] = row->name;
        }
    }
    char plain[MAX_NAME] = "";
    for (size_t i = 0; *name && i + 1 < sizeof(plain); name++) {
        if (*name != '-' && *name != '_') {
            plain[i++] = *name;
        }
    }
    error_set(err, BR_INVALID_ACTION, "%s has no parameter --%s", type->name, path);
    const char *synonym = strchr(path, '.') ? NULL : find_synonym(type, plain);
    return add_help(type->name, synonym ? synonym : names_nearest(plain, known, count), err);
}

static json_t *number_or_text(const char *text)
{
    double number;
    return act_numbers(text, 1, &number) ? act_number(number) : json_text(text);
}

/* Returns the row's members from a word of numbers such as 10,20; NULL if it is not one. */
static json_t *members_of_numbers(const struct param *row, const char *text)
{
    double numbers[4];
    struct level level = level_below(row);
    size_t count = row->kind == PARAM_BOX ? 4 : 2;
    if (!act_numbers(text, count, numbers)) {
        return NULL;
    }
    json_t *value = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(value, level.rows[0][i].name, act_number(numbers[i]));
    }
    return value;
}

/* An invalid value stays text: validation then explains what is wrong with it. */
static json_t *plain_value(const struct param *row, const char *text)
{
    json_t *members = NULL;
    switch (row->kind) {
    case PARAM_NUMBER:
    case PARAM_INTEGER:
    case PARAM_INTEGERS:
    case PARAM_CLOCK:
        return strcmp(text, "true") == 0    ? json_true()
               : strcmp(text, "false") == 0 ? json_false()
                                            : number_or_text(text);
    case PARAM_BOOLEAN:
        return strcmp(text, "true") == 0    ? json_true()
               : strcmp(text, "false") == 0 ? json_false()
                                            : json_text(text);
    case PARAM_RANGE:
    case PARAM_POINT:
    case PARAM_BOX:
        members = members_of_numbers(row, text);
        return members ? members : json_text(text);
    case PARAM_MEMBERS:
        members = strcmp(row->name, "viewport") == 0 ? act_size(text) : NULL;
        return members ? members : json_text(text);
    case PARAM_TARGET:
        return json_pack("{s:o}", "element", json_text(text));
    case PARAM_URL: {
        CLEANUP_FREE char *url = url_complete(text);
        return json_text(url);
    }
    default:
        return json_text(text);
    }
}

static bool is_list(enum param_kind kind)
{
    return kind == PARAM_CHOICES || kind == PARAM_NAMES || kind == PARAM_TEXTS ||
           kind == PARAM_INTEGERS || kind == PARAM_SELECTORS || kind == PARAM_LIST ||
           kind == PARAM_VALUES;
}

static bool is_object(enum param_kind kind)
{
    return kind == PARAM_RANGE || kind == PARAM_POINT || kind == PARAM_BOX ||
           kind == PARAM_TARGET || kind == PARAM_ACTION || kind == PARAM_HEADERS ||
           kind == PARAM_FIELDS || kind == PARAM_CLOCK || kind == PARAM_MEMBERS ||
           kind == PARAM_LIST;
}

/* Whether the text is JSON for this row. Selectors and names may begin with a bracket, too. */
static bool is_json(const struct param *row, const char *text)
{
    bool is_of_objects = row->kind == PARAM_INTEGERS || row->kind == PARAM_LIST ||
                         row->kind == PARAM_FIELDS || row->kind == PARAM_VALUES;
    text += strspn(text, " \t\n");
    if (*text != '[') {
        return *text == '{' && is_object(row->kind);
    }
    text += 1 + strspn(text + 1, " \t\n");
    return (is_list(row->kind) || row->kind == PARAM_FIELDS) &&
           (is_of_objects || *text == '"' || (*text == ']' && row->kind != PARAM_SELECTORS));
}

static json_t *read_value(const struct param *row, const char *path, const char *text,
                          struct br_error *err)
{
    if (!is_json(row, text)) {
        return plain_value(row, text);
    }
    struct br_error why;
    json_t *value = json_parse(text, strlen(text), path, &why);
    if (!value && row->kind == PARAM_TEXTS) {
        return json_text(text);
    }
    if (!value) {
        error_set(err, BR_INVALID_ACTION, "--%s: %s", path, why.message);
        json_auto_t *example = param_example(row);
        CLEANUP_FREE char *written = json_dumps(example, JSON_ENCODE_ANY);
        error_hint(err, "write it as '%s'", written);
    }
    return value;
}

/* Sets the value. A list accepts several values, one after the other; other parameters only one. */
static bool put_value(const struct param *row, const char *key, const char *path, json_t *value,
                      json_t *owner, struct br_error *err)
{
    json_t *before = json_object_get(owner, key);
    if (before && !is_list(row->kind)) {
        json_decref(value);
        error_set(err, BR_INVALID_ACTION, "--%s is given twice", path);
        return false;
    }
    bool is_always_list = row->kind == PARAM_CHOICES || row->kind == PARAM_NAMES ||
                          row->kind == PARAM_LIST || row->kind == PARAM_VALUES;
    if ((before || is_always_list) && !json_is_array(value)) {
        value = json_pack("[o]", value);
    }
    if (!before) {
        json_object_set_new(owner, key, value);
        return true;
    }
    json_t *all = json_is_array(before) ? json_copy(before) : json_pack("[O]", before);
    json_array_extend(all, value);
    json_decref(value);
    json_object_set_new(owner, key, all);
    return true;
}

bool act_param_put(const struct param *row, const char *text, json_t *params, struct br_error *err)
{
    json_t *value = read_value(row, row->name, text, err);
    return value && put_value(row, row->name, row->name, value, params, err);
}

/* The destination of an option's value. */
struct spot {
    json_t *owner; /* borrowed */
    const struct param *row;
    const char *key;
    bool is_off; /* --no-NAME */
};

static bool is_negation(const struct level *level, const char *name, struct spot *spot)
{
    spot->row = strncmp(name, "no-", 3) == 0 ? find_row(level, name + 3) : NULL;
    spot->is_off = spot->row && spot->row->kind == PARAM_BOOLEAN;
    return spot->is_off;
}

/* Returns the object with a row's members, creating it; NULL if there is another value. */
static json_t *enter(json_t *owner, const char *name)
{
    json_t *inner = json_object_get(owner, name);
    if (!inner) {
        inner = json_object();
        json_object_set_new(owner, name, inner);
    }
    return json_is_object(inner) ? inner : NULL;
}

static bool find_spot(const struct action_type *type, const char *path, json_t *params,
                      struct spot *ret_spot, struct br_error *err)
{
    struct level level = level_of_type(type);
    const char *rest = path;
    *ret_spot = (struct spot){ .owner = params };
    for (;;) {
        size_t length = strcspn(rest, ".");
        char name[MAX_NAME] = "";
        memcpy(name, rest, length < sizeof(name) ? length : sizeof(name) - 1);
        const struct param *row = length < sizeof(name) ? find_row(&level, name) : NULL;
        bool is_last = rest[length] == '\0';
        if (!row && !(is_last && is_negation(&level, name, ret_spot))) {
            return unknown_option(type, &level, path, name, err);
        }
        ret_spot->row = row ? row : ret_spot->row;
        ret_spot->key = ret_spot->row->name;
        if (is_last) {
            return true;
        }
        rest += length + 1;
        ret_spot->owner = enter(ret_spot->owner, row->name);
        if (!ret_spot->owner) {
            return error_set(err, BR_INVALID_ACTION, "--%s: %s is given twice", path, row->name);
        }
        if ((row->kind == PARAM_HEADERS || row->kind == PARAM_FIELDS) && *rest) {
            ret_spot->row = row->kind == PARAM_HEADERS ? &any_header : &any_field;
            ret_spot->key = rest;
            return true;
        }
        level = level_below(row);
    }
}

/* The next word belongs to a switch only if it is one of these. */
static bool is_truth(const char *word)
{
    return strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
}

/* Returns the text of an option's value, or NULL with the error. */
static const char *value_text(const struct spot *spot, const char *path, const char *given,
                              int count, char **words, int *index, struct br_error *err)
{
    bool has_next = *index + 1 < count;
    if (spot->is_off && given) {
        error_set(err, BR_INVALID_ACTION, "--%s takes no value", path);
        return NULL;
    }
    if (given || spot->is_off) {
        return given ? given : "false";
    }
    if (spot->row->kind == PARAM_BOOLEAN) {
        return has_next && is_truth(words[*index + 1]) ? words[++*index] : "true";
    }
    if (!has_next) {
        error_set(err, BR_INVALID_ACTION, "--%s needs a value after it", path);
        json_auto_t *example = param_example(spot->row);
        CLEANUP_FREE char *written = json_dumps(example, JSON_ENCODE_ANY);
        error_hint(err, "such as --%s '%s'", path,
                   json_is_string(example) ? json_string_value(example) : written);
        return NULL;
    }
    return words[++*index];
}

bool act_param_read(const struct action_type *type, int count, char **words, int *index,
                    json_t *params, struct br_error *err)
{
    const char *word = words[*index] + 2;
    size_t length = strcspn(word, "=");
    CLEANUP_FREE char *path = xstrndup(word, length);
    const char *given = word[length] ? word + length + 1 : NULL;
    struct spot spot;
    if (!find_spot(type, path, params, &spot, err)) {
        return false;
    }
    const char *text = value_text(&spot, path, given, count, words, index, err);
    json_t *value = text ? read_value(spot.row, path, text, err) : NULL;
    return value && put_value(spot.row, spot.key, path, value, spot.owner, err);
}
