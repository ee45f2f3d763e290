#include "profiles/lock.h"

#include "tests/unit/profile_place.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static enum profile_lock_state lock_state(const struct place *place)
{
    struct br_error err;
    struct profile_lock lock;
    assert_true(profile_lock_inspect(place->profile, &lock, &err));
    return lock.state;
}

/* Starts a process whose arguments contain the place's profile. */
static pid_t browser_start(struct place *place)
{
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    return process_start(place, &(struct process_options){ .argument = ours });
}

/* Checks that no link is left in the profile, nor its renamed copy. */
static void assert_unlocked(const struct place *place)
{
    CLEANUP_FREE char *aside = xasprintf("SingletonLock.%d", (int)getpid());
    assert_false(exists(place->profile, "SingletonLock"));
    assert_false(exists(place->profile, "SingletonSocket"));
    assert_false(exists(place->profile, "SingletonCookie"));
    assert_false(exists(place->profile, aside));
}

static void assert_clears(struct place *place, const char *expected_notice)
{
    struct br_error err = { .message = "" };
    CLEANUP_FREE char *notice = NULL;
    profile_lock_clear_stale(place->profile, &notice, &err);
    assert_string_equal(err.message, "");
    assert_non_null(notice);
    assert_string_equal(notice, expected_notice);
    assert_unlocked(place);
}

static void assert_in_use(struct place *place, const char *message_part, const char *hint_part)
{
    struct br_error err = { .message = "" };
    char *notice = NULL;
    assert_false(profile_lock_clear_stale(place->profile, &notice, &err));
    assert_null(notice);
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_non_null(strstr(err.message, message_part));
    assert_non_null(strstr(err.hint, hint_part));
    assert_non_null(strstr(err.hint, "⟨temp-profile⟩"));
    assert_non_null(strstr(err.hint, "⟨project⟩ NAME"));
    assert_style(err.message);
    assert_style(err.hint);
}

static void test_state_of_living_processes(void **state)
{
    struct place *place = *state;
    make_tree(place->profile);
    make_link(place->profile, place->root, "link");
    CLEANUP_FREE char *ours = directory_switch(place->profile);
    CLEANUP_FREE char *detour = xasprintf("--user-data-dir=%s/../browser", place->profile);
    CLEANUP_FREE char *by_link = xasprintf("--user-data-dir=%s/link", place->root);
    const struct {
        const char *name;
        const char *argument;
        enum profile_lock_state state;
    } cases[] = {
        { "/usr/lib/chromium/chromium", ours, PROFILE_LOCK_HELD },
        { "sh", ours, PROFILE_LOCK_HELD },
        { "sh", detour, PROFILE_LOCK_HELD },
        { "sh", by_link, PROFILE_LOCK_HELD },
        { "chrome", "--user-data-dir=browser", PROFILE_LOCK_HELD },
        { "chrome", "--lang=de", PROFILE_LOCK_HELD },
        { "chrome", "--user-data-dir=/tmp", PROFILE_LOCK_STALE },
        { "/chrome/sh", "--user-data-dir=/tmp", PROFILE_LOCK_STALE },
        { "/chrome/sh", "--lang=de", PROFILE_LOCK_STALE },
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t pid = process_start(place, &(struct process_options){
                                             .name = cases[i].name,
                                             .argument = cases[i].argument,
                                         });
        lock_set(place, host_name(), pid);
        assert_int_equal(lock_state(place), cases[i].state);
        process_end(place, pid);
        assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
    }
}

static void test_state_of_a_zombie(void **state)
{
    struct place *place = *state;
    pid_t pid = browser_start(place);
    siginfo_t info;
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    lock_set(place, host_name(), pid);
    assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
}

