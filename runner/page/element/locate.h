/* Finding what an action names in one frame, by scripts/elements.js. */
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

/* Finds the element in this frame and has the job done; element_finish() is the caller's to call.
 */
bool locate_in(struct page *page, struct frame *frame, const struct page_target *target,
               const struct job *job, struct element *ret_element, struct br_error *err);

/* What script_count, or a function like it, answers in this frame; the caller decrefs. */
bool locate_count(struct page *page, struct frame *frame, const struct page_target *target,
                  const struct job *job, json_t **ret_answer, struct br_error *err);

/*
 * Asks all frames at once, of a target that is no node: script_count or a function like it, or a
 * job, whose answers are for element_take(). The questions, one for each frame, are the caller's to
 * destroy: frame_questions_destroy().
 */
struct frame_question *locate_ask_frames(struct page *page, const struct page_target *target,
                                         const struct job *job);

#endif
