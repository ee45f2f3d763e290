/* What a test says to the fake browser and asks of it, in texts in which ' stands for ". */
#ifndef TESTS_INTEGRATION_FAKE_ASK_H
#define TESTS_INTEGRATION_FAKE_ASK_H

#include "tests/integration/fake_browser.h"

/* The text with its quotes. Caller frees. */
char *fake_quoted(const char *text);

/* As fake_browser_play(), _find() and _count(); a step that does not come about fails the test. */
void fake_play(struct fake_browser *fake, const char *steps);
size_t fake_find(struct fake_browser *fake, const char *pattern, size_t from);
size_t fake_count(struct fake_browser *fake, const char *pattern);

/* Waits until so many came: what is sent without an answer is on its way for a while. */
void fake_await_count(struct fake_browser *fake, const char *pattern, size_t count);

/* Fails the test unless these, ended by NULL, came in this order. */
void fake_expect_order(struct fake_browser *fake, const char *const *patterns);

#endif
