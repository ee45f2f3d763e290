#include "runner/cdp/targets.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <pthread.h>
#include <string.h>

enum {
    TURN_MS = 3000,    /* for a frame; then its page has a script that does not end */
    LEAVING_MS = 3000, /* for the last page to leave; it writes one command */
};

struct owned {
    char *target_id;
    const void *owner;
};

struct member {
    const void *owner;
    char *context_id; /* NULL: the profile's */
    char *downloads;  /* directory; NULL: downloads are refused */
    bool is_making;
    bool is_client; /* a client of the relay */
};

struct targets {
    pthread_mutex_t mutex; /* guards the members below */
    struct owned *owned;
    size_t owned_count, owned_capacity;
    struct member *members;
    size_t member_count, member_capacity;
    bool is_settled;
    bool holds_new;
    bool makes_one;          /* only one owner creates a tab at a time */
    bool is_leaving;         /* between targets_begin_leaving() and targets_end_leaving() */
    const void *drawer;      /* whose frame is drawn; NULL: none */
    struct deadline turn;    /* end of its turn */
    pthread_cond_t is_drawn; /* that has ended */
    pthread_cond_t is_made;  /* an owner has finished creating a tab, or has left */
    pthread_cond_t has_left; /* is_leaving is false again */
};

struct targets *targets_create(void)
{
    struct targets *targets = xcalloc(1, sizeof(*targets));
    pthread_mutex_init(&targets->mutex, NULL);
    condition_init(&targets->is_made);
    condition_init(&targets->has_left);
    condition_init(&targets->is_drawn);
    return targets;
}

static void forget_owned(struct targets *targets, size_t index)
{
    free(targets->owned[index].target_id);
    targets->owned[index] = targets->owned[--targets->owned_count];
}

static void forget_member(struct targets *targets, size_t index)
{
    free(targets->members[index].context_id);
    free(targets->members[index].downloads);
    targets->members[index] = targets->members[--targets->member_count];
}

void targets_destroy(struct targets *targets)
{
    if (!targets) {
        return;
    }
    while (targets->owned_count) {
        forget_owned(targets, 0);
    }
    while (targets->member_count) {
        forget_member(targets, 0);
    }
    free(targets->owned);
    free(targets->members);
    pthread_cond_destroy(&targets->has_left);
    pthread_cond_destroy(&targets->is_made);
    pthread_cond_destroy(&targets->is_drawn);
    pthread_mutex_destroy(&targets->mutex);
    free(targets);
}

static struct member *find_member(const struct targets *targets, const void *owner)
{
    for (size_t i = 0; i < targets->member_count; i++) {
        if (targets->members[i].owner == owner) {
            return &targets->members[i];
        }
    }
    return NULL;
}

static struct owned *find_owned(const struct targets *targets, const char *target_id)
{
    for (size_t i = 0; target_id && i < targets->owned_count; i++) {
        if (strcmp(targets->owned[i].target_id, target_id) == 0) {
            return &targets->owned[i];
        }
    }
    return NULL;
}

static void join(struct targets *targets, const void *owner, const char *context_id, bool is_client)
{
    struct deadline deadline = deadline_in_ms(LEAVING_MS);
    mutex_lock(&targets->mutex);
    while (targets->is_leaving && !is_client &&
           condition_wait(&targets->has_left, &targets->mutex, deadline)) {
    }
    targets->members = array_reserve(targets->members, targets->member_count,
                                     &targets->member_capacity, sizeof(*targets->members));
    targets->members[targets->member_count++] = (struct member){ .owner = owner,
                                                                 .context_id = xstrdup(context_id),
                                                                 .is_client = is_client };
    mutex_unlock(&targets->mutex);
}

void targets_join(struct targets *targets, const void *owner, const char *context_id)
{
    join(targets, owner, context_id, false);
}

void targets_join_client(struct targets *targets, const void *owner, const char *context_id)
{
    join(targets, owner, context_id, true);
}

/* Whether a page of ours has joined. Requires the mutex. */
static bool has_pages(const struct targets *targets)
{
    bool has_pages = false;
    for (size_t i = 0; i < targets->member_count; i++) {
        has_pages |= !targets->members[i].is_client;
    }
    return has_pages;
}

