#include "runner/checks/select.h"

#include "runner/base/memory.h"
#include "runner/checks/report/results.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool select_matches(const char *wanted, const char *id, const char *name)
{
    return strcmp(wanted, name) == 0 || fnmatch(wanted, id, 0) == 0 ||
           fnmatch(wanted, name, 0) == 0;
}

static bool has_name(const struct suite_check *check, const char *const *names)
{
    bool is_found = !names || !names[0];
    for (size_t i = 0; names && names[i]; i++) {
        is_found |= strstr(check->id, names[i]) || select_matches(names[i], check->id, check->name);
    }
    return is_found;
}

static bool has_tag(const struct suite_check *check, const char *const *tags)
{
    bool is_found = !tags || !tags[0];
    for (size_t i = 0; tags && tags[i]; i++) {
        for (size_t j = 0; check->tags[j]; j++) {
            is_found |= strcmp(tags[i], check->tags[j]) == 0;
        }
    }
    return is_found;
}

/*
 * Returns how long each check took in the earlier run; a check that is not in it gets the average.
 * Caller frees.
 */
static double *times_of(const json_t *timings, const struct suite_check *const *checks,
                        size_t count)
{
    double *times = xcalloc(count + 1, sizeof(*times));
    json_auto_t *known = json_object();
    double sum = 0;
    size_t index, found = 0;
    json_t *entry;
    json_array_foreach (results_checks(timings), index, entry) {
        json_object_set(known, results_text(entry, "id"), json_object_get(entry, "durationMs"));
    }
    for (size_t i = 0; i < count; i++) {
        times[i] = json_number_value(json_object_get(known, checks[i]->id));
        sum += times[i];
        found += times[i] > 0;
    }
    for (size_t i = 0; i < count; i++) {
        times[i] = times[i] > 0 ? times[i] : found ? sum / (double)found : 1;
    }
    return times;
}

static size_t lightest(const double *loads, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        best = loads[i] < loads[best] ? i : best;
    }
    return best;
}

/* Returns the longest check without a shard; `count` if all have one. */
static size_t longest(const double *times, const int *shards, size_t count)
{
    size_t best = count;
    for (size_t i = 0; i < count; i++) {
        if (!shards[i] && (best == count || times[i] > times[best])) {
            best = i;
        }
    }
    return best;
}

/*
 * Returns the shard of each check, from 1: by the times of an earlier run, the longest first and
 * each to the shard with the least total; otherwise in turn. Caller frees.
 */
static int *deal(const struct select_options *options, const struct suite_check *const *checks,
                 size_t count)
{
    int *shards = xcalloc(count + 1, sizeof(*shards));
    size_t total = options->shard_total ? (size_t)options->shard_total : 1;
    int turn = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_in_turn = checks[i]->is_skipped || !options->timings;
        shards[i] = checks[i]->is_skipped ? 1 : is_in_turn ? 1 + turn++ % (int)total : 0;
    }
    CLEANUP_FREE double *times = times_of(options->timings, checks, count);
    CLEANUP_FREE double *loads = xcalloc(total, sizeof(*loads));
    for (size_t at; (at = longest(times, shards, count)) < count;) {
        size_t shard = lightest(loads, total);
        shards[at] = 1 + (int)shard;
        loads[shard] += times[at];
    }
    return shards;
}

/* Computes FNV-1a, 64 bits, over the assignment of checks to shards. */
static void fingerprint(const int *shards, const struct suite_check *const *checks, size_t count,
                        char ret_deal[17])
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < count; i++) {
        CLEANUP_FREE char *line = xasprintf("%s %d\n", checks[i]->id, shards[i]);
        for (const char *at = line; *at; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
        }
    }
    snprintf(ret_deal, 17, "%016" PRIx64, hash);
}

bool select_checks(const struct suite *suite, const struct select_options *options,
                   struct selection *ret_selection, struct br_error *err)
{
    struct selection selection = { .checks =
                                       xcalloc(suite->check_count + 1, sizeof(*selection.checks)) };
    size_t count = 0;
    for (size_t i = 0; i < suite->check_count; i++) {
        const struct suite_check *check = &suite->checks[i];
        if (has_name(check, options->names) && has_tag(check, options->tags)) {
            selection.checks[count++] = check;
        }
    }
    if (count == 0) {
        selection_finish(&selection);
        error_set(err, BR_INVALID_ACTION, "no check is selected");
        return error_hint(err, "--filter and --tag match no check of the suite");
    }
    CLEANUP_FREE int *shards = deal(options, selection.checks, count);
    fingerprint(shards, selection.checks, count, selection.deal);
    for (size_t i = 0; i < count; i++) {
        if (!options->shard_total || shards[i] == options->shard_index) {
            selection.checks[selection.count++] = selection.checks[i];
        }
    }
    *ret_selection = selection;
    return true;
}

void selection_finish(struct selection *selection)
{
    free(selection->checks);
    *selection = (struct selection){ 0 };
}
