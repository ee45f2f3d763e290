/* Finding what an action names; for the files of this folder. */
#ifndef RUNNER_PAGE_TARGET_H
#define RUNNER_PAGE_TARGET_H

#include "runner/page/state.h"

/*
 * Calls scripts/locate.js in one of its modes. Takes ownership of more (an object with what else
 * the mode takes, or NULL). *ret_answer is the caller's to decref. Does not wait for anything.
 */
bool target_locate(struct page *page, const struct page_target *target, const char *mode,
                   json_t *more, json_t **ret_answer, struct br_error *err);

/* False with the error when a script of ours answered { code, message }. */
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
