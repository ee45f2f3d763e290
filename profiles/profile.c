#include "profiles/profile.h"

#include "profiles/tree.h"
#include "runner/base/memory.h"
#include "runner/base/names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_name_byte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '.' || byte == '_' || byte == '-';
}

static bool is_project_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) {
        if (!is_name_byte(name[i])) {
            return false;
        }
    }
    return length > 0 && length <= PROFILE_PROJECT_MAX && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0;
}

bool profile_project_check(const char *project, struct br_error *err)
{
    if (is_project_name(project)) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "'%s' is no project name", project);
    return error_hint(err, "a name has 1 to %d letters, digits, '.', '_' and '-'",
                      PROFILE_PROJECT_MAX);
}

/* http://www.isthe.com/chongo/tech/comp/fnv/, 32 bits, variant 1a. */
static uint32_t fnv_1a(const char *text)
{
    uint32_t hash = 2166136261U;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619U;
    }
    return hash;
}

char *profile_project_default(const char *working_directory)
{
    const char *slash = strrchr(working_directory, '/');
    const char *last = slash ? slash + 1 : working_directory;
    char name[PROFILE_PROJECT_MAX - 8]; /* one byte for the NUL, 9 bytes for the hash */
    size_t length = 0;
    for (; *last && length < sizeof(name) - 1; last++) {
        char byte = is_name_byte(*last) ? *last : '-';
        /* One hyphen for any run of other bytes; none in front, where options have theirs. */
        if (byte != '-' || (length > 0 && name[length - 1] != '-')) {
            name[length++] = byte;
        }
    }
    while (length > 0 && name[length - 1] == '-') {
        length--;
    }
    name[length] = '\0';
    return xasprintf("%s-%08" PRIx32, length ? name : "project", fnv_1a(working_directory));
}

static char *working_directory(struct br_error *err)
{
    char *path = getcwd(NULL, 0);
    if (!path) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "the working directory has no path");
    }
    return path;
}

/* The folder of all projects. Caller frees. */
static char *projects_directory(struct br_error *err)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    /* The XDG specification says that a relative path is to be ignored. */
    if (config && config[0] == '/') {
        return xasprintf("%s/browser-runner/projects", config);
    }
    if (home && home[0] == '/') {
        return xasprintf("%s/.config/browser-runner/projects", home);
    }
    error_set(err, BR_UNKNOWN_ERROR, "there is no place for profiles: HOME is not set");
    error_hint(err, "set HOME, or name a place with ⟨profile⟩ DIR or ⟨temp-profile⟩");
    return NULL;
}

char *profile_project_directory(const char *project, struct br_error *err)
{
    CLEANUP_FREE char *own_project = NULL;
    if (!project) {
        CLEANUP_FREE char *path = working_directory(err);
        if (!path) {
            return NULL;
        }
        own_project = profile_project_default(path);
        project = own_project;
    } else if (!profile_project_check(project, err)) {
        return NULL;
    }
    CLEANUP_FREE char *projects = projects_directory(err);
    return projects ? xasprintf("%s/%s/browser", projects, project) : NULL;
}

char *profile_directory_absolute(const char *directory, struct br_error *err)
{
    if (directory[0] == '\0') {
        error_set(err, BR_INVALID_ACTION, "the profile directory's name is empty");
        return NULL;
    }
    char *real = realpath(directory, NULL);
    if (real || directory[0] == '/') {
        return real ? real : xstrdup(directory);
    }
    CLEANUP_FREE char *path = working_directory(err);
    return path ? xasprintf("%s/%s", path, directory) : NULL;
}

bool profile_prepare(const char *directory, char **ret_notice, struct br_error *err)
{
    *ret_notice = NULL;
    if (!tree_create(directory, err) || !tree_check_writable(directory, err)) {
        return error_hint(err, "see to its rights and to free space, or take another profile with "
                               "⟨profile⟩ DIR or ⟨temp-profile⟩");
    }
    return profile_lock_clear_stale(directory, ret_notice, err);
}

/* "Local State" is written while Chrome runs and when it ends; a headless shell has only Default.
 */
static int64_t last_used_ms(const char *directory)
{
    static const char *const names[] = { "Local State", "Default" };
    int64_t newest = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct stat info;
        CLEANUP_FREE char *path = xasprintf("%s/%s", directory, names[i]);
        if (stat(path, &info) != 0) {
            continue;
        }
        int64_t ms = (int64_t)info.st_mtim.tv_sec * 1000 + info.st_mtim.tv_nsec / 1000000;
        newest = ms > newest ? ms : newest;
    }
    return newest;
}

static int entry_compare(const void *a, const void *b)
{
    return strcmp(((const struct profile_entry *)a)->project,
                  ((const struct profile_entry *)b)->project);
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void list_add(struct profile_list *list, size_t *capacity, const char *projects,
                     const char *project)
{
    CLEANUP_FREE char *directory = xasprintf("%s/%s/browser", projects, project);
    if (!is_project_name(project) || !is_directory(directory)) {
        return;
    }
    struct br_error ignored;
    struct profile_lock lock;
    profile_lock_inspect(directory, &lock, &ignored);
    list->entries = array_reserve(list->entries, list->count, capacity, sizeof(*list->entries));
    struct profile_entry *entry = &list->entries[list->count++];
    *entry = (struct profile_entry){
        .project = xstrdup(project),
        .size_bytes = tree_size(directory),
        .last_used_ms = last_used_ms(directory),
        .lock = lock,
    };
    entry->directory = TAKE(directory);
}

bool profile_list_read(struct profile_list *ret_list, struct br_error *err)
{
    struct profile_list list = { .entries = NULL };
    size_t capacity = 0;
    CLEANUP_FREE char *projects = projects_directory(err);
    if (!projects) {
        return false;
    }
    DIR *directory = opendir(projects);
    if (!directory && errno != ENOENT) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot read '%s'", projects);
    }
    struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory))) {
        list_add(&list, &capacity, projects, entry->d_name);
    }
    if (directory) {
        closedir(directory);
    }
    if (list.count > 0) {
        qsort(list.entries, list.count, sizeof(*list.entries), entry_compare);
    }
    *ret_list = list;
    return true;
}

void profile_list_finish(struct profile_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->entries[i].project);
        free(list->entries[i].directory);
    }
    free(list->entries);
    *list = (struct profile_list){ .entries = NULL };
}

static bool fail_unknown(const char *project, struct br_error *err)
{
    struct br_error ignored;
    struct profile_list list = { .entries = NULL };
    error_set(err, BR_UNKNOWN_ERROR, "there is no profile of a project '%s'", project);
    if (!profile_list_read(&list, &ignored)) {
        return false;
    }
    const char **known = xcalloc(list.count, sizeof(*known));
    for (size_t i = 0; i < list.count; i++) {
        known[i] = list.entries[i].project;
    }
    const char *nearest = names_nearest(project, known, list.count);
    if (nearest) {
        error_hint(err, "did you mean '%s'?", nearest);
    }
    free(known);
    profile_list_finish(&list);
    return false;
}

bool profile_remove(const char *project, struct deadline deadline, struct br_error *err)
{
    CLEANUP_FREE char *directory = profile_project_directory(project, err);
    if (!directory) {
        return false;
    }
    if (!is_directory(directory)) {
        return fail_unknown(project, err);
    }
    CLEANUP_FREE char *notice = NULL;
    if (!profile_lock_clear_stale(directory, &notice, err)) {
        return false;
    }
    /* The project's own folder, which holds nothing but the profile and what belongs to it. */
    *strrchr(directory, '/') = '\0';
    return tree_remove(directory, deadline, err);
}
