#include "tests/integration/fake_ask.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* For messages that are on their way: a wait that reaches it is a failure. */
enum { PATIENCE_MS = 20000 };

char *fake_quoted(const char *text)
{
    char *copy = xstrdup(text);
    for (char *at = copy; (at = strchr(at, '\'')); at++) {
        *at = '"';
    }
    return copy;
}

void fake_play(struct fake_browser *fake, const char *steps)
{
    CLEANUP_FREE char *json = fake_quoted(steps);
    if (!fake_browser_play(fake, json)) {
        /* This fails and reports why. */
        fake_browser_finish(fake);
        fail_msg("not played: %s", steps);
    }
}

size_t fake_find(struct fake_browser *fake, const char *pattern, size_t from)
{
    CLEANUP_FREE char *json = fake_quoted(pattern);
    return fake_browser_find(fake, json, from);
}

size_t fake_count(struct fake_browser *fake, const char *pattern)
{
    CLEANUP_FREE char *json = fake_quoted(pattern);
    return fake_browser_count(fake, json);
}

void fake_await_count(struct fake_browser *fake, const char *pattern, size_t count)
{
    struct deadline deadline = deadline_in_ms(slow_ms(PATIENCE_MS));
    while (fake_count(fake, pattern) < count) {
        if (deadline_passed(deadline)) {
            fail_msg("%zu of %zu %s came", fake_count(fake, pattern), count, pattern);
        }
        usleep(1000);
    }
    assert_int_equal(fake_count(fake, pattern), count);
}

void fake_expect_order(struct fake_browser *fake, const char *const *patterns)
{
    size_t from = 0;
    for (size_t i = 0; patterns[i]; i++) {
        size_t found = fake_find(fake, patterns[i], from);
        if (found == SIZE_MAX) {
            fail_msg("%s did not come%s%s", patterns[i], i ? " behind " : "",
                     i ? patterns[i - 1] : "");
        }
        from = found + 1;
    }
}
