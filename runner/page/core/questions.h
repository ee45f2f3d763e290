/* The same asked of several frames at once. */
#ifndef RUNNER_PAGE_CORE_QUESTIONS_H
#define RUNNER_PAGE_CORE_QUESTIONS_H

#include <browser_runner/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame;
struct page;

/* The same for all frames at once, as far as they answer. */
void frames_ensure_worlds(struct page *page);

/* What one of several frames is asked, and what it said. */
struct frame_question {
    struct frame *frame;
    json_t *objects;  /* as frame_call() has them, of this frame; NULL: none */
    bool is_left_out; /* it is not asked; `err` says why */
    bool is_answered;
    json_t *answer;
    struct br_error err; /* where it did not answer: as of frame_call(), TIMEOUT if it is silent */
    int64_t call_id;     /* while it is asked */
};

/* One for each frame of the page, in their order; for as long as no frames_update() moves them. */
struct frame_question *frame_questions_create(struct page *page);
void frame_questions_destroy(struct frame_question *questions, size_t count);

/*
 * Calls the function in the frames of these questions, in all of them at once. Of those inside of
 * the page each may take a second once the others have answered, see frame_begin(); silent ones are
 * left out. The argument stays the caller's.
 */
void frames_ask(struct page *page, const char *function, json_t *argument,
                struct frame_question *questions, size_t count);

/*
 * The same in each frame but the main one, of those that the last frames_update() found; what has
 * gone, or does not answer soon, is passed over. The argument stays the caller's.
 */
void frames_call_others(struct page *page, const char *function, json_t *argument);

#endif
