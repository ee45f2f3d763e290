/* The answer to an action as text, for people and models at a terminal. */
#ifndef RUNNER_FORMATS_ANSWER_TEXT_H
#define RUNNER_FORMATS_ANSWER_TEXT_H

#include "runner/base/strbuf.h"

#include <jansson.h>

/* A saved picture of the answer. */
struct answer_picture {
    const char *path;
    int width, height; /* pixels; 0: unknown */
    double scale;      /* pixels for each CSS pixel */
    size_t size;       /* bytes */
};

struct answer_text {
    const json_t *instruction; /* the instruction that was run; NULL: unknown */
    bool has_colors;
    bool is_bare;  /* after a success, prints only the result, without action and page */
    bool is_brief; /* fewer and shorter lines of errors */
    bool is_raw;   /* not for a terminal: texts of the page are printed as they are */
    const struct answer_picture *pictures;
    size_t picture_count;
};

/*
 * Maximum of error lines in one answer; further errors are only counted. In a brief one they are
 * cut to about ANSWER_BRIEF_LINE bytes.
 */
enum { ANSWER_MAX_ERRORS = 10, ANSWER_BRIEF_ERRORS = 3, ANSWER_BRIEF_LINE = 160 };

/*
 * Adds a response of response_json() as text:
 *   the action: `clicked "Sign in"`, `navigated, HTTP 200`, `failed: CODE message` and the hint;
 *   the page: `at URL "title"`;
 *   notes of the program: warnings, and how dialogs were answered;
 *   errors during the action: logs and failed requests, in lines like those of terminal_log.h;
 *   the result: a value, a snapshot's text, a line for each log or request, JSON for anything else;
 *   downloads and pictures with their paths.
 * Each line ends with a newline and is harmless to a terminal. Typed text is never printed. JSON
 * that is no response is no error; it gives fewer lines.
 */
void answer_text_add(const struct answer_text *options, const json_t *response,
                     struct strbuf *text);

/* Whether answer_text_add() adds only the value; the caller then prints the notes elsewhere. */
bool answer_text_is_bare(const struct answer_text *options, const json_t *response);

/* Adds only the notes. */
void answer_text_add_notes(const struct answer_text *options, const json_t *response,
                           struct strbuf *text);

#endif
