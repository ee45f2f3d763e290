#include "runner/cli/act_take.h"

#include "runner/base/json.h"
#include "runner/cli/act_element.h"
#include "runner/cli/act_param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 32 };

bool act_take_usage(const struct act_row *row, struct br_error *err)
{
    return error_hint(err, "usage: browser-runner act %s%s%s [--PARAMETER VALUE]...", row->type,
                      *row->usage ? " " : "", row->usage);
}

/* Reports words that are left over. */
static bool too_much(const struct act_reading *reading, struct br_error *err)
{
    error_set(err, BR_INVALID_ACTION, "%s: unexpected word \"%s\"", reading->type->name,
              reading->words[reading->next]);
    double x = 0;
    double y = 0;
    const char *word = json_member_string(reading->params, "element");
    if (word && act_numbers(word, 1, &x) && act_numbers(reading->words[reading->next], 1, &y)) {
        return error_hint(err, "write a place as %g,%g", x, y);
    }
    return act_take_usage(&reading->row, err);
}

/* Whether a parameter already has the value that the slot's word would set. */
static bool is_given(const struct act_reading *reading, const struct act_slot *slot)
{
    const char *names = slot->params;
    bool is_element = slot->kind == ACT_ELEMENT || slot->kind == ACT_WAIT;
    if (is_element && act_element_is_given(reading->type, reading->params)) {
        return true;
    }
    while (names && *names) {
        char name[MAX_NAME] = "";
        size_t length = strcspn(names, " ");
        memcpy(name, names, length < sizeof(name) ? length : sizeof(name) - 1);
        if (json_object_get(reading->params, name)) {
            return true;
        }
        names += length + strspn(names + length, " ");
    }
    return false;
}

/* Returns how many slots from this one on require a word. */
static size_t count_needed(const struct act_reading *reading, const struct act_slot *slot)
{
    size_t needed = 0;
    for (; slot->kind; slot++) {
        needed += !slot->is_optional && !is_given(reading, slot);
    }
    return needed;
}

/* Takes one word, or a role and a name if there are enough words. Caller decrefs. */
static json_t *take_way(struct act_reading *reading, const struct act_slot *slot)
{
    const char *word = reading->words[reading->next++];
    size_t left = reading->count - reading->next;
    bool is_more = left > count_needed(reading, slot + 1);
    if (is_more && act_element_is_role(word)) {
        return act_element_of_role(word, reading->words[reading->next++]);
    }
    return json_pack("{s:o}", "element", json_text(word));
}

bool act_take_param(struct act_reading *reading, const char *name, const char *text,
                    struct br_error *err)
{
    return act_param_put(action_type_param(reading->type, name), text, reading->params, err);
}

static bool is_choice(const struct act_reading *reading, const char *param, const char *word)
{
    const char *const *choice = action_type_param(reading->type, param)->choices;
    while (*choice && strcmp(*choice, word) != 0) {
        choice++;
    }
    return *choice;
}

static bool take_element(struct act_reading *reading, const struct act_slot *slot,
                         struct br_error *err)
{
    json_auto_t *way = take_way(reading, slot);
    (void)err;
    reading->has_element = true;
    json_object_update(reading->params, way);
    return true;
}

static bool take_to(struct act_reading *reading, const struct act_slot *slot, struct br_error *err)
{
    (void)err;
    json_object_set_new(reading->params, "to", take_way(reading, slot));
    return true;
}

static bool take_plain(struct act_reading *reading, const struct act_slot *slot,
                       struct br_error *err)
{
    char name[MAX_NAME] = "";
    size_t length = strcspn(slot->params, " ");
    memcpy(name, slot->params, length < sizeof(name) ? length : sizeof(name) - 1);
    return act_take_param(reading, name, reading->words[reading->next++], err);
}

static bool take_rest(struct act_reading *reading, const struct act_slot *slot,
                      struct br_error *err)
{
    while (reading->next < reading->count) {
        if (!take_plain(reading, slot, err)) {
            return false;
        }
    }
    return true;
}

static bool has_prefix(const char *word, const char *prefix)
{
    return strncmp(word, prefix, strlen(prefix)) == 0;
}

static bool is_number(const char *word)
{
    return *word && word[strspn(word, "0123456789")] == '\0';
}

