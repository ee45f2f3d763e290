/*
 * What is special to the operating system, and all of it: a port is one more platform_*.c.
 */
#ifndef RUNNER_BASE_PLATFORM_H
#define RUNNER_BASE_PLATFORM_H

#include "runner/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A program to be started, with the signals as a new process has them. */
struct platform_start {
    const char *program; /* a path, or a name to be looked for in PATH */
    char *const *argv;
    char *const *environment; /* NULL: ours */
    const char *directory;    /* NULL: ours */
    const int *fds; /* which of ours its descriptors 0, 1 and so on are; -1: /dev/null. The pairs
                       are made in this order: none may overwrite one that is still needed. */
    size_t fd_count;
    bool leads_session; /* a session of its own; else a group of its own */
};

/* Returns 0 or an errno, with which *ret_pid stays as it is. */
int platform_process_start(const struct platform_start *start, pid_t *ret_pid);

/* A descriptor (close-on-exec) that becomes readable when the process ends; -1 with errno. */
int platform_process_open(pid_t pid);

/* When the process started, in ticks since boot; 0 when there is none. Tells a pid's reuse. */
uint64_t platform_process_start_time(pid_t pid);

/* False for a zombie too: it holds nothing any more, however long its parent leaves it there. */
bool platform_process_is_alive(pid_t pid);

/* From now on the children of our descendants that have ended are ours. False with errno. */
bool platform_adopt_orphans(void);

/*
 * Those who live and descend from the process, at any distance, without itself. Caller frees
 * *ret_pids. One that starts or ends meanwhile may be missing, or there: whoever has to be sure
 * looks again.
 */
size_t platform_process_descendants(pid_t pid, pid_t **ret_pids);

/* Bytes of memory that the process has for itself alone, about; 0 when there is none. */
uint64_t platform_process_memory(pid_t pid);

/* The path by which this program can be started again, whatever became of its file. */
const char *platform_own_path(void);

/*
 * The process's arguments, each ended by a NUL, *ret_length bytes in all (0 for a kernel thread).
 * Caller frees; NULL with errno when they cannot be read.
 */
char *platform_process_arguments(pid_t pid, size_t *ret_length);

/*
 * A descriptor (close-on-exec, non-blocking) that is connected to the UNIX socket at a path of any
 * length; -1 with errno, without waiting: ECONNREFUSED when nobody listens there.
 */
int platform_socket_connect(const char *path);

/*
 * Who listens at a TCP port of this machine, as "node (process 123)", as far as we may know. False:
 * we may not.
 */
bool platform_port_holder(int port, char *buf, size_t size);

/*
 * Another descriptor (close-on-exec) of the terminal or pipe that `fd` is, which never waits, as
 * `fd` itself cannot be made without others that have it; -1: it is neither, or that cannot be had.
 */
int platform_open_again(int fd);

/* "linux", "macos" or "windows". Static storage. */
const char *platform_name(void);

/* The host's name as Chrome writes it into a profile's lock. */
bool platform_host_name(char *buf, size_t size);

/* Bytes free in the shared memory that Chrome uses; -1 when that is not known. */
int64_t platform_shared_memory_free(void);

/* A directory whose files are kept in memory and that may be written to; NULL: there is none. */
const char *platform_memory_directory(void);

/* The command that installs Chrome on this system, one line. Static storage. */
const char *platform_install_command(void);

#endif
