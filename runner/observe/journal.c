#include "runner/observe/journal.h"

#include <pthread.h>
#include <string.h>

struct journal {
    pthread_mutex_t mutex;
    const struct br_event **events; /* a ring: `count` events from `first` on */
    size_t first, count, capacity;
    size_t bytes, max_bytes;
    uint64_t newest; /* number of the last event */
};

struct journal *journal_create(size_t max_bytes)
{
    struct journal *journal = xcalloc(1, sizeof(*journal));
    journal->max_bytes = max_bytes ? max_bytes : JOURNAL_BYTES;
    pthread_mutex_init(&journal->mutex, NULL);
    return journal;
}

static const struct br_event *at(const struct journal *journal, size_t index)
{
    return journal->events[(journal->first + index) % journal->capacity];
}

static void drop_oldest(struct journal *journal)
{
    const struct br_event *oldest = at(journal, 0);
    journal->bytes -= event_size(oldest);
    br_event_release(oldest);
    journal->first = (journal->first + 1) % journal->capacity;
    journal->count--;
}

void journal_destroy(struct journal *journal)
{
    if (!journal) {
        return;
    }
    while (journal->count) {
        drop_oldest(journal);
    }
    free(journal->events);
    pthread_mutex_destroy(&journal->mutex);
    free(journal);
}

static void grow(struct journal *journal)
{
    size_t capacity = journal->capacity ? journal->capacity * 2 : 64;
    const struct br_event **events = xcalloc(capacity, sizeof(*events));
    for (size_t i = 0; i < journal->count; i++) {
        events[i] = at(journal, i);
    }
    free(journal->events);
    journal->events = events;
    journal->first = 0;
    journal->capacity = capacity;
}

void journal_add(struct journal *journal, const struct br_event *event)
{
    pthread_mutex_lock(&journal->mutex);
    if (journal->count == journal->capacity) {
        grow(journal);
    }
    size_t place = (journal->first + journal->count++) % journal->capacity;
    journal->events[place] = br_event_hold(event);
    journal->bytes += event_size(event);
    journal->newest = event->sequence;
    while (journal->bytes > journal->max_bytes && journal->count > 1) {
        drop_oldest(journal);
    }
    pthread_mutex_unlock(&journal->mutex);
}

/* Returns the index of the first entry after the cursor. Numbers have no gaps. */
static size_t index_behind(const struct journal *journal, uint64_t since, uint64_t *ret_lost)
{
    uint64_t oldest = journal->count ? at(journal, 0)->sequence : journal->newest + 1;
    *ret_lost = since > 0 && since + 1 < oldest ? oldest - since - 1 : 0;
    uint64_t skipped = since + 1 > oldest ? since + 1 - oldest : 0;
    return skipped < journal->count ? (size_t)skipped : journal->count;
}

/* Adds entries from `index` on to the view: forwards, or from the end. */
static void gather(const struct journal *journal, size_t index, size_t limit, bool is_newest,
                   bool (*is_wanted)(const void *data, const struct br_event *event),
                   const void *data, struct journal_view *view)
{
    size_t left = journal->count - index;
    for (size_t i = 0; i < left; i++) {
        const struct br_event *event = at(journal, is_newest ? journal->count - 1 - i : index + i);
        if (is_wanted && !is_wanted(data, event)) {
            continue;
        }
        if (view->count == limit) {
            view->has_more = true;
            view->next = is_newest ? view->next : view->events[view->count - 1]->sequence;
            break;
        }
        view->events[view->count++] = br_event_hold(event);
    }
}

struct journal_view journal_read(struct journal *journal, uint64_t since, size_t limit,
                                 bool is_newest,
                                 bool (*is_wanted)(const void *data, const struct br_event *event),
                                 const void *data)
{
    struct journal_view view = { 0 };
    pthread_mutex_lock(&journal->mutex);
    size_t index = index_behind(journal, since, &view.lost);
    size_t room = journal->count - index < limit ? journal->count - index : limit;
    view.events = xcalloc(room + 1, sizeof(*view.events));
    view.next = journal->newest;
    gather(journal, index, limit, is_newest, is_wanted, data, &view);
    pthread_mutex_unlock(&journal->mutex);
    for (size_t i = 0; is_newest && i < view.count / 2; i++) {
        const struct br_event *event = view.events[i];
        view.events[i] = view.events[view.count - 1 - i];
        view.events[view.count - 1 - i] = event;
    }
    return view;
}

void journal_view_finish(struct journal_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        br_event_release(view->events[i]);
    }
    free(TAKE(view->events));
    view->count = 0;
}
