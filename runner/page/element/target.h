/* Finding what an action names; for the files of this folder. */
#ifndef RUNNER_PAGE_ELEMENT_TARGET_H
#define RUNNER_PAGE_ELEMENT_TARGET_H

#include "runner/page/core/state.h"

/*
 * Calls scripts/locate.js in one of its modes. Takes ownership of more (an object with what else
 * the mode takes, or NULL). *ret_answer is the caller's to decref. Does not wait for anything.
 */
bool target_locate(struct page *page, const struct page_target *target, const char *mode,
                   json_t *more, json_t **ret_answer, struct br_error *err);

/*
 * The same with the element that was kept, in the frame where it was found; TARGET_NOT_FOUND when
 * it has gone. Each call that is sent is received.
 */
int64_t target_send_kept(struct page *page, const struct page_target *target, const char *mode,
                         json_t *more, struct br_error *err);
bool target_receive_kept(struct page *page, int64_t id, json_t **ret_answer, struct br_error *err);

/* The same in one frame, and nothing is logged. */
bool target_locate_in(struct page *page, struct frame *frame, const struct page_target *target,
                      const char *mode, json_t *more, json_t **ret_answer, struct br_error *err);

/*
 * The same in all frames at once, of a target that is no node. The questions, one for each frame,
 * are the caller's to destroy: frame_questions_destroy().
 */
struct frame_question *target_ask_frames(struct page *page, const struct page_target *target,
                                         const char *mode);

/* How many elements there are in all frames, and whether one is visible. */
bool target_count(struct page *page, const struct page_target *target, int *ret_count,
                  bool *ret_is_visible, struct br_error *err);

/*
 * role.c: what the page has of the target's role, as a snapshot of it says; known from then on
 * until role_forget(). Of a target without a role nothing is asked.
 */
bool role_look(struct page *page, const struct page_target *target, struct br_error *err);
void role_forget(struct page *page);

/*
 * The elements of a frame (ids of objects) of the target's role and accessible name: those of just
 * this name if there are such, otherwise those whose name has it as a part. The caller decrefs, and
 * releases them by frame_release().
 */
bool role_find(struct page *page, struct frame *frame, const struct page_target *target,
               json_t **ret_elements, struct br_error *err);

/* node.c: STALE_NODE with the node's label. Always false. */
bool node_is_stale(const struct page_node *node, struct br_error *err);

/* The frame of a node, if it shows the same document yet. */
bool node_choose_frame(struct page *page, const struct page_node *node, struct frame **ret_frame,
                       struct br_error *err);

/* The element that a node is, as role_find() has them. */
bool node_find(struct page *page, struct frame *frame, const struct page_node *node,
               json_t **ret_elements, struct br_error *err);

/* False with the error when a script of ours answered { code, message, hint }. */
bool target_answer_is_fine(const json_t *answer, struct br_error *err);

/*
 * Where the element is in the document. *ret_is_scrolled: something was scrolled to make it show,
 * which target_restore() undoes.
 */
bool target_box(struct page *page, const struct page_target *target, struct page_box *ret_box,
                bool *ret_is_scrolled, struct br_error *err);
void target_restore(struct page *page);

/* One try of something with a target; `attempt` counts from 0. */
typedef bool target_attempt(struct page *page, const struct page_target *target, int attempt,
                            void *data, struct br_error *err);

/* Tries while the target is only not ready yet and its patience lasts; the last error stays. */
bool target_try(struct page *page, const struct page_target *target, target_attempt *try_once,
                void *data, struct br_error *err);

#endif
