/* An element that an action works on, as a value. */
#ifndef RUNNER_PAGE_ELEMENT_ELEMENT_H
#define RUNNER_PAGE_ELEMENT_ELEMENT_H

#include "runner/base/memory.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct frame;
struct page;

/* A function of scripts/elements.js, and what it takes beside elements (an object, or NULL). */
struct job {
    const char *function; /* such as script_aim */
    json_t *options;
};

/*
 * What a job of scripts/elements.js has found. It may be called again with it by element_call(),
 * until the action ends.
 */
struct element {
    char *frame_id;  /* of its frame; NULL: none, or a place of the main frame */
    char *object_id; /* of what was found, in our world of that frame */
    int64_t
        backend_id; /* the protocol's, which other worlds know as well; 0: the job has not said */
    json_t *answer; /* of the job that found it */
};

#define CLEANUP_ELEMENT __attribute__((cleanup(element_finish)))
void element_finish(struct element *element);

/* The main frame where its own has gone. Never NULL; borrowed until the next frames_update(). */
struct frame *element_frame(struct page *page, const struct element *element);

/* What frame_call() of a job has answered; false with the error where it found none. */
bool element_take(struct page *page, const struct frame *frame, const json_t *object,
                  struct element *ret_element, struct br_error *err);

/* The one argument of a function for an element, beside a value; the caller decrefs. */
json_t *element_objects(const struct element *element);

/*
 * Calls a function with the element once more: TARGET_NOT_FOUND when its document has gone. Takes
 * ownership of options, which may be NULL. The two halves: each call that is sent is received.
 */
bool element_call(struct page *page, const struct element *element, const char *function,
                  json_t *options, json_t **ret_answer, struct br_error *err);
int64_t element_send(struct page *page, const struct element *element, const char *function,
                     json_t *options, struct br_error *err);
bool element_receive(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err);

/* At the end of an action: lets go of all elements, in the page, too. */
void elements_release(struct page *page);

#endif
