/*
 * Where the pictures of a response are, once it is JSON: `pre`, `post` and the array `tiles`. Those
 * of a message that comes from outside have slots as well (see message.h).
 */
#ifndef RUNNER_FORMATS_PICTURE_SLOTS_H
#define RUNNER_FORMATS_PICTURE_SLOTS_H

#include "runner/base/memory.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* A place for a picture; all borrowed. */
struct picture_slot {
    char name[64];    /* "post", "tiles[3]", for messages */
    json_t *block;    /* what is there: a picture, or what stands for one */
    json_t *capture;  /* what `captures` says about it; NULL: nothing */
    json_t *response; /* whose text in the message is before it; NULL: none, or no message */
    json_t *holder;   /* the object or array that holds the block */
    const char *key;  /* in an object */
    size_t index;     /* in an array */
};

struct picture_slots {
    struct picture_slot *items;
    size_t count, capacity;
};

/* All places in the order of the response. The caller finishes. */
struct picture_slots picture_slots_list(const json_t *response);
void picture_slots_finish(struct picture_slots *slots);

void picture_slots_add(struct picture_slots *slots, const struct picture_slot *slot);

/* Puts something else there; takes ownership of it. */
void picture_slot_set(struct picture_slot *slot, json_t *block);

/* Whether what is in `screenshots` is a picture, not what stands for one. */
bool picture_is_image(const json_t *block);

#define PICTURE_PLACEHOLDER_BEGIN "[picture left out"

/*
 * The text block that stands for a picture, with what its entry in `captures` says about it (NULL:
 * nothing): "[picture left out: 1280x720 at 2024-11-21T14:40:00Z]". Never NULL; caller decrefs.
 */
json_t *picture_placeholder(const json_t *capture);

#define CLEANUP_PICTURE_SLOTS CLEANUP(picture_slots_finish)

#endif
