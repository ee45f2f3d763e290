#include "profiles/orphan.h"

#include "profiles/lock.h"
#include "runner/base/memory.h"
#include "runner/base/platform.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    KILLED_GRACE_MS = 1000,     /* until the kernel has ended a killed process */
    RECORD_MAX = PATH_MAX + 64, /* bytes of a record */
};

/* "<pid> <start time>\n<profile>" */
struct record {
    pid_t pid;
    uint64_t start_time;
    const char *profile; /* in text */
    char text[RECORD_MAX];
};

/* Reads at most RECORD_MAX - 1 bytes of a regular file of ours; false for any other. */
static bool text_read(const char *path, struct record *record)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool is_ours = fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
                   info.st_size < RECORD_MAX;
    ssize_t length = is_ours ? read(fd, record->text, RECORD_MAX - 1) : -1;
    close(fd);
    if (length <= 0) {
        return false;
    }
    record->text[length] = '\0';
    return strlen(record->text) == (size_t)length;
}

static bool record_read(const char *run_directory, struct record *record)
{
    CLEANUP_FREE char *path = xasprintf("%s/browser", run_directory);
    int pid = 0;
    int end = 0;
    if (!text_read(path, record) ||
        sscanf(record->text, "%9d %20" SCNu64 "%n", &pid, &record->start_time, &end) != 2 ||
        record->text[end] != '\n') {
        return false;
    }
    record->pid = pid;
    record->profile = record->text + end + 1;
    /* 1 is never a browser's, and to kill() it would be everything. */
    return pid > 1 && record->start_time > 0 && record->profile[0] == '/';
}

static bool is_within(const char *path, const char *directory)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && path[length] == '/';
}

static bool has_ended(int process_fd, struct deadline deadline)
{
    struct pollfd poll_fd = { .fd = process_fd, .events = POLLIN };
    int count = 0;
    do {
        count = poll(&poll_fd, 1, (int)deadline_left_ms(deadline));
    } while (count < 0 && errno == EINTR);
    return count > 0;
}

bool orphan_record(const char *run_directory, pid_t browser, const char *profile,
                   struct br_error *err)
{
    assert(profile[0] == '/');
    uint64_t start_time = platform_process_start_time(browser);
    if (start_time == 0) {
        return true;
    }
    CLEANUP_FREE char *path = xasprintf("%s/browser", run_directory);
    CLEANUP_FREE char *new_path = xasprintf("%s.new", path);
    FILE *file = fopen(new_path, "we");
    if (!file) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write '%s'", new_path);
    }
    fprintf(file, "%d %" PRIu64 "\n%s", (int)browser, start_time, profile);
    bool has_failed = ferror(file);
    if (fclose(file) != 0 || has_failed || rename(new_path, path) != 0) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot write '%s'", path);
    }
    return true;
}

pid_t orphan_end(const char *run_directory, struct deadline grace)
{
    struct record record;
    if (!record_read(run_directory, &record)) {
        return 0;
    }
    /* Opened before the process is looked at: until that has ended, the pid is nobody else's. */
    int fd = platform_process_open(record.pid);
    if (fd < 0) {
        return 0;
    }
    struct deadline end = is_within(record.profile, run_directory) ? deadline_in_ms(0) : grace;
    bool is_ours = platform_process_start_time(record.pid) == record.start_time &&
                   profile_is_named_by(record.profile, record.pid);
    bool is_killed = false;
    if (is_ours && !has_ended(fd, end)) {
        bool is_leader = getpgid(record.pid) == record.pid;
        is_killed = kill(is_leader ? -record.pid : record.pid, SIGKILL) == 0;
    }
    if (is_killed) {
        has_ended(fd, deadline_in_ms(KILLED_GRACE_MS));
    }
    close(fd);
    return is_killed ? record.pid : 0;
}
