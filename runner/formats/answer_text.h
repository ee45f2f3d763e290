/* The answer to an action, as it is read at a terminal: by people, and by models. */
#ifndef RUNNER_FORMATS_ANSWER_TEXT_H
#define RUNNER_FORMATS_ANSWER_TEXT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* A picture of the answer that was saved. */
struct answer_picture {
    const char *path;
    int width, height; /* pixels; 0: not known */
    size_t size;       /* bytes */
};

struct answer_text {
    const json_t *instruction; /* that was run: what the first line names; NULL: not known */
    bool has_colors;
    bool is_bare; /* of an action that succeeded: what it was run for, without the page around */
    const struct answer_picture *pictures;
    size_t picture_count;
};

/* Lines about errors in one answer; of others it says how many there are. */
enum { ANSWER_MAX_ERRORS = 10 };

/*
 * Adds, of a response as response_json() makes it:
 *   what happened: `clicked "Sign in"`, `navigated, HTTP 200`, `failed: CODE message` and the hint;
 *   the page: `at URL "title"`;
 *   what went wrong meanwhile: logs of errors and requests that failed, as terminal_log.h has them;
 *   what it has: the value, the text of a snapshot, logs and requests in lines, JSON of the rest;
 *   pictures and downloads with their paths.
 * All lines end with a newline. Texts are harmless to a terminal. What is no response gives little,
 * and no error. Of an instruction that types its text is not told.
 */
void answer_text_add(const struct answer_text *options, const json_t *response,
                     struct strbuf *text);

#endif