/* Whether the word names an element rather than a text. */
static bool is_element(const char *word)
{
    static const char *const prefixes[] = { "css=",   "role=", "label=",  "placeholder=", "id=",
                                            "name=",  "ref=",  "testid=", "alt=",         "title=",
                                            "xpath=", "//",    "getBy",   "data-testid=", "page." };
    size_t digits = word[word[0] == '@'] == 'e' ? 1 + (word[0] == '@') : 0;
    if (digits && word[digits] && word[digits + strspn(word + digits, "0123456789")] == '\0') {
        return true;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (has_prefix(word, prefixes[i])) {
            return true;
        }
    }
    return act_element_selector(word) != ACT_NO_SELECTOR;
}

/* Parses "500", "500ms", "5s" and "1.5s". */
static bool read_duration(const char *word, double *ret_ms)
{
    size_t digits = strspn(word, "0123456789");
    size_t length = digits + (word[digits] == '.');
    length += word[digits] == '.' ? strspn(word + length, "0123456789") : 0;
    const char *unit = word + length;
    double number = strtod(word, NULL);
    *ret_ms = strcmp(unit, "s") == 0 ? number * 1000 : number;
    return digits > 0 && digits < 10 && (length == digits || strcmp(unit, "s") == 0) &&
           (!*unit || strcmp(unit, "ms") == 0 || strcmp(unit, "s") == 0);
}

/* wait 500, wait text=WORDS, wait https://…, wait SELECTOR, wait WORDS */
static bool take_wait(struct act_reading *reading, const struct act_slot *slot,
                      struct br_error *err)
{
    const char *word = reading->words[reading->next];
    double ms = 0;
    if (is_number(word)) {
        reading->next++;
        return act_take_param(reading, "ms", word, err);
    }
    if (read_duration(word, &ms)) {
        reading->next++;
        json_object_set_new(reading->params, "ms", act_number(round(ms)));
        return true;
    }
    if (act_numbers(word, 1, &ms)) {
        error_set(err, BR_INVALID_ACTION, "wait: it is unclear what %s is", word);
        return error_hint(err, "write 500ms, 0.5s, or text=%s for this text", word);
    }
    if (has_prefix(word, "http://") || has_prefix(word, "https://")) {
        reading->next++;
        return act_take_param(reading, "url", word, err);
    }
    if (act_element_is_tag(word)) {
        reading->next++;
        return act_take_param(reading, "selector", word, err);
    }
    bool is_pair = act_element_is_role(word) && reading->next + 1 < reading->count;
    if (is_pair || is_element(word)) {
        return take_element(reading, slot, err);
    }
    /* Not the element with this text, but the text itself is awaited. */
    reading->next++;
    return act_take_param(reading, "text", has_prefix(word, "text=") ? word + 5 : word, err);
}

/* scroll down, scroll 0,500, scroll ELEMENT */
static bool take_scroll(struct act_reading *reading, const struct act_slot *slot,
                        struct br_error *err)
{
    double distance[2];
    const char *word = reading->words[reading->next];
    if (is_choice(reading, "direction", word)) {
        reading->next++;
        return act_take_param(reading, "direction", word, err);
    }
    if (act_numbers(word, 1, distance)) {
        reading->next++;
        json_object_set_new(reading->params, "x", json_integer(0));
        json_object_set_new(reading->params, "y", act_number(distance[0]));
        return true;
    }
    if (act_numbers(word, 2, distance)) {
        reading->next++;
        json_object_set_new(reading->params, "x", act_number(distance[0]));
        json_object_set_new(reading->params, "y", act_number(distance[1]));
        return true;
    }
    if (reading->has_element) {
        return too_much(reading, err);
    }
    bool is_before_direction = reading->next + 1 < reading->count &&
                               is_choice(reading, "direction", reading->words[reading->next + 1]);
    if (is_before_direction) {
        /* A role and a name are not combined here. */
        reading->next++;
        reading->has_element = true;
        json_object_set_new(reading->params, "element", json_text(word));
        return true;
    }
    return take_element(reading, slot, err);
}

/* snapshot ELEMENT; any other word is text to find */
static bool take_snapshot(struct act_reading *reading, const struct act_slot *slot,
                          struct br_error *err)
{
    const char *word = reading->words[reading->next];
    bool is_named = act_element_is_given(reading->type, reading->params);
    bool is_pair = act_element_is_role(word) && reading->next + 1 < reading->count;
    if (!is_named && (is_pair || is_element(word))) {
        return take_element(reading, slot, err);
    }
    reading->next++;
    return act_take_param(reading, "find", has_prefix(word, "text=") ? word + 5 : word, err);
}

