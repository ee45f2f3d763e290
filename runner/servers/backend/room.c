#include "runner/servers/backend/room.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <pthread.h>
#include <string.h>

enum {
    MAX_KEPT_BYTES = ROOM_KEPT_BYTES,     /* bytes of answers */
    LINE_COST = 128,                      /* bytes that a line costs here and in a queue */
    MAX_WAITING_BYTES = 64 * 1024 * 1024, /* bytes of texts that have not been processed */
    MAX_WAITING = 1000,
};

/* A line of an answer. */
struct kept {
    struct kept *next;
    uint64_t id;
    size_t length;
    char line[];
};

struct room {
    struct channel *channel;
    struct room_options options;
    pthread_mutex_t mutex;         /* guards the following members */
    struct service_client *client; /* NULL: no client is connected */
    int64_t alone_since_ms;
    struct kept *first, **last;
    size_t kept_bytes;
    uint64_t last_id,
        forgotten_id; /* ids of the newest answer, and of the newest one that is no longer kept */
    size_t waiting, waiting_bytes; /* number and bytes of waiting texts */
    struct waiting {
        size_t length;
        struct net_charge *charge;
    } texts[MAX_WAITING]; /* the waiting texts, a ring */
    size_t oldest;
};

/* Call with the mutex held. */
static void keep(struct room *room, uint64_t id, const char *line, size_t length)
{
    struct kept *kept = xmalloc(sizeof(*kept) + length);
    *kept = (struct kept){ .id = id, .length = length };
    memcpy(kept->line, line, length);
    *room->last = kept;
    room->last = &kept->next;
    room->kept_bytes += length + LINE_COST;
    while (room->kept_bytes > MAX_KEPT_BYTES && room->first != kept) {
        struct kept *oldest = room->first;
        room->first = oldest->next;
        room->kept_bytes -= oldest->length + LINE_COST;
        room->forgotten_id = oldest->id;
        free(oldest);
    }
}

/* Called on any thread. */
static void on_line(void *data, enum channel_line what, uint64_t id, const char *line,
                    size_t length)
{
    struct room *room = data;
    bool is_answer = what == CHANNEL_ANSWER;
    mutex_lock(&room->mutex);
    room->last_id = id > room->last_id ? id : room->last_id;
    if (is_answer && room->options.keeps_answers) {
        /* An error without an id comes behind the answers that the client has. */
        keep(room, id ? id : room->last_id + 1, line, length - 1);
    }
    if (room->client) {
        service_send(room->client, line, length - 1, is_answer ? NET_REPLY : NET_TELEMETRY);
    }
    mutex_unlock(&room->mutex);
}

/* Call with the mutex held. */
static void forget_text(struct room *room)
{
    net_charge_release(room->texts[room->oldest].charge);
    room->waiting_bytes -= room->texts[room->oldest].length;
    room->oldest = (room->oldest + 1) % MAX_WAITING;
    room->waiting--;
}

static void on_done(void *data)
{
    struct room *room = data;
    mutex_lock(&room->mutex);
    forget_text(room);
    mutex_unlock(&room->mutex);
}

struct room *room_open(struct worker *worker, const struct room_options *options)
{
    struct room *room = xcalloc(1, sizeof(*room));
    const struct channel_options channel = {
        .chunk_size = options->chunk_size,
        .has_progress = options->has_progress,
        .handler = { .data = room, .on_line = on_line, .on_done = on_done },
    };
    room->options = *options;
    room->last = &room->first;
    room->alone_since_ms = clock_monotonic_ms();
    pthread_mutex_init(&room->mutex, NULL);
    room->channel = channel_open(worker, &channel);
    return room;
}

void room_close(struct room *room)
{
    if (!room) {
        return;
    }
    channel_close(room->channel);
    while (room->waiting) {
        forget_text(room);
    }
    while (room->first) {
        struct kept *kept = room->first;
        room->first = kept->next;
        free(kept);
    }
    pthread_mutex_destroy(&room->mutex);
    free(room);
}

struct channel *room_channel(struct room *room)
{
    return room->channel;
}

const char *room_name(const struct room *room)
{
    return worker_name(channel_worker(room->channel));
}

uint64_t room_last_id(struct room *room)
{
    mutex_lock(&room->mutex);
    uint64_t last_id = room->last_id;
    mutex_unlock(&room->mutex);
    return last_id;
}

bool room_has_lost(struct room *room, uint64_t after)
{
    mutex_lock(&room->mutex);
    bool has_lost = after < room->forgotten_id;
    mutex_unlock(&room->mutex);
    return has_lost;
}

bool room_connect(struct room *room, struct service_client *client, uint64_t after)
{
    mutex_lock(&room->mutex);
    room->client = client;
    for (const struct kept *kept = room->first; kept; kept = kept->next) {
        if (kept->id > after) {
            service_send(client, kept->line, kept->length, NET_REPLY);
        }
    }
    bool is_whole = after >= room->forgotten_id;
    mutex_unlock(&room->mutex);
    return is_whole;
}

void room_disconnect(struct room *room)
{
    mutex_lock(&room->mutex);
    room->client = NULL;
    room->alone_since_ms = clock_monotonic_ms();
    mutex_unlock(&room->mutex);
}

int64_t room_alone_since_ms(struct room *room)
{
    mutex_lock(&room->mutex);
    int64_t since_ms = room->alone_since_ms;
    mutex_unlock(&room->mutex);
    return since_ms;
}

bool room_feed(struct room *room, struct service_message *message, int64_t begin_ms)
{
    mutex_lock(&room->mutex);
    bool has_room =
        room->waiting < MAX_WAITING && room->waiting_bytes + message->length <= MAX_WAITING_BYTES;
    if (has_room) {
        room->texts[(room->oldest + room->waiting++) % MAX_WAITING] =
            (struct waiting){ message->length, TAKE(message->charge) };
        room->waiting_bytes += message->length;
    }
    mutex_unlock(&room->mutex);
    if (has_room) {
        channel_feed(room->channel, message->text, message->length, begin_ms);
    }
    return has_room;
}
