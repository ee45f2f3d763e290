#include "profiles/profile.h"

#include "runner/base/memory.h"
#include "runner/cli/command.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { REMOVE_MS = 10000 };

static bool list(struct br_error *err)
{
    struct profile_list profiles;
    if (!profile_list_read(&profiles, err)) {
        return false;
    }
    for (size_t i = 0; i < profiles.count; i++) {
        const struct profile_entry *entry = &profiles.entries[i];
        char used[32] = "never";
        time_t seconds = (time_t)(entry->last_used_ms / 1000);
        struct tm local;
        if (seconds && localtime_r(&seconds, &local)) {
            strftime(used, sizeof(used), "%Y-%m-%d %H:%M", &local);
        }
        printf("%s\t%.1f MB\t%s\t%s\t%s\n", entry->project, (double)entry->size_bytes / 1e6, used,
               entry->lock.state == PROFILE_LOCK_HELD ? "in use" : "free", entry->directory);
    }
    profile_list_finish(&profiles);
    return true;
}

static bool print_path(const char *project, struct br_error *err)
{
    CLEANUP_FREE char *directory = profile_project_directory(project, err);
    if (!directory) {
        return false;
    }
    puts(directory);
    return true;
}

static bool remove_project(const char *project, struct br_error *err)
{
    return profile_remove(project, deadline_in_ms(REMOVE_MS), err);
}

static bool unlock(const char *project, struct br_error *err)
{
    CLEANUP_FREE char *directory = profile_project_directory(project, err);
    CLEANUP_FREE char *notice = NULL;
    return directory && profile_lock_break(directory, &notice, err);
}

static int run_profile(struct cli_options *options)
{
    const char *verb = options->operands[0];
    const char *project = options->operand_count > 1 ? options->operands[1] : NULL;
    struct br_error err = { 0 };
    bool is_done = false;
    if (strcmp(verb, "list") == 0 && !project) {
        is_done = list(&err);
    } else if (strcmp(verb, "path") == 0) {
        is_done = print_path(project, &err);
    } else if (strcmp(verb, "remove") == 0 && project) {
        is_done = remove_project(project, &err);
    } else if (strcmp(verb, "unlock") == 0 && project) {
        is_done = unlock(project, &err);
    } else {
        error_set(&err, BR_INVALID_ACTION, "profile %s%s is unknown", verb,
                  project ? " PROJECT" : "");
        error_hint(&err, "usage: browser-runner profile %s", command_profile.operands);
    }
    if (!is_done) {
        cli_print_error(&err);
        return cli_exit_code(&err);
    }
    return EXIT_SUCCESS;
}

const struct command command_profile = {
    .name = "profile",
    .operands = "list | path [PROJECT] | remove PROJECT | unlock PROJECT",
    .summary = "Shows, removes and unlocks the persistent profiles",
    .description = "list prints one line for each project: name, size, last use, state, directory, "
                   "separated by tabs. path prints the directory of a project's profile, by "
                   "default that of the current directory; it need not exist yet. remove deletes a "
                   "profile that no browser uses. unlock removes the lock that a browser on "
                   "another host, or in a container that no longer exists, left behind.",
    .examples = "  browser-runner profile list\n  browser-runner profile path shop\n",
    .words = "list path remove unlock",
    .min_operands = 1,
    .max_operands = 2,
    .run = run_profile,
};
