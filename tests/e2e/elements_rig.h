/* A page of a real browser, in which functions of scripts/elements.js are called one by one. */
#ifndef TESTS_E2E_ELEMENTS_RIG_H
#define TESTS_E2E_ELEMENTS_RIG_H

#include "runner/page/core/scripts.h"
#include "runner/page/element/element.h"

enum { ELEMENTS_ANSWER_MS = 20000, ELEMENTS_MAX_STEPS = 6 };

/* One call; in texts ' stands for ". Without a function the argument is a script of the page's. */
struct elements_step {
    const char *function, *argument;
    const char *answer; /* what has to be in it; NULL: anything */
    const char *given;  /* selector of an element that is the function's argument, too */
};

/* The first step that finds an element is followed by others that get it. */
struct elements_example {
    const char *name, *html;
    struct elements_step steps[ELEMENTS_MAX_STEPS];
};

struct br_browser;
struct browser_life;

struct elements_rig {
    struct br_browser *browser;
    struct browser_life *life;
    struct page *page;
};

/* For cmocka: the state is a rig. */
int elements_rig_open(void **state);
int elements_rig_close(void **state);

/* The value of a text in which ' stands for "; the caller decrefs. */
json_t *elements_parse(const char *text);

/* Runs a script of the page's, which has to come to its end. */
void elements_evaluate(struct page *page, const char *expression);

/* Shows another content in the same document. */
void elements_show(struct page *page, const char *html);

/* The answer of one call, with an error as { code, message, hint }; the caller decrefs. */
json_t *elements_call(struct page *page, const struct elements_step *step, struct element *element);

/* Fails the test at the first answer that is another one. */
void elements_play(struct elements_rig *rig, const struct elements_example *example);

#endif
