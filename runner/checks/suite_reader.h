/*
 * Reads the objects of a suite by tables: the members that exist, and the values that they accept.
 */
#ifndef RUNNER_CHECKS_SUITE_READER_H
#define RUNNER_CHECKS_SUITE_READER_H

#include "runner/checks/suite.h"
#include "runner/checks/suite_memory.h"
#include "runner/checks/suite_problems.h"

struct suite_reader {
    struct suite *suite;
    struct suite_memory *memory; /* the suite's memory */
    struct suite_problems *problems;
    const char *base_url;             /* NULL: not given, or invalid */
    bool has_base_url;                /* a baseUrl is given */
    json_t *action_files;             /* the files that were read: path to index of action_lists */
    struct br_action ***action_lists; /* borrowed from the memory */
    size_t action_list_count, action_list_capacity;
};

struct suite_member;

/*
 * Reads the value at the place into the field, or reports a problem and leaves the field unchanged.
 */
typedef void suite_read(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field);

struct suite_member {
    const char *name; /* NULL ends a table */
    suite_read *read; /* NULL: read elsewhere */
    size_t offset;    /* of the field in the struct that suite_read_members() fills */
    double min, max;  /* range of a number, or of the number of items */
    const struct suite_member *members; /* members of an object */
};

/* Reads an object's members into the struct at `target`. Unknown members are problems. */
void suite_read_members(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *members, void *target);

/* For tables; the comment begins with the field's type. */
suite_read suite_read_text,   /* char *: not empty */
    suite_read_texts,         /* char **: an array of min to max of them */
    suite_read_boolean,       /* bool */
    suite_read_number,        /* double */
    suite_read_integer,       /* int */
    suite_read_large_integer, /* int64_t */
    suite_read_object;        /* a struct with `members` */

/* Reports that the value is not of the `wanted` kind ("text"). */
void suite_wrong_kind(struct suite_reader *reader, const struct suite_place *place,
                      const char *wanted);

/* Returns copies that live as long as the suite. */
char *suite_keep_text(struct suite_reader *reader, const char *text);

/*
 * Returns the place of an object's member, whose value is NULL if it does not exist; and of an
 * array's item.
 */
struct suite_place suite_member_place(const struct suite_place *object, const char *key);
struct suite_place suite_item_place(const struct suite_place *array, size_t index);

#endif
