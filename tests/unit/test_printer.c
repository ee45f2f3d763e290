/* Lines for files that may block: kept or dropped, normally or in a hurry. */
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/cli/printer.h"
#include "tests/slowness.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { LINES = 20000, LINE = 1000 };

static void *read_all(void *data)
{
    int fd = *(int *)data;
    struct strbuf *text = xcalloc(1, sizeof(*text));
    *text = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    char block[65536];
    ssize_t length;
    while ((length = read(fd, block, sizeof(block))) > 0) {
        strbuf_add(text, block, (size_t)length);
    }
    close(fd);
    return text;
}

/* Returns what a pipe contains after so many lines were printed, read late or at once. */
static struct strbuf *print_lines(bool keeps_all, bool is_read_late, size_t *ret_kept)
{
    struct br_error err = { 0 };
    int ends[2];
    pthread_t reader;
    char line[LINE + 1];
    void *text = NULL;
    memset(line, 'x', LINE);
    line[LINE] = '\0';
    assert_int_equal(pipe(ends), 0);
    struct printer *printer = printer_start(ends[1], keeps_all, &err);
    assert_non_null(printer);
    if (!is_read_late) {
        pthread_create(&reader, NULL, read_all, &ends[0]);
    }
    for (int i = 0; i < LINES; i++) {
        printer_add(printer, line);
    }
    printer_add_text(printer, "last\n", true);
    if (is_read_late) {
        pthread_create(&reader, NULL, read_all, &ends[0]);
    }
    printer_stop(printer);
    close(ends[1]);
    pthread_join(reader, &text);
    struct strbuf *all = text;
    *ret_kept = 0;
    for (const char *at = all->data; (at = strchr(at, '\n')); at++) {
        (*ret_kept)++;
    }
    return all;
}

static void keeps_all(void **state)
{
    (void)state;
    size_t kept = 0;
    struct strbuf *text = print_lines(true, false, &kept);
    assert_int_equal(kept, LINES + 1);
    assert_int_equal(text->length, LINES * (LINE + 1) + 5);
    strbuf_finish(text);
    free(text);
}

static void leaves_out_what_nobody_reads(void **state)
{
    (void)state;
    size_t kept = 0;
    struct strbuf *text = print_lines(false, true, &kept);
    assert_true(kept > 1000 && kept < LINES);
    assert_non_null(strstr(text->data, " lines dropped: the output is not being read)\n"));
    strbuf_finish(text);
    free(text);
}

static bool has_ended(const struct printer *printer)
{
    struct pollfd end = { .fd = printer_end_fd(printer), .events = POLLIN };
    return poll(&end, 1, (int)slow_ms(30000)) == 1;
}

static void says_that_nobody_is_there(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct printer *printer = printer_start(ends[1], true, &err);
    assert_int_equal(printer_failure(printer), 0);
    close(ends[0]);
    printer_add(printer, "lost");
    assert_true(has_ended(printer));
    assert_int_equal(printer_failure(printer), EPIPE);
    /* In a hurry, no thread waits for room. */
    for (int i = 0; i < LINES; i++) {
        printer_add(printer, "as well");
    }
    printer_stop(printer);
    close(ends[1]);
}

/* In a hurry, threads that already wait for room are released, too. */
static void ends_where_nobody_reads(void **state)
{
    (void)state;
    struct br_error err = { 0 };
    int ends[2];
    char line[LINE + 1];
    memset(line, 'x', LINE);
    line[LINE] = '\0';
    assert_int_equal(pipe(ends), 0);
    struct printer *printer = printer_start(ends[1], true, &err);
    printer_hurry(printer);
    for (int i = 0; i < LINES; i++) {
        printer_add(printer, line);
    }
    assert_true(has_ended(printer));
    assert_int_equal(printer_failure(printer), ETIMEDOUT);
    printer_stop(printer);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_all),
        cmocka_unit_test(leaves_out_what_nobody_reads),
        cmocka_unit_test(says_that_nobody_is_there),
        cmocka_unit_test(ends_where_nobody_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
