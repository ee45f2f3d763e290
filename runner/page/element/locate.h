/* Finding what an action names in one frame, by scripts/locate.js. */
#ifndef RUNNER_PAGE_ELEMENT_LOCATE_H
#define RUNNER_PAGE_ELEMENT_LOCATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct br_error;
struct frame;
struct frame_question;
struct page;
struct page_target;

/*
 * Calls scripts/locate.js in one of its modes, in this frame. Takes ownership of more (an object
 * with what else the mode takes, or NULL). *ret_answer is the caller's to decref.
 */
bool locate_in(struct page *page, struct frame *frame, const struct page_target *target,
               const char *mode, json_t *more, json_t **ret_answer, struct br_error *err);

/*
 * The same with the element that was kept, in the frame where it was found; TARGET_NOT_FOUND when
 * it has gone. Each call that is sent is received.
 */
int64_t locate_send_kept(struct page *page, const struct page_target *target, const char *mode,
                         json_t *more, struct br_error *err);
bool locate_receive_kept(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err);

/*
 * The same in all frames at once, of a target that is no node. The questions, one for each frame,
 * are the caller's to destroy: frame_questions_destroy().
 */
struct frame_question *locate_ask_frames(struct page *page, const struct page_target *target,
                                         const char *mode);

#endif
