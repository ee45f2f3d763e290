#include "runner/snapshot/dom/attributes.h"

#include "runner/base/memory.h"

#include <limits.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = {
#define ATTRIBUTE_NAME(symbol, name) name,
    SNAPSHOT_ATTRIBUTES(ATTRIBUTE_NAME)
#undef ATTRIBUTE_NAME
};

static uint8_t number_of(const char *name)
{
    int low = 0;
    int high = ATTRIBUTE_COUNT;
    while (low < high) {
        int middle = (low + high) / 2;
        int order = strcmp(name, names[middle]);
        if (order == 0) {
            return (uint8_t)middle;
        }
        *(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
    }
    return ATTRIBUTE_COUNT;
}

void snapshot_attributes_init(struct snapshot_attributes *attributes,
                              const struct snapshot_tree *tree)
{
    *attributes = (struct snapshot_attributes){
        .tree = tree,
        .present = xcalloc((size_t)tree->node_count + 1, sizeof(*attributes->present)),
        .numbers = xmalloc((size_t)tree->attribute_count + 1),
    };
    /* A reply contains each name as a single string, even if it is used often. */
    struct {
        const char *name;
        uint8_t number;
    } known[256] = { { NULL, 0 } };
    for (int i = 0; i < tree->attribute_count; i++) {
        const char *name = tree->attributes[i].name;
        size_t slot = (uintptr_t)name / 4 % 256;
        if (known[slot].name != name) {
            known[slot].name = name;
            known[slot].number = number_of(name);
        }
        attributes->numbers[i] = known[slot].number;
    }
    for (int i = 0; i < tree->node_count; i++) {
        const struct snapshot_node *node = &tree->nodes[i];
        for (int k = node->attribute; k < node->attribute + node->attribute_count; k++) {
            unsigned number = attributes->numbers[k];
            if (number < ATTRIBUTE_COUNT) {
                attributes->present[i][number / 64] |= UINT64_C(1) << (number % 64);
            }
        }
    }
}

void snapshot_attributes_finish(struct snapshot_attributes *attributes)
{
    free(attributes->present);
    free(attributes->numbers);
}

const char *snapshot_get(const struct snapshot_attributes *attributes, int node,
                         enum snapshot_attribute_number number)
{
    if (!snapshot_has(attributes, node, number)) {
        return NULL;
    }
    int i = attributes->tree->nodes[node].attribute;
    while (attributes->numbers[i] != number) {
        i++;
    }
    return attributes->tree->attributes[i].value;
}

bool snapshot_is(const struct snapshot_attributes *attributes, int node,
                 enum snapshot_attribute_number number, const char *value)
{
    const char *actual = snapshot_get(attributes, node, number);
    return actual && strcasecmp(actual, value) == 0;
}

bool snapshot_is_filled(const struct snapshot_attributes *attributes, int node,
                        enum snapshot_attribute_number number)
{
    const char *value = snapshot_get(attributes, node, number);
    return value && value[0] != '\0';
}

bool snapshot_is_true(const struct snapshot_attributes *attributes, int node,
                      enum snapshot_attribute_number number)
{
    const char *value = snapshot_get(attributes, node, number);
    return value && value[0] != '\0' && strcasecmp(value, "false") != 0 &&
           strcasecmp(value, "undefined") != 0;
}

int snapshot_integer(const struct snapshot_attributes *attributes, int node,
                     enum snapshot_attribute_number number, int fallback)
{
    const char *value = snapshot_get(attributes, node, number);
    char *end = NULL;
    long parsed = value ? strtol(value, &end, 10) : 0;
    return !value || end == value || parsed > INT_MAX || parsed < INT_MIN ? fallback : (int)parsed;
}

size_t snapshot_word(const char **text, const char **ret_word)
{
    static const char spaces[] = " \t\n\f\r";
    *ret_word = *text + strspn(*text, spaces);
    size_t length = strcspn(*ret_word, spaces);
    *text = *ret_word + length;
    return length;
}
