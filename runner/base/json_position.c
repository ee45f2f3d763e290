#include "runner/base/json_position.h"

#include "runner/base/json_scan.h"
#include "runner/base/memory.h"

#include <string.h>

struct text {
    const char *data;
    size_t length;
};

static size_t skip_white(const struct text *text, size_t at)
{
    return (size_t)(json_scan_space(text->data + at, text->data + text->length) - text->data);
}

/*
 * Returns the offset of `found`; the end of the text if it is NULL, because a valid text can only
 * have ended.
 */
static size_t place_in(const struct text *text, const char *found)
{
    return found ? (size_t)(found - text->data) : text->length;
}

/* Returns the offset after the string that begins at `at`. */
static size_t skip_string(const struct text *text, size_t at)
{
    return place_in(text, json_scan_string(text->data + at, text->data + text->length));
}

/* Returns the offset after the value that begins at `at`. */
static size_t skip_value(const struct text *text, size_t at)
{
    return place_in(text, json_scan_value(text->data + at, text->data + text->length));
}

/* Returns the offset of the value of the key that begins at `at`. */
static size_t value_of_key(const struct text *text, size_t at)
{
    at = skip_white(text, skip_string(text, at));
    return skip_white(text, at + 1);
}

/* Moves from the end of a member or item to the next one; 0 if there is none. */
static size_t next_item(const struct text *text, size_t at)
{
    at = skip_white(text, at);
    return at < text->length && text->data[at] == ',' ? skip_white(text, at + 1) : 0;
}

/* Returns the first member or item of the value at `at`; 0 if there is none. */
static size_t first_item(const struct text *text, size_t at)
{
    at = skip_white(text, at + 1);
    return at < text->length && !strchr("]}", text->data[at]) ? at : 0;
}

/* Returns the key that begins at `at`, with its escapes decoded. Caller frees. */
static char *decode_key(const struct text *text, size_t at)
{
    size_t end = skip_string(text, at);
    json_auto_t *key = json_loadb(text->data + at, end - at, JSON_DECODE_ANY, NULL);
    const char *decoded = json_string_value(key);
    return xstrdup(decoded ? decoded : "");
}

static bool is_key(const struct text *text, size_t at, const char *key)
{
    size_t length = skip_string(text, at) - at;
    if (!memchr(text->data + at, '\\', length)) {
        return length == strlen(key) + 2 && memcmp(text->data + at + 1, key, length - 2) == 0;
    }
    CLEANUP_FREE char *decoded = decode_key(text, at);
    return strcmp(decoded, key) == 0;
}

/* Returns where the step's member or item begins in the value at `at`; 0 if there is none. */
static size_t find_item(const struct text *text, size_t at, const struct json_step *step)
{
    if (at >= text->length || text->data[at] != (step->key ? '{' : '[')) {
        return 0;
    }
    size_t item = first_item(text, at);
    for (size_t index = 0; item; index++) {
        if (step->key ? is_key(text, item, step->key) : index == step->index) {
            return item;
        }
        item = step->key ? value_of_key(text, item) : item;
        item = next_item(text, skip_value(text, item));
    }
    return 0;
}

static struct source_position position_at(const struct text *text, size_t at)
{
    return source_position_behind((struct source_position){ 1, 1 }, text->data, at);
}

struct source_position json_position(const char *text, size_t length, const struct json_step *steps,
                                     size_t count)
{
    const struct text whole = { text, length };
    size_t value = skip_white(&whole, 0);
    size_t at = value;
    for (size_t i = 0; i < count; i++) {
        size_t item = find_item(&whole, value, &steps[i]);
        if (!item) {
            break;
        }
        at = item;
        value = steps[i].key ? value_of_key(&whole, item) : item;
    }
    return position_at(&whole, at);
}

/* An object or array that is open during the search for duplicates. */
struct open_value {
    json_t *keys; /* the keys seen so far; NULL for an array */
    bool is_key_next;
};

struct search {
    struct text text;
    struct open_value *open; /* outermost first */
    size_t depth, capacity;
    json_on_duplicate *on_duplicate;
    void *data;
    bool is_over;
};

static void open_value(struct search *search, bool is_object)
{
    search->open =
        array_reserve(search->open, search->depth, &search->capacity, sizeof(*search->open));
    search->open[search->depth++] = (struct open_value){
        .keys = is_object ? json_object() : NULL,
        .is_key_next = is_object,
    };
}

static void close_value(struct search *search)
{
    if (search->depth > 0) {
        json_decref(search->open[--search->depth].keys);
    }
}

static void take_key(struct search *search, struct open_value *inner, size_t at)
{
    CLEANUP_FREE char *key = decode_key(&search->text, at);
    if (json_object_get(inner->keys, key)) {
        search->is_over = !search->on_duplicate(search->data, key, position_at(&search->text, at));
    }
    json_object_set_new(inner->keys, key, json_true());
    inner->is_key_next = false;
}

/* Processes the token at `at` and returns the offset of the next one. */
static size_t take_token(struct search *search, size_t at)
{
    struct open_value *inner = search->depth ? &search->open[search->depth - 1] : NULL;
    char c = search->text.data[at];
    if (c == '"') {
        if (inner && inner->is_key_next) {
            take_key(search, inner, at);
        }
        return skip_string(&search->text, at);
    }
    if (c == '{' || c == '[') {
        open_value(search, c == '{');
    } else if (c == '}' || c == ']') {
        close_value(search);
    } else if (c == ',' && inner) {
        inner->is_key_next = inner->keys != NULL;
    }
    return at + 1;
}

void json_find_duplicates(const char *text, size_t length, json_on_duplicate *on_duplicate,
                          void *data)
{
    struct search search = {
        .text = { text, length },
        .on_duplicate = on_duplicate,
        .data = data,
    };
    for (size_t at = 0; at < length && !search.is_over;) {
        at = take_token(&search, at);
    }
    while (search.depth > 0) {
        close_value(&search);
    }
    free(search.open);
}
