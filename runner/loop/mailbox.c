#include "runner/loop/mailbox.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <pthread.h>
#include <sys/eventfd.h>

struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t arrived;
    struct message *first, **last;
    size_t count;            /* all messages */
    size_t bytes, max_bytes; /* droppable messages only */
    size_t dropped;
    bool is_woken;
    int watch_fd;                /* -1: none */
    void (*on_post)(void *data); /* NULL: none */
    void *data;
};

struct mailbox *mailbox_create(size_t max_bytes)
{
    struct mailbox *mailbox = xcalloc(1, sizeof(*mailbox));
    condition_init(&mailbox->arrived);
    pthread_mutex_init(&mailbox->mutex, NULL);
    mailbox->last = &mailbox->first;
    mailbox->max_bytes = max_bytes;
    mailbox->watch_fd = -1;
    return mailbox;
}

void mailbox_destroy(struct mailbox *mailbox)
{
    if (!mailbox) {
        return;
    }
    while (mailbox->first) {
        struct message *message = mailbox->first;
        mailbox->first = message->next;
        message_destroy(message);
    }
    pthread_cond_destroy(&mailbox->arrived);
    pthread_mutex_destroy(&mailbox->mutex);
    free(mailbox);
}

void mailbox_post(struct mailbox *mailbox, struct message *message)
{
    pthread_mutex_lock(&mailbox->mutex);
    size_t max_bytes = message->goes_first ? mailbox->max_bytes / 2 : mailbox->max_bytes;
    bool is_full = mailbox->bytes > max_bytes || message->size > max_bytes - mailbox->bytes;
    bool is_dropped = message->is_droppable && is_full;
    if (is_dropped) {
        mailbox->dropped++;
    } else {
        message->next = NULL;
        *mailbox->last = message;
        mailbox->last = &message->next;
        mailbox->count++;
        mailbox->bytes += message->is_droppable ? message->size : 0;
        pthread_cond_signal(&mailbox->arrived);
        if (mailbox->watch_fd >= 0) {
            eventfd_write(mailbox->watch_fd, 1);
        }
        if (mailbox->on_post) {
            mailbox->on_post(mailbox->data);
        }
    }
    pthread_mutex_unlock(&mailbox->mutex);
    if (is_dropped) {
        message_destroy(message);
    }
}

struct message *mailbox_wait(struct mailbox *mailbox, struct deadline deadline)
{
    mutex_assert_none();
    pthread_mutex_lock(&mailbox->mutex);
    while (!mailbox->first && !mailbox->is_woken &&
           condition_wait(&mailbox->arrived, &mailbox->mutex, deadline)) {
    }
    struct message *message = mailbox->first;
    mailbox->is_woken &= message != NULL;
    if (message) {
        mailbox->first = message->next;
        mailbox->last = mailbox->first ? mailbox->last : &mailbox->first;
        mailbox->count--;
        mailbox->bytes -= message->is_droppable ? message->size : 0;
    }
    pthread_mutex_unlock(&mailbox->mutex);
    return message;
}

void mailbox_wake(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->is_woken = true;
    pthread_cond_signal(&mailbox->arrived);
    pthread_mutex_unlock(&mailbox->mutex);
}

void mailbox_watch(struct mailbox *mailbox, int fd)
{
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->watch_fd = fd;
    pthread_mutex_unlock(&mailbox->mutex);
}

void mailbox_notify(struct mailbox *mailbox, void (*on_post)(void *data), void *data)
{
    pthread_mutex_lock(&mailbox->mutex);
    mailbox->on_post = on_post;
    mailbox->data = data;
    pthread_mutex_unlock(&mailbox->mutex);
}

size_t mailbox_count(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->mutex);
    size_t count = mailbox->count;
    pthread_mutex_unlock(&mailbox->mutex);
    return count;
}

size_t mailbox_take_dropped(struct mailbox *mailbox)
{
    pthread_mutex_lock(&mailbox->mutex);
    size_t dropped = mailbox->dropped;
    mailbox->dropped = 0;
    pthread_mutex_unlock(&mailbox->mutex);
    return dropped;
}
