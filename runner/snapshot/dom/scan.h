/*
 * Reading JSON of many megabytes without a tree: numbers go into arrays, strings are unescaped
 * where they stand. After the first mismatch is_broken is set and nothing is read any more, so that
 * callers need to look once.
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

/* Arrays inside of an array: the values of all, and where each one ends. */
struct scan_int_lists {
    struct scan_ints values, ends;
};
struct scan_float_lists {
    struct scan_floats values;
    struct scan_ints ends;
};

/*
 * Iterates over the members of the object that begins here: the key, unescaped, or NULL behind the
 * last one. *state is 0 before the first call. The value has to be read, or skipped, in between.
 */
const char *scan_member(struct scan *scan, int *state);

/* The same for the items of an array. */
bool scan_item(struct scan *scan, int *state);

/* Any value; as deep as it likes. */
void scan_skip(struct scan *scan);

/* Of what is no integer of 32 bits, or no string: is_broken. */
int scan_int(struct scan *scan);
double scan_number(struct scan *scan);

/* NUL-terminated, in place; what is no Unicode text, and NUL, becomes U+FFFD. */
const char *scan_string(struct scan *scan);

/* A number of what was read; `fallback` behind the last one. */
static inline int scan_int_at(const struct scan_ints *ints, size_t i, int fallback)
{
    return i < ints->count ? ints->items[i] : fallback;
}

void scan_ints(struct scan *scan, struct scan_ints *ints);
void scan_int_lists(struct scan *scan, struct scan_int_lists *lists);
void scan_float_lists(struct scan *scan, struct scan_float_lists *lists);

#endif