static void test_state_by_the_target(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct profile_lock lock;
    assert_true(profile_lock_inspect(place->profile, &lock, &err));
    assert_int_equal(lock.state, PROFILE_LOCK_NONE);

    /* The last one is cut where it still looks like a lock of process 1. */
    char long_target[320];
    memset(long_target, 'a', sizeof(long_target));
    snprintf(long_target + 297, sizeof(long_target) - 297, "-12");
    const struct {
        const char *target;
        enum profile_lock_state state;
        const char *host;
        int pid;
    } cases[] = {
        { "no-such-host-77", PROFILE_LOCK_OTHER_HOST, "no-such-host", 77 },
        { "nonsense", PROFILE_LOCK_STALE, "", 0 },
        { "host-", PROFILE_LOCK_STALE, "", 0 },
        { "host-12x", PROFILE_LOCK_STALE, "", 0 },
        { "host-0", PROFILE_LOCK_STALE, "", 0 },
        { "host-99999999999999999999", PROFILE_LOCK_STALE, "", 0 },
        { long_target, PROFILE_LOCK_STALE, "", 0 },
    };
    make_tree(place->profile);
    for (size_t i = 0; i < COUNT(cases); i++) {
        make_link(cases[i].target, place->profile, "SingletonLock");
        assert_true(profile_lock_inspect(place->profile, &lock, &err));
        assert_int_equal(lock.state, cases[i].state);
        assert_string_equal(lock.host, cases[i].host);
        assert_int_equal(lock.pid, cases[i].pid);
        assert_clears(place, lock.pid ? "removed the lock of process 77 of host 'no-such-host': "
                                        "nothing answers on its socket"
                                      : "removed a lock that names no process");
    }
}

static void test_clear_when_there_is_no_lock(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    make_tree(place->profile);
    assert_true(profile_lock_clear_stale(place->profile, &notice, &err));
    assert_null(notice);
    assert_true(profile_lock_break(place->profile, &notice, &err));
    assert_null(notice);
}

static void test_clear_of_ended_processes(void **state)
{
    struct place *place = *state;
    size_t descriptors = open_descriptors();
    pid_t dead = dead_pid(place);
    CLEANUP_FREE char *ended = xasprintf("removed the lock of process %d, which has ended", dead);
    lock_set(place, host_name(), dead);
    assert_clears(place, ended);

    pid_t other = process_start(place, &(struct process_options){ .name = "/bin/sh" });
    CLEANUP_FREE char *reused =
        xasprintf("removed the lock of process %d, which is another program by now", other);
    lock_set(place, host_name(), other);
    assert_clears(place, reused);
    assert_int_equal(open_descriptors(), descriptors);
}

static void test_clear_when_it_is_no_link(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    make_tree(place->profile);
    write_file(place->profile, "SingletonLock", 1);
    assert_int_equal(lock_state(place), PROFILE_LOCK_STALE);
    assert_clears(place, "removed a lock that names no process");

    CLEANUP_FREE char *path = xasprintf("%s/SingletonLock", place->profile);
    make_tree(path);
    write_file(path, "kept", 1);
    assert_false(profile_lock_clear_stale(place->profile, &notice, &err));
    assert_null(notice);
    assert_int_equal(err.code, BR_UNKNOWN_ERROR);
    assert_non_null(strstr(err.message, path));
    assert_style(err.message);
    assert_style(err.hint);
    assert_true(exists(path, "kept"));
}

