/*
 * Switches in the order of a command line, each name once. Those whose value is a list are joined,
 * and the last word on each entry of it counts: enabling a feature takes it out of the disabled
 * ones.
 */
#ifndef RUNNER_CHROME_SWITCH_LIST_H
#define RUNNER_CHROME_SWITCH_LIST_H

#include <stddef.h>

struct switch_item {
    char *name;  /* with its hyphens */
    char *value; /* NULL: it has none */
};

/* All zero at its beginning. */
struct switch_list {
    struct switch_item *items;
    size_t count;
    size_t capacity;
};

/* Copies both; value NULL: the switch has none. */
void switch_list_add(struct switch_list *list, const char *name, const char *value);

/*
 * Writes the switches as texts of a command line, at most list->count: a list whose entries were
 * all undone is left out. Returns how many; caller frees each.
 */
size_t switch_list_write(const struct switch_list *list, char **texts);

void switch_list_finish(struct switch_list *list);

#endif
