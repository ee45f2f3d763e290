/*
 * Switches in command line order, each name once. Values that are lists are merged, and the last
 * setting of each entry counts: enabling a feature removes it from the disabled ones.
 */
#ifndef RUNNER_CHROME_SWITCH_LIST_H
#define RUNNER_CHROME_SWITCH_LIST_H

#include <stddef.h>

struct switch_item {
    char *name;  /* with the hyphens */
    char *value; /* NULL: no value */
};

/* Zero-initialise. */
struct switch_list {
    struct switch_item *items;
    size_t count;
    size_t capacity;
};

/* Copies both strings; value NULL: a switch without a value. */
void switch_list_add(struct switch_list *list, const char *name, const char *value);

/*
 * Writes the switches as command line arguments, at most list->count; omits a list whose entries
 * were all undone. Returns the number; caller frees each.
 */
size_t switch_list_write(const struct switch_list *list, char **texts);

void switch_list_finish(struct switch_list *list);

#endif
