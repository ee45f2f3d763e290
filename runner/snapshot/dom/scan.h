/*
 * Reads JSON of many megabytes without building a tree: numbers go into arrays, strings are
 * unescaped in place. The first mismatch sets is_broken and ends all reading, so callers need to
 * check only once.
 */
#ifndef RUNNER_SNAPSHOT_DOM_SCAN_H
#define RUNNER_SNAPSHOT_DOM_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct scan {
    char *at, *end; /* *end is NUL */
    bool is_broken;
};

struct scan_ints {
    int *items;
    size_t count, capacity;
};

struct scan_floats {
    float *items;
    size_t count, capacity;
};

/* An array of arrays: all values, and the end index of each array. */
struct scan_int_lists {
    struct scan_ints values, ends;
};
struct scan_float_lists {
    struct scan_floats values;
    struct scan_ints ends;
};

/*
 * Iterates over the members of the object at the position. Returns the key, unescaped, or NULL
 * after the last one. *state is 0 before the first call. The caller reads or skips the value in
 * between.
 */
const char *scan_member(struct scan *scan, int *state);

/* Iterates over the items of an array in the same way. */
bool scan_item(struct scan *scan, int *state);

/* Skips a value of any depth. */
void scan_skip(struct scan *scan);

/* Read a number; a value that is not a 32-bit integer, or not a number, sets is_broken. */
int scan_int(struct scan *scan);
double scan_number(struct scan *scan);

/* Reads a string in place, NUL-terminated; invalid Unicode and NUL become U+FFFD. */
const char *scan_string(struct scan *scan);

/* Returns number i of those read; `fallback` after the last one. */
static inline int scan_int_at(const struct scan_ints *ints, size_t i, int fallback)
{
    return i < ints->count ? ints->items[i] : fallback;
}

void scan_ints(struct scan *scan, struct scan_ints *ints);
void scan_int_lists(struct scan *scan, struct scan_int_lists *lists);
void scan_float_lists(struct scan *scan, struct scan_float_lists *lists);

#endif
