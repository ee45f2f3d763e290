#include "runner/net/way_out_rules.h"

#include "runner/base/clock.h"
#include "runner/base/memory.h"
#include "runner/base/thread.h"

#include <pthread.h>
#include <string.h>

enum {
    MAX_REFUSALS = 32,    /* number of refusals that are kept */
    EXPLAINED_MS = 30000, /* how long a refusal explains a failure */
};

struct refusal {
    char *host;
    int port;
    bool is_taken;
    int64_t at_ms; /* when it was refused last */
    struct br_error why;
};

struct way_out_rules {
    pthread_mutex_t mutex; /* guards the members below */
    const struct policy **policies;
    size_t policy_count, policy_capacity;
    struct refusal refusals[MAX_REFUSALS]; /* ring buffer */
    size_t refusal_count;                  /* total number, including overwritten ones */
};

struct way_out_rules *way_out_rules_create(void)
{
    struct way_out_rules *rules = xcalloc(1, sizeof(*rules));
    pthread_mutex_init(&rules->mutex, NULL);
    return rules;
}

void way_out_rules_destroy(struct way_out_rules *rules)
{
    for (size_t i = 0; i < MAX_REFUSALS; i++) {
        free(rules->refusals[i].host);
    }
    pthread_mutex_destroy(&rules->mutex);
    free(rules->policies);
    free(rules);
}

static size_t remembered(const struct way_out_rules *rules)
{
    return rules->refusal_count < MAX_REFUSALS ? rules->refusal_count : MAX_REFUSALS;
}

/* Call with the mutex locked. */
static void remember(struct way_out_rules *rules, const char *host, int port,
                     const struct br_error *why)
{
    int64_t now_ms = clock_monotonic_ms();
    for (size_t i = 0; i < remembered(rules); i++) {
        struct refusal *old = &rules->refusals[i];
        if (old->port == port && strcmp(old->host, host) == 0) {
            old->why = *why;
            old->at_ms = now_ms;
            return;
        }
    }
    struct refusal *refusal = &rules->refusals[rules->refusal_count++ % MAX_REFUSALS];
    free(refusal->host);
    *refusal =
        (struct refusal){ .host = xstrdup(host), .port = port, .at_ms = now_ms, .why = *why };
}

bool way_out_rules_allow(struct way_out_rules *rules, const struct url_parts *peer, int port,
                         const struct ip_address *address)
{
    struct br_error why;
    bool result = false;
    mutex_lock(&rules->mutex);
    for (size_t i = 0; i < rules->policy_count && !result; i++) {
        result = policy_check_connection(rules->policies[i], peer, address, &why);
    }
    if (!result && rules->policy_count > 0) {
        remember(rules, peer->host, port, &why);
    }
    mutex_unlock(&rules->mutex);
    return result;
}

void way_out_rules_add(struct way_out_rules *rules, const struct policy *policy)
{
    mutex_lock(&rules->mutex);
    rules->policies = array_reserve(rules->policies, rules->policy_count, &rules->policy_capacity,
                                    sizeof(*rules->policies));
    rules->policies[rules->policy_count++] = policy;
    mutex_unlock(&rules->mutex);
}

void way_out_rules_remove(struct way_out_rules *rules, const struct policy *policy)
{
    mutex_lock(&rules->mutex);
    for (size_t i = 0; i < rules->policy_count; i++) {
        if (rules->policies[i] == policy) {
            rules->policies[i] = rules->policies[--rules->policy_count];
            break;
        }
    }
    mutex_unlock(&rules->mutex);
}

bool way_out_rules_take_refusal(struct way_out_rules *rules, struct br_error *ret_why)
{
    bool is_found = false;
    mutex_lock(&rules->mutex);
    for (size_t i = 0; i < remembered(rules) && !is_found; i++) {
        struct refusal *refusal = &rules->refusals[i];
        is_found = !refusal->is_taken;
        if (is_found) {
            refusal->is_taken = true;
            *ret_why = refusal->why;
        }
    }
    mutex_unlock(&rules->mutex);
    return is_found;
}

bool way_out_rules_explain(struct way_out_rules *rules, const char *url, struct br_error *ret_why)
{
    bool is_found = false;
    int64_t least_ms = clock_monotonic_ms() - EXPLAINED_MS;
    struct url_parts parts;
    if (!url_parts_read(url, &parts)) {
        return false;
    }
    mutex_lock(&rules->mutex);
    for (size_t i = 0; i < remembered(rules) && !is_found; i++) {
        struct refusal *refusal = &rules->refusals[i];
        is_found = refusal->at_ms >= least_ms && refusal->port == parts.port &&
                   strcmp(refusal->host, parts.host) == 0;
        if (is_found) {
            refusal->is_taken = true;
            *ret_why = refusal->why;
        }
    }
    mutex_unlock(&rules->mutex);
    return is_found;
}