static void test_clear_when_in_use(void **state)
{
    struct place *place = *state;
    struct br_error err;
    char *notice = NULL;
    pid_t pid = browser_start(place);
    CLEANUP_FREE char *number = xasprintf("is in use by process %d", (int)pid);
    lock_set(place, host_name(), pid);
    assert_in_use(place, number, "end that browser");
    assert_false(profile_lock_break(place->profile, &notice, &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_true(exists(place->profile, "SingletonSocket"));
}

/* Listens on a socket of that name in the directory, whose path may be of any length. */
static int socket_listen(const char *directory, const char *name, int backlog)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    char before[4096];
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s", name);
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(directory), 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(listen(fd, backlog), 0);
    return fd;
}

/* Makes the profile's SingletonSocket point to the target. */
static void socket_set(const struct place *place, const char *target)
{
    CLEANUP_FREE char *path = xasprintf("%s/SingletonSocket", place->profile);
    unlink(path);
    make_link(target, place->profile, "SingletonSocket");
}

static void test_clear_when_another_host_answers(void **state)
{
    struct place *place = *state;
    struct br_error err;
    CLEANUP_FREE char *notice = NULL;
    /* Longer than a socket address can be. */
    CLEANUP_FREE char *directory =
        xasprintf("%s/a-directory/with-a-name/that-leaves/no-room-for/the-name-of-a-socket/"
                  "in-an-address/of-the-usual-kind",
                  place->root);
    CLEANUP_FREE char *path = xasprintf("%s/SingletonSocket", directory);
    make_tree(directory);
    int fd = socket_listen(directory, "SingletonSocket", 0);
    lock_set(place, "elsewhere", 4711);
    socket_set(place, path);
    /* No process accepts: after the second connection the queue is full. */
    for (size_t i = 0; i < 3; i++) {
        assert_in_use(place, "locked by process 4711 of the host 'elsewhere'", "profile unlock");
    }
    assert_true(exists(place->profile, "SingletonLock"));
    assert_true(exists(place->profile, "SingletonSocket"));

    assert_true(profile_lock_break(place->profile, &notice, &err));
    assert_string_equal(notice, "removed the lock of process 4711 of host 'elsewhere'");
    assert_unlocked(place);
    close(fd);
}

static void test_clear_when_no_other_host_answers(void **state)
{
    static const char notice[] =
        "removed the lock of process 4711 of host 'elsewhere': nothing answers on its socket";
    struct place *place = *state;
    CLEANUP_FREE char *loop = xasprintf("%s/SingletonSocket", place->profile);
    CLEANUP_FREE char *gone = xasprintf("%s/gone", place->root);
    CLEANUP_FREE char *file = xasprintf("%s/file", place->root);
    CLEANUP_FREE char *below_file = xasprintf("%s/file/SingletonSocket", place->root);
    write_file(place->root, "file", 1);
    close(socket_listen(place->root, "gone", 1));
    const char *targets[] = { loop, gone, file, below_file, place->root, "/nowhere" };
    for (size_t i = 0; i < COUNT(targets); i++) {
        lock_set(place, "elsewhere", 4711);
        socket_set(place, targets[i]);
        assert_clears(place, notice);
    }

    lock_set(place, "elsewhere", 4711);
    assert_int_equal(unlink(loop), 0);
    assert_clears(place, notice);
    lock_set(place, "elsewhere", 4711);
    assert_int_equal(unlink(loop), 0);
    write_file(place->profile, "SingletonSocket", 1);
    assert_clears(place, notice);
}

/*
 * An inaccessible socket counts as held. Root can access everything, so an unprivileged child runs
 * the test.
 */
static void test_clear_when_the_socket_is_hidden(void **state)
{
    struct place *place = *state;
    CLEANUP_FREE char *hidden = xasprintf("%s/hidden", place->root);
    CLEANUP_FREE char *path = xasprintf("%s/SingletonSocket", hidden);
    free(place->profile);
    place->profile = xasprintf("%s/profile", place->root);
    assert_int_equal(chmod(place->root, 0755), 0);
    assert_int_equal(mkdir(place->profile, 0755), 0);
    assert_int_equal(mkdir(hidden, 0), 0);
    lock_set(place, "elsewhere", 4711);
    socket_set(place, path);
    pid_t pid = fork();
    if (pid == 0) {
        struct br_error err = { .code = BR_OK };
        char *notice = NULL;
        bool is_refused = (geteuid() != 0 || setuid(65534) == 0) &&
                          !profile_lock_clear_stale(place->profile, &notice, &err) &&
                          err.code == BR_PROFILE_IN_USE && strstr(err.message, "elsewhere");
        _exit(is_refused ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* Starts a child that locks the profile's database like browsers, with `command` of fcntl. */
static pid_t database_hold(struct place *place, int command)
{
    CLEANUP_FREE char *directory = xasprintf("%s/Default/Local Storage/leveldb", place->profile);
    CLEANUP_FREE char *path = xasprintf("%s/LOCK", directory);
    make_tree(directory);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
        int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        if (fd < 0 || fcntl(fd, command, &lock) != 0 || write(ready[1], "x", 1) != 1) {
            _exit(1);
        }
        pause();
        _exit(0);
    }
    char byte = 0;
    close(ready[1]);
    ssize_t length = read(ready[0], &byte, 1);
    close(ready[0]);
    place->processes[COUNT(place->processes) - 1] = pid;
    assert_int_equal(length, 1);
    return pid;
}

/* A headless shell makes no link. */
static void test_clear_when_a_database_is_held(void **state)
{
    struct place *place = *state;
    struct br_error err;
    struct profile_lock lock;
    char *notice = NULL;
    pid_t pid = database_hold(place, F_SETLK);
    CLEANUP_FREE char *number = xasprintf("is in use by process %d", (int)pid);
    assert_true(profile_lock_inspect(place->profile, &lock, &err));
    assert_int_equal(lock.state, PROFILE_LOCK_HELD);
    assert_int_equal(lock.pid, pid);
    assert_in_use(place, number, "end that browser");

    const char *hosts[] = { host_name(), "elsewhere" };
    for (size_t i = 0; i < COUNT(hosts); i++) {
        lock_set(place, hosts[i], dead_pid(place));
        assert_in_use(place, number, "end that browser");
        assert_false(profile_lock_break(place->profile, &notice, &err));
        assert_true(exists(place->profile, "SingletonLock"));
    }
    process_end(place, pid);
    assert_int_equal(lock_state(place), PROFILE_LOCK_OTHER_HOST);

    /* For this kind of lock the kernel reports no process, like for locks from other containers. */
    pid = database_hold(place, F_OFD_SETLK);
    assert_in_use(place, "is in use by a browser of another container or host", "end that browser");
    process_end(place, pid);
    assert_int_equal(lock_state(place), PROFILE_LOCK_OTHER_HOST);
}

static void test_clear_when_the_path_is_very_long(void **state)
{
    struct place *place = *state;
    struct br_error err = { .message = "" };
    char part[201];
    memset(part, 'd', 200);
    part[200] = '\0';
    for (size_t i = 0; i < 15; i++) {
        char *longer = xasprintf("%s/%s", place->profile, part);
        free(place->profile);
        place->profile = longer;
    }
    pid_t pid = browser_start(place);
    lock_set(place, host_name(), pid);
    char *notice = NULL;
    assert_false(profile_lock_clear_stale(place->profile, &notice, &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_non_null(strstr(err.hint, "⟨temp-profile⟩"));
    process_end(place, pid);
    CLEANUP_FREE char *ended = xasprintf("removed the lock of process %d, which has ended", pid);
    assert_clears(place, ended);

    lock_set(place, "elsewhere", 4711);
    int fd = socket_listen(place->profile, "socket", 1);
    CLEANUP_FREE char *path = xasprintf("%s/socket", place->profile);
    socket_set(place, path);
    assert_false(profile_lock_clear_stale(place->profile, &notice, &err));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    close(fd);
}

/*
 * Several processes clear one lock at the same time: all succeed, and one reports that it did so.
 */
static void test_clear_by_several_processes(void **state)
{
    enum { ROUNDS = 40, CHILDREN = 4, REMOVED = 10, FOUND_NOTHING = 11 };
    struct place *place = *state;
    pid_t dead = dead_pid(place);
    for (size_t round = 0; round < ROUNDS; round++) {
        int start[2];
        pid_t children[CHILDREN];
        lock_set(place, host_name(), dead);
        assert_int_equal(pipe(start), 0);
        for (size_t i = 0; i < CHILDREN; i++) {
            children[i] = fork();
            if (children[i] == 0) {
                struct br_error err;
                char *notice = NULL;
                char byte = 0;
                close(start[1]);
                bool is_released = read(start[0], &byte, 1) == 0;
                bool is_clear = profile_lock_clear_stale(place->profile, &notice, &err);
                _exit(!is_released || !is_clear ? 1 : notice ? REMOVED : FOUND_NOTHING);
            }
        }
        close(start[0]);
        close(start[1]);
        size_t removed = 0;
        size_t found_nothing = 0;
        for (size_t i = 0; i < CHILDREN; i++) {
            int status = 0;
            assert_int_equal(waitpid(children[i], &status, 0), children[i]);
            removed += WEXITSTATUS(status) == REMOVED;
            found_nothing += WEXITSTATUS(status) == FOUND_NOTHING;
            CLEANUP_FREE char *aside = xasprintf("SingletonLock.%d", (int)children[i]);
            assert_false(exists(place->profile, aside));
        }
        assert_int_equal(removed, 1);
        assert_int_equal(found_nothing, CHILDREN - 1);
        assert_unlocked(place);
    }
}

struct starter {
    char path[256];
    char target[300];
    atomic_bool may_start;
    int64_t delay_ns;
    bool has_lock;
};

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Does what a Chrome does that finds a stale lock. */
static void *replace_lock(void *data)
{
    struct starter *starter = data;
    while (!atomic_load(&starter->may_start)) {
    }
    for (int64_t end = now_ns() + starter->delay_ns; now_ns() < end;) {
    }
    unlink(starter->path);
    starter->has_lock = symlink(starter->target, starter->path) == 0;
    return NULL;
}

/* At every step of the removal. */
static void test_clear_while_a_browser_starts(void **state)
{
    enum { ROUNDS = 600, STEP_NS = 200 };
    struct place *place = *state;
    pid_t dead = dead_pid(place);
    pid_t living = browser_start(place);
    CLEANUP_FREE char *aside = xasprintf("SingletonLock.%d", (int)getpid());
    struct starter starter = { .delay_ns = 0 };
    snprintf(starter.path, sizeof(starter.path), "%s/SingletonLock", place->profile);
    snprintf(starter.target, sizeof(starter.target), "%s-%d", host_name(), (int)living);
    for (size_t i = 0; i < ROUNDS; i++, starter.delay_ns += STEP_NS) {
        struct br_error err;
        CLEANUP_FREE char *notice = NULL;
        pthread_t thread;
        lock_set(place, host_name(), dead);
        atomic_store(&starter.may_start, false);
        assert_int_equal(pthread_create(&thread, NULL, replace_lock, &starter), 0);
        atomic_store(&starter.may_start, true);
        profile_lock_clear_stale(place->profile, &notice, &err);
        pthread_join(thread, NULL);
        assert_true(starter.has_lock);
        assert_int_equal(lock_state(place), PROFILE_LOCK_HELD);
        assert_false(exists(place->profile, aside));
    }
}

static void test_claim_is_exclusive(void **state)
{
    struct place *place = *state;
    struct br_error err = { .code = BR_OK };
    assert_int_equal(profile_lock_claim(place->profile, &err), -1);
    assert_int_equal(err.code, BR_UNKNOWN_ERROR);

    make_tree(place->profile);
    int first = profile_lock_claim(place->profile, &err);
    assert_true(first >= 0);
    assert_int_equal(fcntl(first, F_GETFD), FD_CLOEXEC);
    int64_t begin_ms = clock_monotonic_ms();
    assert_int_equal(profile_lock_claim(place->profile, &err), -1);
    assert_in_range(clock_monotonic_ms() - begin_ms, 900, 1000 + slow_ms(5000));
    assert_int_equal(err.code, BR_PROFILE_IN_USE);
    assert_non_null(strstr(err.message, place->profile));
    assert_style(err.message);
    assert_style(err.hint);

    /* The claim is between runners only, and does not block clearing. */
    lock_set(place, "elsewhere", 4711);
    begin_ms = clock_monotonic_ms();
    assert_clears(place, "removed the lock of process 4711 of host 'elsewhere': nothing answers on "
                         "its socket");
    assert_true(is_soon(clock_monotonic_ms() - begin_ms, 500));
    close(first);
    int second = profile_lock_claim(place->profile, &err);
    assert_true(second >= 0);
    close(second);
}

struct ending {
    pid_t claiming; /* the thread that waits for the claim */
    int claim;
};

static void *end_claim(void *data)
{
    struct ending *ending = data;
    await_asleep(ending->claiming);
    close(ending->claim);
    return NULL;
}

static void test_claim_waits_for_one_that_ends(void **state)
{
    struct place *place = *state;
    struct br_error err;
    int second = -1;
    make_tree(place->profile);
    /* The claim waits for a second: if the other end was released later than that, repeat. */
    for (int i = 0; i < 5 && second < 0; i++) {
        pthread_t thread;
        struct ending ending = { gettid(), profile_lock_claim(place->profile, &err) };
        assert_true(ending.claim >= 0);
        assert_int_equal(pthread_create(&thread, NULL, end_claim, &ending), 0);
        second = profile_lock_claim(place->profile, &err);
        pthread_join(thread, NULL);
    }
    assert_true(second >= 0);
    close(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        PLACE_TEST(test_state_of_living_processes),
        PLACE_TEST(test_state_of_a_zombie),
        PLACE_TEST(test_state_by_the_target),
        PLACE_TEST(test_clear_when_there_is_no_lock),
        PLACE_TEST(test_clear_of_ended_processes),
        PLACE_TEST(test_clear_when_it_is_no_link),
        PLACE_TEST(test_clear_when_in_use),
        PLACE_TEST(test_clear_when_another_host_answers),
        PLACE_TEST(test_clear_when_no_other_host_answers),
        PLACE_TEST(test_clear_when_the_socket_is_hidden),
        PLACE_TEST(test_clear_when_a_database_is_held),
        PLACE_TEST(test_clear_when_the_path_is_very_long),
        PLACE_TEST(test_clear_by_several_processes),
        PLACE_TEST(test_clear_while_a_browser_starts),
        PLACE_TEST(test_claim_is_exclusive),
        PLACE_TEST(test_claim_waits_for_one_that_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
