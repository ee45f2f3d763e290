#include "runner/loop/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Long enough for any machine; a wait that reaches it is a failure. */
enum { PATIENCE_MS = 60000, MAX = 8 };

struct rig {
    struct loop *loop;
    struct tail *tail;
    int write_fd, read_fd;
};

static void begin(struct rig *rig)
{
    struct br_error err;
    int fds[2];
    rig->loop = loop_create(false, &err);
    assert_non_null(rig->loop);
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    rig->read_fd = fds[0];
    rig->write_fd = fds[1];
    rig->tail = tail_create(rig->loop, fds[0], MAX, &err);
    assert_non_null(rig->tail);
}

static void end(struct rig *rig)
{
    tail_destroy(rig->tail);
    loop_destroy(rig->loop);
    assert_true(fcntl(rig->read_fd, F_GETFD) < 0 && errno == EBADF);
}

static void say(struct rig *rig, const char *text)
{
    assert_int_equal(write(rig->write_fd, text, strlen(text)), strlen(text));
}

static void test_text_when_it_is_longer_than_what_is_kept(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *kept;
    } cases[] = {
        { "", "", "" },
        { "one", "two", "onetwo" },
        { "12345678", "9", "23456789" },
        { "1234", "abcdefgh", "abcdefgh" },
        { "1234", "abcdefghijk", "defghijk" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig rig;
        begin(&rig);
        say(&rig, cases[i].first);
        say(&rig, cases[i].second);
        close(rig.write_fd);
        assert_true(tail_wait(rig.tail, deadline_in_ms(PATIENCE_MS)));
        char *text = tail_text(rig.tail);
        assert_string_equal(text, cases[i].kept);
        free(text);
        end(&rig);
    }
}

static void test_wait_when_somebody_may_still_write(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig);
    say(&rig, "a");
    assert_false(tail_wait(rig.tail, deadline_in_ms(20)));
    end(&rig); /* it is closed even so */
    close(rig.write_fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_when_it_is_longer_than_what_is_kept),
        cmocka_unit_test(test_wait_when_somebody_may_still_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
