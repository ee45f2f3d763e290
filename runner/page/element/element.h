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

/* A function of scripts/elements.js, and its options (an object, or NULL). */
struct job {
    const char *function; /* such as script_aim */
    json_t *options;
};

/*
 * The result of a job of scripts/elements.js. Can be passed to further functions with
 * element_call() until the action ends.
 */
struct element {
    char *frame_id;     /* its frame; NULL: none, or a place of the main frame */
    char *object_id;    /* of the element, in our world of that frame */
    int64_t backend_id; /* the protocol's, which is also valid in other worlds; 0: not reported by
                           the job */
    json_t *answer;     /* the answer of the job that found it */
};

#define CLEANUP_ELEMENT __attribute__((cleanup(element_finish)))
void element_finish(struct element *element);

/*
 * Returns the element's frame; the main frame if that no longer exists. Never NULL; borrowed until
 * the next frames_update().
 */
struct frame *element_frame(struct page *page, const struct element *element);

/*
 * Takes a job's element from the result of frame_call(); false with an error if the job found none.
 */
bool element_take(struct page *page, const struct frame *frame, const json_t *object,
                  struct element *ret_element, struct br_error *err);

/* Returns the element as the object argument of a function; the caller decrefs. */
json_t *element_objects(const struct element *element);

/*
 * Call a function with the element again: TARGET_NOT_FOUND if its document no longer exists. Take
 * ownership of options, which may be NULL. The last two are the halves; each sent call must be
 * received.
 */
bool element_call(struct page *page, const struct element *element, const char *function,
                  json_t *options, json_t **ret_answer, struct br_error *err);
int64_t element_send(struct page *page, const struct element *element, const char *function,
                     json_t *options, struct br_error *err);
bool element_receive(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err);

/* Notes that the frame's process keeps objects of jobs, which are released with its elements. */
void element_hold(struct page *page, const struct frame *frame);

/* Releases all elements at the end of an action, in the page, too. */
void elements_release(struct page *page);

#endif
