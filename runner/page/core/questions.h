/* Calls a function in several frames at once. */
#ifndef RUNNER_PAGE_CORE_QUESTIONS_H
#define RUNNER_PAGE_CORE_QUESTIONS_H

#include <browser_runner/error.h>

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame;
struct page;

/* Creates our worlds in all frames at once, as far as they reply. */
void frames_ensure_worlds(struct page *page);

/* The question to one of several frames, and its answer. */
struct frame_question {
    struct frame *frame;
    json_t *objects;  /* arguments as for frame_call(), objects of this frame; NULL: none */
    bool is_left_out; /* skip this frame; `err` says why */
    bool is_answered;
    json_t *answer;
    struct br_error err; /* if there is no answer: as from frame_call(), TIMEOUT if it is silent */
    int64_t call_id;     /* while the call is pending */
};

/*
 * Creates one question for each frame of the page, in order; valid until frames_update() moves
 * frames.
 */
struct frame_question *frame_questions_create(struct page *page);
void frame_questions_destroy(struct frame_question *questions, size_t count);

/*
 * Calls the function in the frames of all questions at once. After the first replies, each subframe
 * has one more second, see frame_begin(); silent ones are skipped. The argument stays the caller's.
 */
void frames_ask(struct page *page, const char *function, json_t *argument,
                struct frame_question *questions, size_t count);

/*
 * Calls the function in each known frame except the main one; ignores frames that no longer exist
 * or do not reply soon. The argument stays the caller's.
 */
void frames_call_others(struct page *page, const char *function, json_t *argument);

#endif
