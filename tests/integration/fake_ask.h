/* Commands of a test to the fake browser, in texts in which ' stands for ". */
#ifndef TESTS_INTEGRATION_FAKE_ASK_H
#define TESTS_INTEGRATION_FAKE_ASK_H

#include "tests/integration/fake_browser.h"

/* Replaces the quotes. Caller frees. */
char *fake_quoted(const char *text);

/* As fake_browser_play(), _find() and _count(); fails the test if a step does not occur. */
void fake_play(struct fake_browser *fake, const char *steps);
size_t fake_find(struct fake_browser *fake, const char *pattern, size_t from);
size_t fake_count(struct fake_browser *fake, const char *pattern);

/*
 * Waits until this many commands have arrived: commands without a reply may still be on their way.
 */
void fake_await_count(struct fake_browser *fake, const char *pattern, size_t count);

/* Fails the test unless these, ended by NULL, arrived in this order. */
void fake_expect_order(struct fake_browser *fake, const char *const *patterns);

#endif
