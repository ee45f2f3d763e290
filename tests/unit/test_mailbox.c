#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/loop/mailbox.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct letter {
    struct message link;
    int sender, number;
};

static atomic_int destroyed;

static void destroy_letter(struct message *message)
{
    atomic_fetch_add(&destroyed, 1);
    free(message);
}

static struct letter *create_letter(int sender, int number, size_t size, bool is_droppable)
{
    struct letter *letter = xcalloc(1, sizeof(*letter));
    letter->link = (struct message){
        .destroy = destroy_letter,
        .size = size,
        .is_droppable = is_droppable,
    };
    letter->sender = sender;
    letter->number = number;
    return letter;
}

static struct deadline past(void)
{
    return (struct deadline){ 0 };
}

static int take_number(struct mailbox *mailbox)
{
    struct letter *letter = (struct letter *)mailbox_wait(mailbox, past());
    int number = letter ? letter->number : -1;
    message_destroy((struct message *)letter);
    return number;
}

static void test_wait_when_several_are_there_gives_them_in_order(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(1000);
    for (int i = 0; i < 5; i++) {
        mailbox_post(mailbox, &create_letter(0, i, 1, i % 2)->link);
    }
    assert_int_equal(mailbox_count(mailbox), 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(take_number(mailbox), i);
    }
    assert_int_equal(mailbox_count(mailbox), 0);
    mailbox_post(mailbox, &create_letter(0, 9, 1, false)->link);
    assert_int_equal(take_number(mailbox), 9);
    mailbox_destroy(mailbox);
}

static void test_wait_when_empty_ends_at_the_deadline(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(1000);
    struct deadline deadline = deadline_in_ms(30);
    assert_null(mailbox_wait(mailbox, deadline));
    assert_true(deadline_passed(deadline));
    assert_null(mailbox_wait(mailbox, past()));
    assert_null(mailbox_wait(mailbox, deadline_in_ms(INT64_MIN / 2)));
    mailbox_destroy(mailbox);
}

static void *post_one(void *data)
{
    mailbox_post(data, &create_letter(0, 7, 1, false)->link);
    return NULL;
}

static void test_wait_without_end_when_a_message_comes_gives_it(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(1000);
    pthread_t thread;
    pthread_create(&thread, NULL, post_one, mailbox);
    struct letter *letter =
        (struct letter *)mailbox_wait(mailbox, (struct deadline){ .at_us = INT64_MAX });
    assert_non_null(letter);
    assert_int_equal(letter->number, 7);
    message_destroy(&letter->link);
    pthread_join(thread, NULL);
    mailbox_destroy(mailbox);
}

static void *wake(void *data)
{
    mailbox_wake(data);
    return NULL;
}

static void test_wake_ends_one_wait_without_a_message(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(1000);
    const struct deadline never = { .at_us = INT64_MAX };
    pthread_t thread;
    pthread_create(&thread, NULL, wake, mailbox);
    assert_null(mailbox_wait(mailbox, never));
    pthread_join(thread, NULL);
    /* Before the wait, and beside a message, which comes first. */
    mailbox_wake(mailbox);
    mailbox_post(mailbox, &create_letter(0, 7, 1, false)->link);
    assert_int_equal(take_number(mailbox), 7);
    assert_null(mailbox_wait(mailbox, never));
    mailbox_post(mailbox, &create_letter(0, 8, 1, false)->link);
    struct message *message = mailbox_wait(mailbox, never);
    assert_int_equal(((struct letter *)message)->number, 8);
    message_destroy(message);
    mailbox_destroy(mailbox);
}

static void count_post(void *data)
{
    ++*(int *)data;
}

static void test_notify_is_called_for_each_message_that_is_kept(void **state)
{
    (void)state;
    int count = 0;
    struct mailbox *mailbox = mailbox_create(10);
    mailbox_notify(mailbox, count_post, &count);
    mailbox_post(mailbox, &create_letter(0, 1, 1, true)->link);
    mailbox_post(mailbox, &create_letter(0, 2, 100, true)->link); /* dropped */
    mailbox_post(mailbox, &create_letter(0, 3, 1, false)->link);
    assert_int_equal(count, 2);
    mailbox_notify(mailbox, NULL, NULL);
    mailbox_post(mailbox, &create_letter(0, 4, 1, false)->link);
    assert_int_equal(count, 2);
    mailbox_destroy(mailbox);
}

