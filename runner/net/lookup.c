#include "runner/net/lookup.h"

#include "runner/base/memory.h"
#include "runner/base/thread.h"
#include "runner/base/url_parts.h"

#include <fnmatch.h>
#include <netdb.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Shared by its thread and the caller; the last of the two frees it. */
struct lookup {
    char host[URL_MAX_HOST + 1];
    int flags;
    void (*on_done)(void *data);
    void *data;
    pthread_mutex_t mutex; /* guards the following members */
    pthread_cond_t answered;
    bool is_done, is_released;
    int failure; /* result of getaddrinfo() */
    struct lookup_addresses addresses;
};

static void lookup_free(struct lookup *lookup)
{
    pthread_cond_destroy(&lookup->answered);
    pthread_mutex_destroy(&lookup->mutex);
    free(lookup);
}

static int resolve(const struct lookup *lookup, struct lookup_addresses *addresses)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = lookup->flags };
    struct addrinfo *list = NULL;
    int failure = getaddrinfo(lookup->host, NULL, &hints, &list);
    for (struct addrinfo *at = list; at && addresses->count < LOOKUP_MAX_ADDRESSES;
         at = at->ai_next) {
        char *item = addresses->items[addresses->count];
        if (getnameinfo(at->ai_addr, at->ai_addrlen, item, sizeof(addresses->items[0]), NULL, 0,
                        NI_NUMERICHOST) == 0) {
            addresses->count++;
        }
    }
    if (list) {
        freeaddrinfo(list);
    }
    return failure;
}

static void *run(void *data)
{
    struct lookup *lookup = data;
    struct lookup_addresses addresses = { 0 };
    int failure = resolve(lookup, &addresses);
    pthread_mutex_lock(&lookup->mutex);
    lookup->addresses = addresses;
    lookup->failure = failure;
    lookup->is_done = true;
    bool is_released = lookup->is_released;
    if (lookup->on_done && !is_released) {
        lookup->on_done(lookup->data);
    }
    pthread_cond_signal(&lookup->answered);
    pthread_mutex_unlock(&lookup->mutex);
    if (is_released) {
        lookup_free(lookup);
    }
    return NULL;
}

struct lookup *lookup_start(const char *host, int flags, void (*on_done)(void *data), void *data)
{
    struct lookup *lookup = xcalloc(1, sizeof(*lookup));
    pthread_t thread;
    lookup->flags = flags;
    lookup->on_done = on_done;
    lookup->data = data;
    condition_init(&lookup->answered);
    pthread_mutex_init(&lookup->mutex, NULL);
    snprintf(lookup->host, sizeof(lookup->host), "%s", host);
    if (thread_start(&thread, run, lookup) != 0) {
        lookup_free(lookup);
        return NULL;
    }
    pthread_detach(thread);
    return lookup;
}

bool lookup_wait(struct lookup *lookup, struct deadline deadline)
{
    pthread_mutex_lock(&lookup->mutex);
    while (!lookup->is_done && condition_wait(&lookup->answered, &lookup->mutex, deadline)) {
    }
    bool is_done = lookup->is_done;
    pthread_mutex_unlock(&lookup->mutex);
    return is_done;
}

int lookup_answer(struct lookup *lookup, struct lookup_addresses *ret_addresses)
{
    pthread_mutex_lock(&lookup->mutex);
    *ret_addresses = lookup->addresses;
    int failure = lookup->failure;
    pthread_mutex_unlock(&lookup->mutex);
    return failure;
}

bool lookup_release(struct lookup *lookup)
{
    pthread_mutex_lock(&lookup->mutex);
    bool is_done = lookup->is_done;
    lookup->is_released = true;
    pthread_mutex_unlock(&lookup->mutex);
    if (is_done) {
        lookup_free(lookup);
    }
    return is_done;
}

void lookup_map(const char *mapping, char *host, size_t size, int *port)
{
    CLEANUP_FREE char *copy = xstrdup(mapping ? mapping : "");
    CLEANUP_FREE char *mapped = NULL;
    char *rest = NULL;
    for (char *rule = strtok_r(copy, ",", &rest); rule; rule = strtok_r(NULL, ",", &rest)) {
        char *words = NULL;
        const char *verb = strtok_r(rule, " \t", &words);
        const char *pattern = strtok_r(NULL, " \t", &words);
        const char *target = strtok_r(NULL, " \t", &words);
        if (!pattern || fnmatch(pattern, host, FNM_CASEFOLD) != 0) {
            continue;
        }
        if (strcasecmp(verb, "EXCLUDE") == 0) {
            return;
        }
        if (strcasecmp(verb, "MAP") == 0 && target && !mapped) {
            mapped = xstrdup(target);
        }
    }
    struct url_parts parts;
    CLEANUP_FREE char *url = mapped ? xasprintf("http://%s/", mapped) : NULL;
    if (url && (strpbrk(mapped, "~^") || !url_parts_read(url, &parts))) {
        *host = '\0';
    } else if (url) {
        snprintf(host, size, "%s", parts.host);
        *port = strrchr(mapped, ':') > strrchr(mapped, ']') ? parts.port : *port;
    }
}
