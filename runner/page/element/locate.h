/* Finding an action's target in one frame, with scripts/elements.js. */
#ifndef RUNNER_PAGE_ELEMENT_LOCATE_H
#define RUNNER_PAGE_ELEMENT_LOCATE_H

#include <jansson.h>
#include <stdbool.h>

struct br_error;
struct element;
struct frame;
struct frame_question;
struct job;
struct page;
struct page_target;

/* Finds the element in this frame and runs the job on it; the caller calls element_finish(). */
bool locate_in(struct page *page, struct frame *frame, const struct page_target *target,
               const struct job *job, struct element *ret_element, struct br_error *err);

/* Returns the answer of script_count, or a similar function, in this frame; the caller decrefs. */
bool locate_count(struct page *page, struct frame *frame, const struct page_target *target,
                  const struct job *job, json_t **ret_answer, struct br_error *err);

/*
 * Asks all frames at once, for a target that is not a node: with script_count or a similar
 * function, or with a job, whose answers are for element_take(). Returns one question for each
 * frame; the caller destroys them with frame_questions_destroy().
 */
struct frame_question *locate_ask_frames(struct page *page, const struct page_target *target,
                                         const struct job *job);

#endif
