/* Shared by tests of checks: a directory with a suite in it, and pictures. */
#ifndef TESTS_UNIT_CHECK_PLACE_H
#define TESTS_UNIT_CHECK_PLACE_H

#include "runner/base/memory.h"
#include "runner/checks/suite.h"
#include "tests/unit/report_place.h"

struct check_place {
    char *directory;     /* new; removed at the end with its contents */
    struct suite *suite; /* home and about, on desktop and phone: see check_place.c */
};

/* cmocka fixtures: *state is a struct check_place. */
int check_place_set_up(void **state);
int check_place_tear_down(void **state);

/* Returns a check of the suite. Borrowed. */
struct suite_check *check_of(const struct check_place *place, const char *id);

/* Makes a white PNG whose first pixels are black, row after row. Caller frees. */
char *make_picture(int width, int height, size_t black, size_t *ret_size);

/* Returns a path below the directory. Caller frees. */
char *path_in(const struct check_place *place, const char *name);
bool is_file(const struct check_place *place, const char *name);

/* Creates missing folders. */
void put_file(const struct check_place *place, const char *name, const void *bytes, size_t size);
void put_text(const struct check_place *place, const char *name, const char *text);

#endif
