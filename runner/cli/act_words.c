#include "runner/cli/act_words.h"

#include "runner/actions/actions.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/utf8.h"
#include "runner/cli/act_element.h"
#include "runner/cli/act_param.h"
#include "runner/cli/act_take.h"

#include <string.h>

static void finish(struct act_reading *reading)
{
    json_decref(reading->params);
    free(reading->words);
}

/* Collects the plain words; the others are parameters. */
static bool split(struct act_reading *reading, int count, char **words, struct br_error *err)
{
    bool is_plain = false;
    reading->words = xcalloc((size_t)count + 1, sizeof(*reading->words));
    for (int i = 1; i < count; i++) {
        if (is_plain || strncmp(words[i], "--", 2) != 0) {
            reading->words[reading->count++] = words[i];
        } else if (!words[i][2]) {
            is_plain = true;
        } else if (!act_param_read(reading->type, count, words, &i, reading->params, err)) {
            return false;
        }
    }
    return true;
}

/* Sets the row's default parameter if it was not given. */
static bool add_defaults(struct act_reading *reading, struct br_error *err)
{
    const char *name = reading->row.usual_name;
    return !name || json_object_get(reading->params, name) ||
           act_take_param(reading, name, reading->row.usual_value, err);
}

static bool validate(const struct act_reading *reading, const json_t *params, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action =
        action_create(reading->type->name, (struct source_position){ 0 });
    json_decref(action->params);
    action->params = json_deep_copy(params);
    if (action_validate(action, err)) {
        return true;
    }
    return *err->hint ? false : act_take_usage(&reading->row, err);
}

static json_t *assemble(const struct act_reading *reading, struct br_error *err)
{
    if (!validate(reading, reading->params, err)) {
        return NULL;
    }
    json_t *instruction = json_pack("{s:s}", "type", reading->type->name);
    json_object_update(instruction, reading->params);
    return instruction;
}

/* Reports INVALID_ACTION with the nearest type. */
static json_t *refuse_type(const char *name, struct br_error *err)
{
    CLEANUP_ACTION struct br_action *action = action_create(name, (struct source_position){ 0 });
    action_validate(action, err);
    return NULL;
}

/* What other tools say, and the words here that do the same; further words follow unchanged. */
static const struct phrase {
    const char *said, *means;
    bool is_whole;      /* nothing follows */
    const char *member; /* the only one of the inspected element that is printed; NULL: all */
} phrases[] = {
    { "console", "logs", false, NULL },
    { "errors", "logs error", false, NULL },
    { "network requests", "network", false, NULL },
    { "title", "evaluate document.title", true, NULL },
    { "url", "evaluate location.href", true, NULL },
    { "get title", "evaluate document.title", true, NULL },
    { "get url", "evaluate location.href", true, NULL },
    { "get text", "content", false, NULL },
    { "get html", "content --format html", false, NULL },
    { "get value", "inspect", false, "value" },
    { "find", "snapshot --find", false, NULL },
};

/* The words as this program's own. */
struct own_words {
    char *text;   /* the words of a phrase */
    char **words; /* NULL: they are used as they are */
    int count;
};

static void own_words_finish(struct own_words *own)
{
    free(own->text);
    free(own->words);
}

/* Puts the words of `means` before the given ones. */
static void begin_with(struct own_words *own, const char *means, int count, char **words)
{
    own->text = xstrdup(means);
    own->words = xcalloc(strlen(means) + (size_t)count + 2, sizeof(*own->words));
    char *word = own->text;
    for (char *end = word; word; word = end) {
        end = strchr(word, ' ');
        own->words[own->count++] = word;
        if (end) {
            *end++ = '\0';
        }
    }
    for (int i = 0; i < count; i++) {
        own->words[own->count++] = words[i];
    }
}

/* Returns how many of the words are those of the phrase; 0: it is another one. */
static int match_phrase(const char *said, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        size_t length = strcspn(said, " ");
        if (strlen(words[i]) != length || strncmp(words[i], said, length) != 0) {
            return 0;
        }
        if (!said[length]) {
            return i + 1;
        }
        said += length + 1;
    }
    return 0;
}

static bool is_plain(const char *word)
{
    return strncmp(word, "--", 2) != 0 && !strchr("[{", *word);
}

/* fill TARGET TEXT, resize 375 812 */
static bool read_forms(struct own_words *own, int count, char **words)
{
    double size[2];
    if (count == 3 && strcmp(words[0], "resize") == 0 && act_numbers(words[1], 1, &size[0]) &&
        act_numbers(words[2], 1, &size[1])) {
        CLEANUP_FREE char *means = xasprintf("emulate %sx%s", words[1], words[2]);
        begin_with(own, means, 0, NULL);
        return true;
    }
    if (count == 2 && strcmp(words[0], "resize") == 0) {
        begin_with(own, "emulate", 1, words + 1);
        return true;
    }
    if (count >= 3 && strcmp(words[0], "fill") == 0 && is_plain(words[1]) &&
        strncmp(words[2], "--", 2) != 0) {
        begin_with(own, "type --clear", count - 1, words + 1);
        return true;
    }
    return false;
}