static bool take_dialog(struct act_reading *reading, const struct act_slot *slot,
                        struct br_error *err)
{
    (void)slot;
    const char *word = reading->words[reading->next++];
    bool is_accepted = strcmp(word, "accept") == 0;
    if (!is_accepted && strcmp(word, "dismiss") != 0) {
        error_set(err, BR_INVALID_ACTION, "a dialog is answered by accept or dismiss, not \"%s\"",
                  word);
        return act_take_usage(&reading->row, err);
    }
    json_object_set_new(reading->params, "accept", json_boolean(is_accepted));
    return true;
}

/* emulate iphone, emulate 390x844 */
static bool take_device(struct act_reading *reading, const struct act_slot *slot,
                        struct br_error *err)
{
    (void)slot;
    const char *word = reading->words[reading->next++];
    json_t *viewport = act_size(word);
    if (!viewport) {
        return act_take_param(reading, "preset", word, err);
    }
    json_object_set_new(reading->params, "viewport", viewport);
    return true;
}

/* tab 2 is tab activate 2 */
static bool take_tab(struct act_reading *reading, const struct act_slot *slot, struct br_error *err)
{
    (void)slot;
    const char *word = reading->words[reading->next];
    if (is_number(word)) {
        return act_take_param(reading, "op", "activate", err);
    }
    reading->next++;
    return act_take_param(reading, "op", word, err);
}

/* What names a tab depends on the operation. */
static bool take_tab_name(struct act_reading *reading, const struct act_slot *slot,
                          struct br_error *err)
{
    (void)slot;
    const char *op = json_member_string(reading->params, "op");
    const char *name = op && strcmp(op, "new") == 0     ? "url"
                       : op && strcmp(op, "adopt") == 0 ? "tab"
                                                        : "id";
    return act_take_param(reading, name, reading->words[reading->next++], err);
}

/* Cookies and storage are saved to files, and loaded from them. */
static bool take_name_or_file(struct act_reading *reading, const struct act_slot *slot,
                              struct br_error *err)
{
    (void)slot;
    const char *op = json_member_string(reading->params, "op");
    bool is_file = op && (strcmp(op, "save") == 0 || strcmp(op, "load") == 0);
    return act_take_param(reading, is_file ? "file" : "name", reading->words[reading->next++], err);
}

/* logs error: this level and more severe ones */
static bool take_level(struct act_reading *reading, const struct act_slot *slot,
                       struct br_error *err)
{
    static const char *const levels[] = { "verbose", "debug", "info", "warning", "error" };
    (void)slot;
    const char *word = reading->words[reading->next++];
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (strcmp(word, levels[i]) == 0) {
            json_object_set_new(reading->params, "minLevel", json_integer((json_int_t)i));
            return true;
        }
    }
    return act_take_param(reading, "contains", word, err);
}

/* network 12, network /api/ */
static bool take_request(struct act_reading *reading, const struct act_slot *slot,
                         struct br_error *err)
{
    (void)slot;
    const char *word = reading->words[reading->next++];
    return act_take_param(reading, is_number(word) ? "id" : "url", word, err);
}

static bool (*const takers[])(struct act_reading *, const struct act_slot *, struct br_error *) = {
    [ACT_ELEMENT] = take_element,   [ACT_TO] = take_to,
    [ACT_PLAIN] = take_plain,       [ACT_REST] = take_rest,
    [ACT_WAIT] = take_wait,         [ACT_SCROLL] = take_scroll,
    [ACT_SNAPSHOT] = take_snapshot, [ACT_DIALOG] = take_dialog,
    [ACT_DEVICE] = take_device,     [ACT_TAB] = take_tab,
    [ACT_TAB_NAME] = take_tab_name, [ACT_NAME_OR_FILE] = take_name_or_file,
    [ACT_LEVEL] = take_level,       [ACT_REQUEST] = take_request,
};

bool act_take_words(struct act_reading *reading, struct br_error *err)
{
    for (const struct act_slot *slot = reading->row.slots; slot->kind; slot++) {
        size_t left = reading->count - reading->next;
        bool has_word = slot->is_optional ? left > count_needed(reading, slot + 1) : left > 0;
        if (has_word && !is_given(reading, slot) && !takers[slot->kind](reading, slot, err)) {
            return false;
        }
    }
    return reading->next == reading->count || too_much(reading, err);
}
