#include "runner/net/budget.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <pthread.h>

/* A client that holds less is never paused, so that others cannot stop it. */
enum { SMALL_SHARE = 1024 * 1024 };

/* A client with unprocessed messages. */
struct holder {
    struct holder *next;
    uint64_t connection;
    size_t bytes;
    bool is_paused;
};

struct net_budget {
    struct loop *loop;
    size_t max;
    pthread_mutex_t mutex;         /* guards the following members */
    size_t references;             /* of the owner, the charges and a waiting resume() */
    struct net_listener *listener; /* NULL: none */
    struct holder *holders;
    size_t bytes, paused;
    bool is_resuming; /* resume() was posted to the loop */
};

struct net_charge {
    struct net_budget *budget;
    struct holder *holder;
    size_t bytes;
};

struct net_budget *net_budget_create(struct loop *loop, size_t max_bytes)
{
    struct net_budget *budget = xcalloc(1, sizeof(*budget));
    budget->loop = loop;
    budget->max = max_bytes;
    budget->references = 1;
    pthread_mutex_init(&budget->mutex, NULL);
    return budget;
}

/* Unlocks the mutex. */
static void drop_reference(struct net_budget *budget)
{
    bool is_last = --budget->references == 0;
    mutex_unlock(&budget->mutex);
    if (is_last) {
        pthread_mutex_destroy(&budget->mutex);
        free(budget);
    }
}

void net_budget_release(struct net_budget *budget)
{
    if (budget) {
        mutex_lock(&budget->mutex);
        drop_reference(budget);
    }
}

void net_budget_attach(struct net_budget *budget, struct net_listener *listener)
{
    mutex_lock(&budget->mutex);
    budget->listener = listener;
    mutex_unlock(&budget->mutex);
}

/* Call with the mutex held. */
static struct holder *holder_of(struct net_budget *budget, uint64_t connection)
{
    struct holder *holder = budget->holders;
    while (holder && holder->connection != connection) {
        holder = holder->next;
    }
    if (!holder) {
        holder = xcalloc(1, sizeof(*holder));
        holder->connection = connection;
        holder->next = budget->holders;
        budget->holders = holder;
    }
    return holder;
}

struct net_charge *net_budget_charge(struct net_budget *budget, uint64_t connection, size_t bytes)
{
    struct net_charge *charge = xmalloc(sizeof(*charge));
    mutex_lock(&budget->mutex);
    struct holder *holder = holder_of(budget, connection);
    *charge = (struct net_charge){ budget, holder, bytes };
    holder->bytes += bytes;
    budget->bytes += bytes;
    budget->references++;
    if (budget->listener && !holder->is_paused && budget->bytes > budget->max &&
        holder->bytes > SMALL_SHARE) {
        holder->is_paused = true;
        budget->paused++;
        net_pause(budget->listener, connection, true);
    }
    mutex_unlock(&budget->mutex);
    return charge;
}

bool net_budget_is_full(struct net_budget *budget)
{
    mutex_lock(&budget->mutex);
    bool is_full = budget->bytes > budget->max;
    mutex_unlock(&budget->mutex);
    return is_full;
}

/* Removes a client that holds nothing. Call with the mutex held. */
static void remove_holder(struct net_budget *budget, struct holder **place)
{
    struct holder *holder = *place;
    *place = holder->next;
    budget->paused -= holder->is_paused;
    free(holder);
}

/* Resumes the clients that may send again. On the loop thread. */
static void resume(void *data)
{
    struct net_budget *budget = data;
    mutex_lock(&budget->mutex);
    budget->is_resuming = false;
    bool has_room = budget->bytes <= budget->max / 2;
    for (struct holder **place = &budget->holders; *place;) {
        struct holder *holder = *place;
        if (holder->is_paused && budget->listener && (has_room || holder->bytes == 0)) {
            holder->is_paused = false;
            budget->paused--;
            net_pause(budget->listener, holder->connection, false);
        }
        if (holder->bytes == 0) {
            remove_holder(budget, place);
        } else {
            place = &holder->next;
        }
    }
    drop_reference(budget);
}

void net_charge_release(struct net_charge *charge)
{
    if (!charge) {
        return;
    }
    struct net_budget *budget = charge->budget;
    struct holder *holder = charge->holder;
    mutex_lock(&budget->mutex);
    budget->bytes -= charge->bytes;
    holder->bytes -= charge->bytes;
    bool is_to_resume = budget->listener && budget->paused && !budget->is_resuming &&
                        (budget->bytes <= budget->max / 2 || holder->bytes == 0);
    if (is_to_resume) {
        budget->is_resuming = true;
        budget->references++;
        loop_post(budget->loop, resume, budget);
    }
    if (holder->bytes == 0 && (!holder->is_paused || !budget->listener)) {
        struct holder **place = &budget->holders;
        while (*place != holder) {
            place = &(*place)->next;
        }
        remove_holder(budget, place);
    }
    free(charge);
    drop_reference(budget);
}
