#include "runner/checks/select.h"

#include "runner/base/memory.h"

#include <fnmatch.h>
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

bool select_checks(const struct suite *suite, const struct check_options *options,
                   struct selection *ret_selection, struct br_error *err)
{
    struct selection selection = { .checks =
                                       xcalloc(suite->check_count + 1, sizeof(*selection.checks)) };
    int turn = 0;
    bool is_any = false;
    for (size_t i = 0; i < suite->check_count; i++) {
        const struct suite_check *check = &suite->checks[i];
        if (!has_name(check, options->names) || !has_tag(check, options->tags)) {
            continue;
        }
        is_any = true;
        int shard =
            check->is_skipped || !options->shard_total ? 1 : 1 + turn++ % options->shard_total;
        if (!options->shard_total || shard == options->shard_index) {
            selection.checks[selection.count++] = check;
        }
    }
    if (selection.count == 0) {
        selection_finish(&selection);
        error_set(err, BR_INVALID_ACTION,
                  is_any ? "shard %d of %d has no check" : "no check is left", options->shard_index,
                  options->shard_total);
        return error_hint(err, is_any ? "take fewer shards"
                                      : "--filter and --tag leave none of those in the suite");
    }
    *ret_selection = selection;
    return true;
}

void selection_finish(struct selection *selection)
{
    free(selection->checks);
    *selection = (struct selection){ 0 };
}
