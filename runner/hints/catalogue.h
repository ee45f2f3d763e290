/*
 * The catalogue of errors: what texts of Chrome, V8 and the C library mean, and the remedy. One
 * table for the errors of responses, the logs of pages and Chrome's last output.
 */
#ifndef RUNNER_HINTS_CATALOGUE_H
#define RUNNER_HINTS_CATALOGUE_H

#include <browser_runner/response.h>

struct catalogue_entry {
    const char *pattern;  /* part of the text, in any case; `*` matches any text */
    enum br_code code;    /* the code of such an error, if the caller has no better one */
    const char *category; /* "javascript", "network", "resource" or "automation" */
    const char *hint;     /* one sentence with the remedy */
};

/* Returns the number of entries; they are in one array. */
size_t catalogue_count(void);

/* Returns the first entry whose pattern matches the text; NULL if none does. Static storage. */
const struct catalogue_entry *catalogue_find(const char *text);

/*
 * Sets the category and the hint of an error that has none, if the catalogue knows its message.
 * `url`, or if NULL the first URL in the message, decides whether a refused connection was to this
 * machine (localhost, *.localhost, 127.0.0.0/8, [::1], 0.0.0.0).
 */
void catalogue_explain(struct br_error *err, const char *url);

/* Returns the hint for an error or warning of the browser. Caller frees; NULL if none is known. */
char *catalogue_hint_of(const struct br_log *log);

#endif