/* Returns the phrase that the words begin with, and its length in words; NULL: none. */
static const struct phrase *find_phrase(int count, char **words, int *ret_length)
{
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        *ret_length = match_phrase(phrases[i].said, count, words);
        if (*ret_length && (!phrases[i].is_whole || *ret_length == count)) {
            return &phrases[i];
        }
    }
    return NULL;
}

static void translate(struct own_words *own, int count, char **words)
{
    if (read_forms(own, count, words)) {
        return;
    }
    int length;
    const struct phrase *phrase = find_phrase(count, words, &length);
    if (phrase) {
        begin_with(own, phrase->means, count - length, words + length);
    }
}

static bool check_encoding(int count, char **words, struct br_error *err)
{
    for (int i = 0; i < count; i++) {
        if (!utf8_is_valid(words[i], strlen(words[i]))) {
            return error_set(err, BR_INVALID_ACTION, "word %d after act is not UTF-8", i + 1);
        }
    }
    return true;
}

/* press Tab Tab: a key is no element. */
static bool check_keys(const struct act_reading *reading, struct br_error *err)
{
    const char *element = json_member_string(reading->params, "element");
    struct br_error ignored;
    json_auto_t *key = element && reading->type == &action_press
                           ? json_pack("{s:o}", "key", json_text(element))
                           : NULL;
    if (!key || !validate(reading, key, &ignored)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "press takes one key, not %s and %s", element,
              json_member_string(reading->params, "key"));
    return error_hint(err, "run it once for each key; text=%s names an element", element);
}

static json_t *read_own(int count, char **words, const char *directory, struct br_error *err)
{
    if (count == 0) {
        error_set(err, BR_INVALID_ACTION, "act needs the type of an action after it");
        error_hint(err, "see browser-runner help actions");
        return NULL;
    }
    const struct act_alias *alias = act_alias_find(words[0]);
    const struct action_type *type = action_type_find(alias ? alias->type : words[0]);
    if (!type) {
        return refuse_type(words[0], err);
    }
    CLEANUP(finish)
    struct act_reading reading = {
        .row = act_row_find(type->name),
        .type = type,
        .params = json_object(),
    };
    bool is_read =
        split(&reading, count, words, err) &&
        (!alias || !alias->param || act_take_param(&reading, alias->param, alias->value, err)) &&
        act_take_words(&reading, err) && add_defaults(&reading, err) && check_keys(&reading, err);
    if (!is_read) {
        return NULL;
    }
    action_place_files(type, directory, reading.params);
    return assemble(&reading, err);
}

json_t *act_words_read(int count, char **words, const char *directory, struct br_error *err)
{
    CLEANUP(own_words_finish) struct own_words own = { 0 };
    if (!check_encoding(count, words, err)) {
        return NULL;
    }
    translate(&own, count, words);
    return own.words ? read_own(own.count, own.words, directory, err)
                     : read_own(count, words, directory, err);
}

const char *act_words_member(int count, char **words)
{
    int length;
    const struct phrase *phrase = find_phrase(count, words, &length);
    return phrase ? phrase->member : NULL;
}

const char *act_words_type(const char *word)
{
    const struct act_alias *alias = act_alias_find(word);
    return alias ? alias->type : word;
}

void act_words_usage(FILE *file)
{
    for (size_t i = 0; act_row_at(i); i++) {
        const struct act_row *row = act_row_at(i);
        fprintf(file, "%s  %s%s%s\n", i ? "\n" : "", row->type, *row->usage ? " " : "", row->usage);
        for (const char *const *example = row->examples; *example; example++) {
            fprintf(file, "      browser-runner act %s\n", *example);
        }
    }
    fprintf(file, "\nAlso as other tools say it:\n");
    for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
        const char *member = phrases[i].member;
        fprintf(file, "  %-18s %s%s%s\n", phrases[i].said, phrases[i].means,
                member ? ", only its " : "", member ? member : "");
    }
    fprintf(file, "  %-18s %s\n  %-18s %s\n", "fill ELEMENT TEXT", "type ELEMENT TEXT --clear",
            "resize 375 812", "emulate 375x812");
}

const char *act_words_example(size_t index)
{
    for (size_t i = 0; act_row_at(i); i++) {
        for (const char *const *example = act_row_at(i)->examples; *example; example++) {
            if (index-- == 0) {
                return *example;
            }
        }
    }
    return NULL;
}
