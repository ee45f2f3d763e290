/*
 * Where the pictures of a response are in its JSON: `pre`, `post` and the array `tiles`. Messages
 * from outside have slots as well (see message.h).
 */
#ifndef RUNNER_FORMATS_PICTURE_SLOTS_H
#define RUNNER_FORMATS_PICTURE_SLOTS_H

#include "runner/base/memory.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The slot of a picture; all borrowed. */
struct picture_slot {
    char name[64];    /* "post", "tiles[3]", for error messages */
    json_t *block;    /* the picture, or its placeholder */
    json_t *capture;  /* its description in `captures`; NULL: none */
    json_t *response; /* the response whose text precedes it in the message; NULL: none, or not a
                         message */
    json_t *holder;   /* the object or array that holds the block */
    const char *key;  /* name in an object */
    size_t index;     /* index in an array */
};

struct picture_slots {
    struct picture_slot *items;
    size_t count, capacity;
};

/* Lists all slots in the order of the response. The caller finishes the result. */
struct picture_slots picture_slots_list(const json_t *response);
void picture_slots_finish(struct picture_slots *slots);

void picture_slots_add(struct picture_slots *slots, const struct picture_slot *slot);

/* Replaces the block and takes ownership of the new one. */
void picture_slot_set(struct picture_slot *slot, json_t *block);

/* Whether the block in `screenshots` is a picture, not a placeholder. */
bool picture_is_image(const json_t *block);

#define PICTURE_PLACEHOLDER_BEGIN "[picture left out"

/*
 * Returns the text block that replaces a picture, with its description from `captures` (may be
 * NULL): "[picture left out: 1280x720 at 2024-11-21T14:40:00Z]". Never NULL; caller decrefs.
 */
json_t *picture_placeholder(const json_t *capture);

#define CLEANUP_PICTURE_SLOTS CLEANUP(picture_slots_finish)

#endif
