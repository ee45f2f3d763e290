#include "runner/chrome/switch_list.h"

#include "runner/base/memory.h"

#include <stdbool.h>
#include <string.h>

/*
 * Switches whose value is a list and of which Chrome reads only the last; and the switch that each
 * one undoes.
 */
static const struct list_name {
    const char *name;
    const char *opposite; /* NULL: none */
} list_names[] = {
    { "--enable-features", "--disable-features" },
    { "--disable-features", "--enable-features" },
    { "--enable-blink-features", "--disable-blink-features" },
    { "--disable-blink-features", "--enable-blink-features" },
    { "--blink-settings", NULL },
};

static const struct list_name *list_name_find(const char *name)
{
    for (size_t i = 0; i < sizeof(list_names) / sizeof(list_names[0]); i++) {
        if (strcmp(list_names[i].name, name) == 0) {
            return &list_names[i];
        }
    }
    return NULL;
}

static struct switch_item *find(const struct switch_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Sets or replaces the item's value. */
static void set(struct switch_list *list, const char *name, const char *value)
{
    struct switch_item *item = find(list, name);
    char *copy = xstrdup(value);
    if (!item) {
        list->items = array_reserve(list->items, list->count, &list->capacity, sizeof(*item));
        item = &list->items[list->count++];
        *item = (struct switch_item){ .name = xstrdup(name) };
    }
    free(item->value);
    item->value = copy;
}

/* "Name<Trial", "Name:parameter/1" and "name=1" all refer to the entry "Name". */
static bool is_same_entry(const char *a, size_t a_length, const char *b)
{
    size_t a_key = strcspn(a, "<:=,");
    size_t b_key = strcspn(b, "<:=,");
    a_key = a_key < a_length ? a_key : a_length;
    return a_key == b_key && strncmp(a, b, a_key) == 0;
}

/* Removes the entry from a list "a,b,c". */
static void entry_remove(char *value, const char *entry)
{
    char *end = value;
    for (const char *part = value; *part;) {
        size_t length = strcspn(part, ",");
        const char *next = part[length] ? part + length + 1 : part + length;
        if (length > 0 && !is_same_entry(part, length, entry)) {
            if (end > value) {
                *end++ = ',';
            }
            memmove(end, part, length);
            end += length;
        }
        part = next;
    }
    *end = '\0';
}

static void join_entry(struct switch_list *list, const struct list_name *about, const char *entry)
{
    struct switch_item *opposite = about->opposite ? find(list, about->opposite) : NULL;
    if (opposite) {
        entry_remove(opposite->value, entry);
    }
    struct switch_item *item = find(list, about->name);
    if (!item) {
        set(list, about->name, entry);
        return;
    }
    entry_remove(item->value, entry);
    CLEANUP_FREE char *joined = xasprintf("%s%s%s", item->value, item->value[0] ? "," : "", entry);
    set(list, about->name, joined);
}

void switch_list_add(struct switch_list *list, const char *name, const char *value)
{
    const struct list_name *about = list_name_find(name);
    if (!about) {
        set(list, name, value);
        return;
    }
    for (const char *part = value ? value : ""; *part;) {
        size_t length = strcspn(part, ",");
        CLEANUP_FREE char *entry = xstrndup(part, length);
        if (length > 0) {
            join_entry(list, about, entry);
        }
        part += part[length] ? length + 1 : length;
    }
}

/* Returns whether all entries of a list were undone. */
static bool is_empty(const struct switch_item *item)
{
    return list_name_find(item->name) && item->value[0] == '\0';
}

size_t switch_list_write(const struct switch_list *list, char **texts)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct switch_item *item = &list->items[i];
        if (!is_empty(item)) {
            texts[count++] =
                item->value ? xasprintf("%s=%s", item->name, item->value) : xstrdup(item->name);
        }
    }
    return count;
}

void switch_list_finish(struct switch_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].name);
        free(list->items[i].value);
    }
    free(list->items);
}
