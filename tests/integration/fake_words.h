/* What a transcript's JSON means: strings that stand for something else, and patterns. */
#ifndef TESTS_INTEGRATION_FAKE_WORDS_H
#define TESTS_INTEGRATION_FAKE_WORDS_H

#include <jansson.h>
#include <stdbool.h>

/* The little that the fake browser knows of its pages. */
struct fake_memory {
    json_t *numbers; /* prefix to the number that "$new:prefix" gave last */
    json_t *targets; /* session to target, as Target.attachToTarget was answered */
    json_t *urls;    /* session to URL, as Page.navigate asked for */
};

void fake_memory_init(struct fake_memory *memory);
void fake_memory_finish(struct fake_memory *memory);

/* Notes a command when it comes, and the result of one that is answered. */
void fake_memory_note_command(struct fake_memory *memory, const json_t *command);
void fake_memory_note_result(struct fake_memory *memory, const json_t *command,
                             const json_t *result);

/* What the strings with a $ are taken from. */
struct fake_context {
    struct fake_memory *memory;
    const json_t *command; /* that is answered; NULL for none */
    json_int_t number;     /* of the repetition */
};

/* A copy with the $ strings replaced (fake_browser.h has their list). Caller decrefs. */
json_t *fake_substitute(json_t *value, const struct fake_context *context);

/*
 * Whether all that `wanted` says holds for `found`: members of objects, all items of arrays, equal
 * values; a wanted string "~part" is part of the found one.
 */
bool fake_fits(const json_t *wanted, const json_t *found);

#endif