static void test_post_when_full_drops_what_may_be_dropped_and_counts_it(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(100);
    atomic_store(&destroyed, 0);
    mailbox_post(mailbox, &create_letter(0, 0, 60, true)->link);
    mailbox_post(mailbox, &create_letter(0, 1, 41, true)->link); /* one letter over the limit */
    mailbox_post(mailbox, &create_letter(0, 2, 40, true)->link);
    mailbox_post(mailbox, &create_letter(0, 3, 1, true)->link); /* exactly at the byte limit */
    mailbox_post(mailbox, &create_letter(0, 4, 5000, false)->link);
    mailbox_post(mailbox, &create_letter(0, 5, SIZE_MAX, true)->link);
    assert_int_equal(atomic_load(&destroyed), 3);
    assert_int_equal(mailbox_take_dropped(mailbox), 3);
    assert_int_equal(mailbox_take_dropped(mailbox), 0);
    assert_int_equal(take_number(mailbox), 0);
    /* Removed letters make room. */
    mailbox_post(mailbox, &create_letter(0, 6, 60, true)->link);
    assert_int_equal(mailbox_take_dropped(mailbox), 0);
    assert_int_equal(take_number(mailbox), 2);
    assert_int_equal(take_number(mailbox), 4);
    assert_int_equal(take_number(mailbox), 6);
    assert_int_equal(take_number(mailbox), -1);
    mailbox_destroy(mailbox);
}

static void test_post_when_half_full_drops_what_goes_first(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(100);
    struct letter *chatter[3];
    for (int i = 0; i < 3; i++) {
        chatter[i] = create_letter(0, i, 25, true);
        chatter[i]->link.goes_first = true;
        mailbox_post(mailbox, &chatter[i]->link); /* the third one exceeds one half */
    }
    mailbox_post(mailbox, &create_letter(0, 3, 40, true)->link);
    struct letter *late = create_letter(0, 4, 1, true);
    late->link.goes_first = true;
    mailbox_post(mailbox, &late->link);
    assert_int_equal(mailbox_take_dropped(mailbox), 2);
    assert_int_equal(take_number(mailbox), 0);
    assert_int_equal(take_number(mailbox), 1);
    assert_int_equal(take_number(mailbox), 3);
    assert_int_equal(take_number(mailbox), -1);
    mailbox_destroy(mailbox);
}

static void test_destroy_when_messages_are_left_frees_them(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(100);
    atomic_store(&destroyed, 0);
    mailbox_post(mailbox, &create_letter(0, 0, 1, true)->link);
    mailbox_post(mailbox, &create_letter(0, 1, 1, false)->link);
    mailbox_destroy(mailbox);
    assert_int_equal(atomic_load(&destroyed), 2);
    mailbox_destroy(NULL);
}

enum { SENDERS = 8, LETTERS = 2000 };

struct sender {
    struct mailbox *mailbox;
    int number;
};

static void *send_all(void *data)
{
    struct sender *sender = data;
    for (int i = 0; i < LETTERS; i++) {
        mailbox_post(sender->mailbox, &create_letter(sender->number, i, 1, i % 2)->link);
    }
    return NULL;
}

static void test_wait_when_many_send_gives_all_and_each_senders_in_order(void **state)
{
    (void)state;
    struct mailbox *mailbox = mailbox_create(SENDERS * LETTERS);
    pthread_t threads[SENDERS];
    struct sender senders[SENDERS];
    int next[SENDERS] = { 0 };
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){ .mailbox = mailbox, .number = i };
        pthread_create(&threads[i], NULL, send_all, &senders[i]);
    }
    for (int i = 0; i < SENDERS * LETTERS; i++) {
        struct letter *letter = (struct letter *)mailbox_wait(mailbox, deadline_in_ms(60000));
        assert_non_null(letter);
        assert_int_equal(letter->number, next[letter->sender]++);
        message_destroy(&letter->link);
    }
    for (int i = 0; i < SENDERS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(mailbox_take_dropped(mailbox), 0);
    assert_null(mailbox_wait(mailbox, past()));
    mailbox_destroy(mailbox);
}

/* Waits in a child process, whose assertion would end the test. Returns its status. */
static int wait_in_child(bool holds_mutex)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct mailbox *mailbox = mailbox_create(0);
        signal(SIGABRT, SIG_DFL);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        mutex_lock(&mutex);
        if (!holds_mutex) {
            mutex_unlock(&mutex);
        }
        mailbox_wait(mailbox, past());
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void test_wait_when_a_mutex_is_held_fails_an_assertion(void **state)
{
    (void)state;
    assert_int_equal(wait_in_child(false), 0);
#ifdef NDEBUG
    skip();
#endif
    int status = wait_in_child(true);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wait_when_several_are_there_gives_them_in_order),
        cmocka_unit_test(test_wait_when_empty_ends_at_the_deadline),
        cmocka_unit_test(test_wait_without_end_when_a_message_comes_gives_it),
        cmocka_unit_test(test_wake_ends_one_wait_without_a_message),
        cmocka_unit_test(test_notify_is_called_for_each_message_that_is_kept),
        cmocka_unit_test(test_post_when_full_drops_what_may_be_dropped_and_counts_it),
        cmocka_unit_test(test_post_when_half_full_drops_what_goes_first),
        cmocka_unit_test(test_destroy_when_messages_are_left_frees_them),
        cmocka_unit_test(test_wait_when_many_send_gives_all_and_each_senders_in_order),
        cmocka_unit_test(test_wait_when_a_mutex_is_held_fails_an_assertion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
