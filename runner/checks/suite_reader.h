/* Reading the objects of a suite by tables: which members there are, and what each takes. */
#ifndef RUNNER_CHECKS_SUITE_READER_H
#define RUNNER_CHECKS_SUITE_READER_H

#include "runner/checks/suite.h"
#include "runner/checks/suite_memory.h"
#include "runner/checks/suite_problems.h"

struct suite_reader {
    struct suite *suite;
    struct suite_memory *memory; /* the suite's */
    struct suite_problems *problems;
    const char *base_url;             /* NULL: none is given, or it is wrong */
    bool has_base_url;                /* it is given */
    json_t *action_files;             /* path: index of action_lists; of the files that are read */
    struct br_action ***action_lists; /* borrowed from the memory */
    size_t action_list_count, action_list_capacity;
};

struct suite_member;

/* Reads the value at the place into the field, or tells the problem and leaves the field. */
typedef void suite_read(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *member, void *field);

struct suite_member {
    const char *name;                   /* NULL ends a table */
    suite_read *read;                   /* NULL: somebody else reads it */
    size_t offset;                      /* of the field in what suite_read_members() fills */
    double min, max;                    /* of numbers; of how many items */
    const struct suite_member *members; /* of an object */
};

/* Reads an object's members into what `target` points to. Unknown ones are problems. */
void suite_read_members(struct suite_reader *reader, const struct suite_place *place,
                        const struct suite_member *members, void *target);

/* For tables; the field's type is in front. */
suite_read suite_read_text,   /* char *: not empty */
    suite_read_texts,         /* char **: an array of min to max of them */
    suite_read_boolean,       /* bool */
    suite_read_number,        /* double */
    suite_read_integer,       /* int */
    suite_read_large_integer, /* int64_t */
    suite_read_object;        /* a struct with `members` */

/* Tells that the value is of another kind than `wanted` ("text"). */
void suite_wrong_kind(struct suite_reader *reader, const struct suite_place *place,
                      const char *wanted);

/* Copies that live as long as the suite. */
char *suite_keep_text(struct suite_reader *reader, const char *text);

/* The member of an object, whose value is NULL where it is not there; the item of an array. */
struct suite_place suite_member_place(const struct suite_place *object, const char *key);
struct suite_place suite_item_place(const struct suite_place *array, size_t index);

#endif