static void end_frame(struct targets *targets, const void *owner)
{
    if (targets->drawer == owner) {
        targets->drawer = NULL;
        pthread_cond_signal(&targets->is_drawn);
    }
}

/* Requires the mutex. */
static void leave(struct targets *targets, const void *owner)
{
    for (size_t i = targets->owned_count; i-- > 0;) {
        if (targets->owned[i].owner == owner) {
            forget_owned(targets, i);
        }
    }
    struct member *member = find_member(targets, owner);
    if (member) {
        forget_member(targets, (size_t)(member - targets->members));
    }
    end_frame(targets, owner);
    targets->holds_new &= has_pages(targets);
    targets->makes_one &= has_pages(targets);
    pthread_cond_broadcast(&targets->is_made);
}

void targets_leave(struct targets *targets, const void *owner)
{
    mutex_lock(&targets->mutex);
    leave(targets, owner);
    mutex_unlock(&targets->mutex);
}

bool targets_begin_leaving(struct targets *targets, const void *owner)
{
    mutex_lock(&targets->mutex);
    bool were_held = targets->holds_new;
    leave(targets, owner);
    bool is_last = were_held && !has_pages(targets);
    targets->is_leaving |= is_last;
    mutex_unlock(&targets->mutex);
    return is_last;
}

