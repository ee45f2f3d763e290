#include "tests/unit/profile_place.h"

#include "profiles/tree.h"
#include "runner/base/platform.h"

#include <ctype.h>
#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int place_create(void **state)
{
    struct place *place = xcalloc(1, sizeof(*place));
    snprintf(place->root, sizeof(place->root), "/tmp/XXXXXX");
    assert_non_null(mkdtemp(place->root));
    place->config = xasprintf("%s/config", place->root);
    place->tmp = xstrdup(place->root);
    place->profile = xasprintf("%s/browser-runner/projects/shop/browser", place->config);
    setenv("HOME", place->root, 1);
    setenv("XDG_CONFIG_HOME", place->config, 1);
    setenv("TMPDIR", place->tmp, 1);
    *state = place;
    return 0;
}

int place_destroy(void **state)
{
    struct br_error err;
    struct place *place = *state;
    for (size_t i = 0; i < COUNT(place->processes); i++) {
        if (place->processes[i]) {
            process_end(place, place->processes[i]);
        }
    }
    assert_true(tree_remove(place->root, deadline_in_ms(slow_ms(20000)), &err));
    free(place->config);
    free(place->tmp);
    free(place->profile);
    free(place);
    return 0;
}

void assert_style(const char *text)
{
    assert_non_null(text);
    assert_true(text[0] != '\0' && !isupper((unsigned char)text[0]));
    assert_int_not_equal(text[strlen(text) - 1], '.');
}

bool exists(const char *directory, const char *name)
{
    struct stat info;
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    return lstat(path, &info) == 0;
}

void write_file(const char *directory, const char *name, size_t size)
{
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    for (size_t i = 0; i < size; i++) {
        fputc('x', file);
    }
    assert_int_equal(fclose(file), 0);
}

void make_link(const char *target, const char *directory, const char *name)
{
    CLEANUP_FREE char *path = xasprintf("%s/%s", directory, name);
    assert_int_equal(symlink(target, path), 0);
}

void make_tree(const char *path)
{
    struct br_error err;
    assert_true(tree_create(path, &err));
}

char *directory_switch(const char *path)
{
    return xasprintf("--user-data-dir=%s", path);
}

/* Finds the entry of a process; 0 finds a free one. */
static pid_t *process_find(struct place *place, pid_t pid)
{
    for (size_t i = 0; i < COUNT(place->processes); i++) {
        if (place->processes[i] == pid) {
            return &place->processes[i];
        }
    }
    fail();
    return NULL;
}

pid_t process_start(struct place *place, const struct process_options *options)
{
    /* It stops first, so that the caller can wait until its arguments are readable. */
    CLEANUP_FREE char *script =
        options->script ? xasprintf(STOPPED "; %s", options->script) : xstrdup(STOPPED);
    char *argv[] = {
        (char *)(options->name ? options->name : "chrome"),
        (char *)"-c",
        script,
        (char *)"sh",
        (char *)options->argument,
        NULL,
    };
    char *environment[] = { (char *)"PATH=/usr/bin:/bin", NULL };
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, options->is_leader ? POSIX_SPAWN_SETPGROUP : 0);
    pid_t pid = 0;
    pid_t *noted = process_find(place, 0);
    assert_int_equal(posix_spawn(&pid, "/bin/sh", NULL, &attributes, argv, environment), 0);
    posix_spawnattr_destroy(&attributes);
    *noted = pid;
    int status = 0;
    assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
    assert_true(WIFSTOPPED(status));
    if (options->script) {
        kill(pid, SIGCONT);
    }
    return pid;
}

void process_end(struct place *place, pid_t pid)
{
    kill(getpgid(pid) == pid ? -pid : pid, SIGKILL);
    process_reap(place, pid);
}

int process_reap(struct place *place, pid_t pid)
{
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    *process_find(place, pid) = 0;
    return status;
}

pid_t dead_pid(struct place *place)
{
    pid_t pid = process_start(place, &(struct process_options){ .name = "sh" });
    process_end(place, pid);
    return pid;
}

void lock_set(const struct place *place, const char *host, int pid)
{
    static const char *const names[] = { "SingletonLock", "SingletonSocket", "SingletonCookie" };
    CLEANUP_FREE char *target = xasprintf("%s-%d", host, pid);
    make_tree(place->profile);
    for (size_t i = 0; i < COUNT(names); i++) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", place->profile, names[i]);
        unlink(path);
        make_link(i == 0 ? target : "/nowhere", place->profile, names[i]);
    }
}

const char *host_name(void)
{
    static char name[256];
    assert_true(platform_host_name(name, sizeof(name)));
    return name;
}

size_t open_descriptors(void)
{
    size_t count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}
