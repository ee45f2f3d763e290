/* Shared by tests of profiles/: temporary directories, and processes that stand for browsers. */
#ifndef TESTS_UNIT_PROFILE_PLACE_H
#define TESTS_UNIT_PROFILE_PLACE_H

#include "profiles/profile.h"
#include "runner/base/memory.h"
#include "tests/slowness.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A test between place_create and place_destroy. */
#define PLACE_TEST(test) cmocka_unit_test_setup_teardown(test, place_create, place_destroy)

/* The script of a process that waits to be killed. */
#define STOPPED "kill -STOP $$"

/* A temporary directory, which HOME, XDG_CONFIG_HOME and TMPDIR refer to. */
struct place {
    char root[32];
    char *config;
    char *tmp;           /* the root itself: run directories have long names */
    char *profile;       /* of a project "shop"; not created */
    pid_t processes[16]; /* started and not ended yet; 0 is a free entry */
};

int place_create(void **state);

/* Ends the processes and removes the directory. */
int place_destroy(void **state);

/* Fails the test unless the text begins and ends like messages and hints. */
void assert_style(const char *text);

bool exists(const char *directory, const char *name);
void write_file(const char *directory, const char *name, size_t size);
void make_link(const char *target, const char *directory, const char *name);
void make_tree(const char *path);

/* Returns "--user-data-dir=<path>"; caller frees. */
char *directory_switch(const char *path);

/* The processes belong to the place; the test, or its end, kills them. */
struct process_options {
    const char *script;   /* for sh; NULL: STOPPED */
    const char *name;     /* argv[0]; NULL: "chrome" */
    const char *argument; /* NULL: none */
    bool is_leader;       /* leads a process group of its own */
};

/* Returns when its arguments can be read. */
pid_t process_start(struct place *place, const struct process_options *options);

/* Kills the process and its own process group. */
void process_end(struct place *place, pid_t pid);

/* Returns the status from waitpid of a process that has ended. */
int process_reap(struct place *place, pid_t pid);

pid_t dead_pid(struct place *place);

/* Gives the place's profile a lock of that process, with a socket that does not exist. */
void lock_set(const struct place *place, const char *host, int pid);

/* Returns this host's name. Static storage. */
const char *host_name(void);

size_t open_descriptors(void);

#endif
