/*
 * The catalogue of errors: what texts of Chrome, of V8 and of the C library mean, and what can be
 * done. One table for the errors of responses, the logs of pages and the last words of Chrome.
 */
#ifndef RUNNER_HINTS_CATALOGUE_H
#define RUNNER_HINTS_CATALOGUE_H

#include <browser_runner/response.h>

struct catalogue_entry {
    const char *pattern;  /* a part of the text, whatever its case; a `*` in it is any text */
    enum br_code code;    /* what such an error is, for callers that have nothing better */
    const char *category; /* "javascript", "network", "resource" or "automation" */
    const char *hint;     /* one sentence with the cure */
};

/* How many entries there are; they lie in one array. */
size_t catalogue_count(void);

/* The first entry whose pattern is in the text; NULL when none is. Static storage. */
const struct catalogue_entry *catalogue_find(const char *text);

/*
 * Fills the category and the hint of an error that has none, if the catalogue knows its message. A
 * refused connection to this machine (localhost, *.localhost, 127.0.0.0/8, [::1], 0.0.0.0) is told
 * apart by `url`; where that is NULL, by the first URL in the message.
 */
void catalogue_explain(struct br_error *err, const char *url);

/* What an error or warning of the browser's calls for. Caller frees; NULL: nothing is known. */
char *catalogue_hint_of(const struct br_log *log);

#endif
