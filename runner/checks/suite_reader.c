#include "runner/checks/suite_reader.h"

#include "runner/base/shape.h"

#include <string.h>

enum { MAX_MEMBERS = 40 };

char *suite_keep_text(struct suite_reader *reader, const char *text)
{
    return suite_memory_keep(reader->memory, xstrdup(text));
}

struct suite_place suite_member_place(const struct suite_place *object, const char *key)
{
    return (struct suite_place){
        .parent = object,
        .key = key,
        .value = json_object_get(object->value, key),
    };
}

struct suite_place suite_item_place(const struct suite_place *array, size_t index)
{
    return (struct suite_place){
        .parent = array,
        .index = index,
        .value = json_array_get(array->value, index),
    };
}

void suite_wrong_kind(struct suite_reader *reader, const struct suite_place *place,
                      const char *wanted)
{
    struct br_error err;
    shape_wrong_kind(place->value, wanted, &err);
    suite_problem(reader->problems, place, "%s", err.message);
}

static void unknown_member(struct suite_reader *reader, const struct suite_place *place,
                           const struct suite_member *members)
{
    const char *known[MAX_MEMBERS];
    size_t count = 0;
    for (; members[count].name && count < MAX_MEMBERS; count++) {
        known[count] = members[count].name;
    }
    suite_problem_unknown(reader->problems, place, place->key, known, count);
}

void suite_read_members(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *members, void *target)
{
    const char *key;
    json_t *value;
    json_object_foreach (place->value, key, value) {
        const struct suite_place at = { .parent = place, .key = key, .value = value };
        const struct suite_member *row = members;
        while (row->name && strcmp(row->name, key) != 0) {
            row++;
        }
        if (!row->name) {
            unknown_member(reader, &at, members);
        } else if (row->read) {
            row->read(reader, &at, row, (char *)target + row->offset);
        }
    }
}

void suite_read_object(struct suite_reader *reader, const struct suite_place *place,
                       const struct suite_member *member, void *field)
{
    if (!json_is_object(place->value)) {
        suite_wrong_kind(reader, place, "an object");
        return;
    }
    suite_read_members(reader, place, member->members, field);
}

/* Returns NULL and reports a problem if it is not a non-empty text. Borrowed. */
static const char *text_of(struct suite_reader *reader, const struct suite_place *place)
{
    const char *text = json_string_value(place->value);
    if (!text) {
        suite_wrong_kind(reader, place, "text");
    } else if (!*text) {
        suite_problem(reader->problems, place, "is empty");
    }
    return text && *text ? text : NULL;
}

void suite_read_text(struct suite_reader *reader, const struct suite_place *place,
                     const struct suite_member *member, void *field)
{
    const char *text = text_of(reader, place);
    (void)member;
    if (text) {
        *(char **)field = suite_keep_text(reader, text);
    }
}

void suite_read_texts(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, void *field)
{
    size_t count = json_array_size(place->value);
    if (!json_is_array(place->value)) {
        suite_wrong_kind(reader, place, "an array of text");
        return;
    }
    if ((double)count < member->min) {
        suite_problem(reader->problems, place, "is empty");
        return;
    }
    if ((double)count > member->max) {
        suite_problem(reader->problems, place, "has %zu items, over %.0f", count, member->max);
        return;
    }
    char **texts = suite_memory_alloc(reader->memory, count + 1, sizeof(*texts));
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct suite_place item = suite_item_place(place, i);
        const char *text = text_of(reader, &item);
        if (text) {
            texts[used++] = suite_keep_text(reader, text);
        }
    }
    *(char ***)field = texts;
}

void suite_read_boolean(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    (void)member;
    if (!json_is_boolean(place->value)) {
        suite_wrong_kind(reader, place, "true or false");
        return;
    }
    *(bool *)field = json_is_true(place->value);
}

/* Returns false and reports a problem if it is not a number from min to max. */
static bool number_of(struct suite_reader *reader, const struct suite_place *place,
                      const struct suite_member *member, bool is_whole)
{
    struct br_error err;
    if (shape_number(place->value, member->min, member->max, is_whole, &err)) {
        return true;
    }
    suite_problem(reader->problems, place, "%s", err.message);
    return false;
}

void suite_read_number(struct suite_reader *reader, const struct suite_place *place,
                       const struct suite_member *member, void *field)
{
    if (number_of(reader, place, member, false)) {
        *(double *)field = json_number_value(place->value);
    }
}

void suite_read_integer(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field)
{
    if (number_of(reader, place, member, true)) {
        *(int *)field = (int)json_number_value(place->value);
    }
}

void suite_read_large_integer(struct suite_reader *reader, const struct suite_place *place,
                              const struct suite_member *member, void *field)
{
    if (number_of(reader, place, member, true)) {
        *(int64_t *)field = (int64_t)json_number_value(place->value);
    }
}
