/* Evaluates a transcript's JSON: placeholder strings and patterns. */
#ifndef TESTS_INTEGRATION_FAKE_WORDS_H
#define TESTS_INTEGRATION_FAKE_WORDS_H

#include <jansson.h>
#include <stdbool.h>

/* The state that the fake browser keeps of its pages. */
struct fake_memory {
    json_t *numbers; /* last number given by "$new:prefix", by prefix */
    json_t *targets; /* target by session, from replies to Target.attachToTarget */
    json_t *urls;    /* URL by session, from Page.navigate */
};

void fake_memory_init(struct fake_memory *memory);
void fake_memory_finish(struct fake_memory *memory);

/* Record a received command, and the result of one that is replied to. */
void fake_memory_note_command(struct fake_memory *memory, const json_t *command);
void fake_memory_note_result(struct fake_memory *memory, const json_t *command,
                             const json_t *result);

/* The source of the values for strings with a $. */
struct fake_context {
    struct fake_memory *memory;
    const json_t *command; /* being replied to; NULL: none */
    json_int_t number;     /* of the repetition */
};

/* Returns a copy with the $ strings replaced (listed in fake_browser.h). Caller decrefs. */
json_t *fake_substitute(json_t *value, const struct fake_context *context);

/*
 * Returns whether `found` has everything in `wanted`: members of objects, all items of arrays,
 * equal values; a wanted string "~part" matches any string that contains it.
 */
bool fake_fits(const json_t *wanted, const json_t *found);

#endif
