#include "runner/cli/printer.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/thread.h"
#include "runner/loop/mailbox.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { MAX_WAITING = 4 * 1024 * 1024, LOOK_MS = 200, END_MS = 2000 };

struct printer {
    int fd, own_fd; /* own_fd: the same file, opened again without blocking; -1: not possible */
    int end_fd;
    bool keeps_all;
    struct mailbox *mailbox;
    pthread_t thread;
    atomic_bool is_ending, is_hurried;
    atomic_int failure; /* see printer_failure() */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    size_t waiting; /* bytes, guarded by the mutex; with keeps_all only */
};

struct text {
    struct message message;
    size_t length;
    char bytes[];
};

static void destroy_text(struct message *message)
{
    free(message);
}

static void fail(struct printer *printer, int failure)
{
    const uint64_t one = 1;
    atomic_store(&printer->failure, failure);
    /* Cannot fail, because it is the first write. */
    (void)!write(printer->end_fd, &one, sizeof(one));
    pthread_mutex_lock(&printer->mutex);
    pthread_cond_broadcast(&printer->changed);
    pthread_mutex_unlock(&printer->mutex);
}

/* Returns false if the printer has to end and the output was not read for END_MS. */
static bool await_room(struct printer *printer, int fd)
{
    struct pollfd out = { .fd = fd, .events = POLLOUT };
    struct deadline end = { 0 };
    bool is_hurried = false;
    while (poll(&out, 1, LOOK_MS) == 0) {
        if (!is_hurried && atomic_load(&printer->is_hurried)) {
            is_hurried = true;
            end = deadline_in_ms(END_MS);
        }
        if (is_hurried && deadline_left_ms(end) <= 0) {
            return false;
        }
    }
    return true;
}

static void write_all(struct printer *printer, const char *bytes, size_t length)
{
    int fd = printer->own_fd >= 0 ? printer->own_fd : printer->fd;
    while (length > 0 && !atomic_load(&printer->failure)) {
        if (!await_room(printer, fd)) {
            fail(printer, ETIMEDOUT);
            return;
        }
        ssize_t written = write(fd, bytes, length);
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
            fail(printer, errno);
        }
    }
}

static void write_dropped(struct printer *printer)
{
    size_t dropped = mailbox_take_dropped(printer->mailbox);
    if (dropped > 0) {
        CLEANUP_FREE char *note =
            xasprintf("(%zu lines dropped: the output is not being read)\n", dropped);
        write_all(printer, note, strlen(note));
    }
}

static void note_written(struct printer *printer, size_t size)
{
    pthread_mutex_lock(&printer->mutex);
    printer->waiting -= size;
    pthread_cond_broadcast(&printer->changed);
    pthread_mutex_unlock(&printer->mutex);
}

static void *run(void *data)
{
    struct printer *printer = data;
    for (;;) {
        struct message *message = mailbox_wait(printer->mailbox, deadline_in_ms(INT64_MAX));
        if (!message && atomic_load(&printer->is_ending)) {
            return NULL;
        }
        if (!message) {
            continue;
        }
        struct text *text = (struct text *)message;
        write_all(printer, text->bytes, text->length);
        /* The dropped lines came after those that were still waiting. */
        write_dropped(printer);
        if (printer->keeps_all) {
            note_written(printer, message->size);
        }
        message_destroy(message);
    }
}

static void printer_free(struct printer *printer)
{
    mailbox_destroy(printer->mailbox);
    pthread_cond_destroy(&printer->changed);
    pthread_mutex_destroy(&printer->mutex);
    if (printer->own_fd >= 0) {
        close(printer->own_fd);
    }
    if (printer->end_fd >= 0) {
        close(printer->end_fd);
    }
    free(printer);
}

struct printer *printer_start(int fd, bool keeps_all, struct br_error *err)
{
    struct printer *printer = xcalloc(1, sizeof(*printer));
    printer->fd = fd;
    printer->own_fd = platform_open_again(fd);
    printer->end_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    printer->keeps_all = keeps_all;
    printer->mailbox = mailbox_create(MAX_WAITING);
    pthread_mutex_init(&printer->mutex, NULL);
    condition_init(&printer->changed);
    int failure = printer->end_fd < 0 ? errno : thread_start(&printer->thread, run, printer);
    if (failure) {
        error_set_errno(err, BR_UNKNOWN_ERROR, failure, "cannot start a thread");
        printer_free(printer);
        return NULL;
    }
    return printer;
}

/* Waits until there is room. Returns false if writing has failed. */
static bool take_room(struct printer *printer, size_t size)
{
    pthread_mutex_lock(&printer->mutex);
    while (printer->waiting > MAX_WAITING && !atomic_load(&printer->failure)) {
        condition_wait(&printer->changed, &printer->mutex, deadline_in_ms(LOOK_MS));
    }
    printer->waiting += size;
    pthread_mutex_unlock(&printer->mutex);
    return !atomic_load(&printer->failure);
}

static void add(struct printer *printer, const char *bytes, size_t length, const char *suffix,
                bool is_urgent)
{
    size_t more = strlen(suffix);
    size_t size = sizeof(struct text) + length + more;
    if (printer->keeps_all && !take_room(printer, size)) {
        return;
    }
    struct text *text = xmalloc(size);
    text->message = (struct message){ .destroy = destroy_text,
                                      .size = size,
                                      .is_droppable = !printer->keeps_all,
                                      .goes_first = !is_urgent };
    text->length = length + more;
    memcpy(text->bytes, bytes, length);
    memcpy(text->bytes + length, suffix, more);
    mailbox_post(printer->mailbox, &text->message);
}

void printer_add(struct printer *printer, const char *line)
{
    add(printer, line, strlen(line), "\n", true);
}

void printer_add_text(struct printer *printer, const char *text, bool is_urgent)
{
    add(printer, text, strlen(text), "", is_urgent);
}

int printer_end_fd(const struct printer *printer)
{
    return printer->end_fd;
}

int printer_failure(const struct printer *printer)
{
    return atomic_load(&printer->failure);
}

void printer_hurry(struct printer *printer)
{
    atomic_store(&printer->is_hurried, true);
}

void printer_stop(struct printer *printer)
{
    if (printer) {
        printer_hurry(printer);
        atomic_store(&printer->is_ending, true);
        mailbox_wake(printer->mailbox);
        pthread_join(printer->thread, NULL);
        printer_free(printer);
    }
}
