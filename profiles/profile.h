/*
 * Where persistent profiles live:
 * ${XDG_CONFIG_HOME:-~/.config}/browser-runner/projects/<project>/browser
 */
#ifndef PROFILES_PROFILE_H
#define PROFILES_PROFILE_H

#include "profiles/lock.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PROFILE_PROJECT_MAX = 100 };

/*
 * BR_INVALID_ACTION unless the name is 1 to PROFILE_PROJECT_MAX bytes of ASCII letters, digits,
 * '.',
 * '_' and '-', and neither "." nor "..".
 */
bool profile_project_check(const char *project, struct br_error *err);

/*
 * The project of a working directory (an absolute path): its last name, made valid, "-" and 8 hex
 * digits of the path's FNV-1a hash. Caller frees.
 */
char *profile_project_default(const char *working_directory);

/*
 * The profile directory of a project; NULL stands for the present working directory's. Nothing is
 * created. Caller frees; NULL with an error.
 */
char *profile_project_directory(const char *project, struct br_error *err);

/* The absolute path of a directory that a user named; it need not exist. Caller frees. */
char *profile_directory_absolute(const char *directory, struct br_error *err);

/*
 * To be called before a browser is started on the directory: creates it (mode 0700, with its
 * parents), checks that it can be written to, and clears a stale lock; see
 * profile_lock_clear_stale, also for *ret_notice.
 */
bool profile_prepare(const char *directory, char **ret_notice, struct br_error *err);

/* A project that has a profile. */
struct profile_entry {
    char *project;
    char *directory;
    uint64_t size_bytes;      /* on the disk */
    int64_t last_used_ms;     /* since 1970: when a browser last wrote its state; 0 if never */
    struct profile_lock lock; /* in use or not */
};

struct profile_list {
    struct profile_entry *entries; /* by project name */
    size_t count;
};

/* All projects that have a profile. On success the caller ends the list with profile_list_finish.
 */
bool profile_list_read(struct profile_list *ret_list, struct br_error *err);
void profile_list_finish(struct profile_list *list);

/*
 * Removes a project with its profile. BR_PROFILE_IN_USE while a browser holds it; BR_UNKNOWN_ERROR
 * when there is none, with the nearest name in the hint.
 */
bool profile_remove(const char *project, struct deadline deadline, struct br_error *err);

#endif