void targets_end_leaving(struct targets *targets)
{
    mutex_lock(&targets->mutex);
    targets->is_leaving = false;
    pthread_cond_broadcast(&targets->has_left);
    mutex_unlock(&targets->mutex);
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool targets_is_alone(struct targets *targets, const void *owner)
{
    bool is_alone = true;
    mutex_lock(&targets->mutex);
    const struct member *own = find_member(targets, owner);
    for (size_t i = 0; i < targets->member_count && own; i++) {
        const struct member *other = &targets->members[i];
        is_alone = is_alone && (other == own || !is_same(other->context_id, own->context_id));
    }
    mutex_unlock(&targets->mutex);
    return is_alone;
}

bool targets_take_downloads(struct targets *targets, const void *owner, const char *directory,
                            char **ret_present)
{
    const char *present = NULL;
    mutex_lock(&targets->mutex);
    struct member *own = find_member(targets, owner);
    for (size_t i = 0; i < targets->member_count && own; i++) {
        const struct member *other = &targets->members[i];
        if (other != own && other->downloads && is_same(other->context_id, own->context_id)) {
            present = other->downloads;
        }
    }
    *ret_present = xstrdup(present);
    bool is_taken = own && (!directory || !present || strcmp(directory, present) == 0);
    if (is_taken) {
        free(own->downloads);
        own->downloads = xstrdup(directory);
    }
    mutex_unlock(&targets->mutex);
    return is_taken;
}

bool targets_profile_downloads(struct targets *targets, char **ret_directory)
{
    const char *directory = NULL;
    bool is_known = false;
    mutex_lock(&targets->mutex);
    for (size_t i = 0; i < targets->member_count; i++) {
        const struct member *member = &targets->members[i];
        if (!member->is_client && !member->context_id) {
            is_known = true;
            directory = member->downloads ? member->downloads : directory;
        }
    }
    *ret_directory = xstrdup(directory);
    mutex_unlock(&targets->mutex);
    return is_known;
}

static void add_owned(struct targets *targets, const char *target_id, const void *owner)
{
    targets->owned = array_reserve(targets->owned, targets->owned_count, &targets->owned_capacity,
                                   sizeof(*targets->owned));
    targets->owned[targets->owned_count++] =
        (struct owned){ .target_id = xstrdup(target_id), .owner = owner };
}

bool targets_claim(struct targets *targets, const char *target_id, const void *owner)
{
    mutex_lock(&targets->mutex);
    const struct owned *owned = find_owned(targets, target_id);
    bool is_own = !owned || owned->owner == owner;
    if (!owned) {
        add_owned(targets, target_id, owner);
    }
    mutex_unlock(&targets->mutex);
    return is_own;
}

void targets_release(struct targets *targets, const char *target_id, const void *owner)
{
    mutex_lock(&targets->mutex);
    const struct owned *owned = find_owned(targets, target_id);
    if (owned && owned->owner == owner) {
        forget_owned(targets, (size_t)(owned - targets->owned));
    }
    mutex_unlock(&targets->mutex);
}

const void *targets_owner(struct targets *targets, const char *target_id, const char *opener_id)
{
    mutex_lock(&targets->mutex);
    const struct owned *owned = find_owned(targets, target_id);
    const struct owned *opener = find_owned(targets, opener_id);
    const void *owner = owned ? owned->owner : opener ? opener->owner : NULL;
    if (!owned && owner) {
        add_owned(targets, target_id, owner);
    }
    mutex_unlock(&targets->mutex);
    return owner;
}

/* Whether another owner is creating a tab. Requires the mutex. */
static bool others_make(const struct targets *targets, const void *owner)
{
    bool is_making = false;
    for (size_t i = 0; i < targets->member_count; i++) {
        is_making |= targets->members[i].is_making && targets->members[i].owner != owner;
    }
    return is_making;
}

static void set_making(struct targets *targets, const void *owner, bool is_making)
{
    struct member *member = find_member(targets, owner);
    if (member) {
        member->is_making = is_making;
    }
}

void targets_begin_making(struct targets *targets, const void *owner, bool is_held,
                          struct deadline deadline)
{
    mutex_lock(&targets->mutex);
    targets->makes_one |= is_held;
    while (targets->makes_one && others_make(targets, owner) &&
           condition_wait(&targets->is_made, &targets->mutex, deadline)) {
    }
    set_making(targets, owner, true);
    mutex_unlock(&targets->mutex);
}

void targets_end_making(struct targets *targets, const void *owner)
{
    mutex_lock(&targets->mutex);
    set_making(targets, owner, false);
    pthread_cond_broadcast(&targets->is_made);
    mutex_unlock(&targets->mutex);
}

bool targets_begin_frame(struct targets *targets, const void *owner, struct deadline deadline)
{
    mutex_lock(&targets->mutex);
    while (targets->drawer && !deadline_passed(targets->turn) && !deadline_passed(deadline)) {
        condition_wait(&targets->is_drawn, &targets->mutex,
                       deadline_earlier(targets->turn, deadline));
    }
    bool has_turn = !targets->drawer || deadline_passed(targets->turn);
    if (has_turn) {
        targets->drawer = owner;
        targets->turn = deadline_in_ms(TURN_MS);
    }
    mutex_unlock(&targets->mutex);
    return has_turn;
}

void targets_end_frame(struct targets *targets, const void *owner)
{
    mutex_lock(&targets->mutex);
    end_frame(targets, owner);
    mutex_unlock(&targets->mutex);
}

bool targets_is_making(struct targets *targets, const void *owner)
{
    mutex_lock(&targets->mutex);
    bool is_making = others_make(targets, owner);
    mutex_unlock(&targets->mutex);
    return is_making;
}

bool targets_is_making_in(struct targets *targets, const char *context_id)
{
    bool is_making = false;
    pthread_mutex_lock(&targets->mutex);
    for (size_t i = 0; i < targets->member_count; i++) {
        const struct member *member = &targets->members[i];
        is_making |= member->is_making && is_same(member->context_id, context_id);
    }
    pthread_mutex_unlock(&targets->mutex);
    return is_making;
}

static void set_settled(struct targets *targets, bool is_settled)
{
    mutex_lock(&targets->mutex);
    targets->is_settled = is_settled;
    mutex_unlock(&targets->mutex);
}

bool targets_hold(struct targets *targets, bool is_wanted)
{
    mutex_lock(&targets->mutex);
    targets->holds_new |= is_wanted;
    bool are_held = targets->holds_new;
    mutex_unlock(&targets->mutex);
    return are_held;
}

bool targets_are_held(struct targets *targets)
{
    return targets_hold(targets, false);
}

bool targets_has_leftovers(struct targets *targets)
{
    mutex_lock(&targets->mutex);
    bool has_leftovers = !targets->is_settled;
    mutex_unlock(&targets->mutex);
    return has_leftovers;
}

void targets_settle(struct targets *targets)
{
    set_settled(targets, true);
}

void targets_lose(struct targets *targets)
{
    set_settled(targets, false);
}
