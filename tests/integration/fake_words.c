#include "tests/integration/fake_words.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

void fake_memory_init(struct fake_memory *memory)
{
    memory->numbers = json_object();
    memory->targets = json_object();
    memory->urls = json_object();
}

void fake_memory_finish(struct fake_memory *memory)
{
    json_decref(memory->numbers);
    json_decref(memory->targets);
    json_decref(memory->urls);
}

static bool is_method(const json_t *command, const char *method)
{
    const char *found = json_member_string(command, "method");
    return found && strcmp(found, method) == 0;
}

void fake_memory_note_command(struct fake_memory *memory, const json_t *command)
{
    const char *session = json_member_string(command, "sessionId");
    if (session && is_method(command, "Page.navigate")) {
        json_object_set(memory->urls, session,
                        json_object_get(json_object_get(command, "params"), "url"));
    }
}

void fake_memory_note_result(struct fake_memory *memory, const json_t *command,
                             const json_t *result)
{
    const char *session = json_member_string(result, "sessionId");
    if (session && is_method(command, "Target.attachToTarget")) {
        json_object_set(memory->targets, session,
                        json_object_get(json_object_get(command, "params"), "targetId"));
    }
}

/* The placeholders: each function returns a new reference, or NULL if there is no value. */

static json_t *of_session(const json_t *table, const struct fake_context *context)
{
    const char *session = json_member_string(context->command, "sessionId");
    return session ? json_incref(json_object_get(table, session)) : NULL;
}

static json_t *word_repetition(const char *rest, const struct fake_context *context)
{
    (void)rest;
    return json_integer(context->number);
}

static json_t *word_session(const char *rest, const struct fake_context *context)
{
    (void)rest;
    return json_incref(json_object_get(context->command, "sessionId"));
}

static json_t *word_frame(const char *rest, const struct fake_context *context)
{
    (void)rest;
    return of_session(context->memory->targets, context);
}

static json_t *word_url(const char *rest, const struct fake_context *context)
{
    (void)rest;
    json_t *url = of_session(context->memory->urls, context);
    return url ? url : json_string("about:blank");
}

static json_t *word_params(const char *rest, const struct fake_context *context)
{
    return json_incref(json_object_get(json_object_get(context->command, "params"), rest));
}

static json_t *word_bytes(const char *rest, const struct fake_context *context)
{
    (void)context;
    size_t length = strtoul(rest, NULL, 10);
    CLEANUP_FREE char *bytes = xmalloc(length + 1);
    memset(bytes, 'A', length);
    return json_stringn(bytes, length);
}

static json_t *word_last(const char *rest, const struct fake_context *context)
{
    int number = (int)json_member_number(context->memory->numbers, rest, 0);
    CLEANUP_FREE char *text = xasprintf("%s%d", rest, number);
    return json_string(text);
}

static json_t *word_new(const char *rest, const struct fake_context *context)
{
    double number = json_member_number(context->memory->numbers, rest, 0);
    json_object_set_new(context->memory->numbers, rest, json_integer((json_int_t)number + 1));
    return word_last(rest, context);
}

static const struct {
    const char *word; /* if it ends with a colon or a dot, an argument follows */
    json_t *(*value)(const char *rest, const struct fake_context *context);
} words[] = {
    { "$n", word_repetition }, { "$session", word_session }, { "$frame", word_frame },
    { "$url", word_url },      { "$params.", word_params },  { "$bytes:", word_bytes },
    { "$last:", word_last },   { "$new:", word_new },
};

static json_t *substitute_string(json_t *value, const struct fake_context *context)
{
    const char *text = json_string_value(value);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i].word);
        bool has_more = strchr(":.", words[i].word[length - 1]);
        if (strncmp(text, words[i].word, length) == 0 && (has_more || !text[length])) {
            return words[i].value(text + length, context);
        }
    }
    return json_incref(value);
}

json_t *fake_substitute(json_t *value, const struct fake_context *context)
{
    const char *key = NULL;
    json_t *member = NULL;
    json_t *copy = NULL;
    size_t i = 0;
    if (json_is_string(value)) {
        return substitute_string(value, context);
    }
    if (json_is_object(value)) {
        copy = json_object();
        json_object_foreach (value, key, member) {
            json_object_set_new(copy, key, fake_substitute(member, context));
        }
        return copy;
    }
    if (json_is_array(value)) {
        copy = json_array();
        json_array_foreach (value, i, member) {
            json_array_append_new(copy, fake_substitute(member, context));
        }
        return copy;
    }
    return json_incref(value);
}

static bool fits_object(const json_t *wanted, const json_t *found)
{
    const char *key = NULL;
    json_t *member = NULL;
    json_object_foreach ((json_t *)wanted, key, member) {
        if (!fake_fits(member, json_object_get(found, key))) {
            return false;
        }
    }
    return true;
}

static bool fits_array(const json_t *wanted, const json_t *found)
{
    size_t i = 0;
    json_t *item = NULL;
    json_array_foreach (wanted, i, item) {
        if (!fake_fits(item, json_array_get(found, i))) {
            return false;
        }
    }
    return json_array_size(wanted) == json_array_size(found);
}

bool fake_fits(const json_t *wanted, const json_t *found)
{
    const char *text = json_string_value(wanted);
    const char *found_text = json_string_value(found);
    if (text && text[0] == '~') {
        return found_text && strstr(found_text, text + 1);
    }
    if (json_is_object(wanted) && json_is_object(found)) {
        return fits_object(wanted, found);
    }
    if (json_is_array(wanted) && json_is_array(found)) {
        return fits_array(wanted, found);
    }
    return json_equal(wanted, found);
}
