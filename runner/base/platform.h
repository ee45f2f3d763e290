/* Everything that is specific to the operating system: a port is another platform_*.c. */
#ifndef RUNNER_BASE_PLATFORM_H
#define RUNNER_BASE_PLATFORM_H

#include "runner/base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A program to start; its signals are reset to those of a new process. */
struct platform_start {
    const char *program; /* a path, or a name to search in PATH */
    char *const *argv;
    char *const *environment; /* NULL: ours */
    const char *directory;    /* NULL: ours */
    const int *fds; /* ours, for its descriptors 0, 1, …; -1: /dev/null. They are duplicated in this
                       order: no entry may overwrite one that a later entry needs */
    size_t fd_count;
    bool leads_session; /* starts its own session; otherwise its own process group */
};

/* Returns 0 or an errno; on failure *ret_pid is unchanged. */
int platform_process_start(const struct platform_start *start, pid_t *ret_pid);

/* A descriptor (close-on-exec) that becomes readable when the process ends; -1 with errno. */
int platform_process_open(pid_t pid);

/*
 * Returns when the process started, in ticks since boot; 0 if there is no such process. Detects
 * that a pid was reused.
 */
uint64_t platform_process_start_time(pid_t pid);

/*
 * Returns false for a zombie too: it holds no resources any more, even if its parent does not reap
 * it. Returns true if no descriptor is free to look.
 */
bool platform_process_is_alive(pid_t pid);

/*
 * Returns whether the process has ended, or will end without running any further code of its own;
 * false if that cannot be read, such as without a free file descriptor.
 */
bool platform_process_is_ending(pid_t pid);

/* Makes this process the parent of orphaned descendants. False with errno. */
bool platform_adopt_orphans(void);

/*
 * Lists the living descendants of the process, at any depth, without itself. Caller frees
 * *ret_pids. A process that starts or ends meanwhile may be missing or included; to be certain,
 * call again.
 */
size_t platform_process_descendants(pid_t pid, pid_t **ret_pids);

/*
 * Returns about how many bytes of memory the process has for itself alone; 0 if there is no such
 * process.
 */
uint64_t platform_process_memory(pid_t pid);

/*
 * Returns the process's share of memory in bytes: its own, and its part of what it shares with
 * others (PSS). Where that is hidden, as with Chrome's sandboxed processes for other users than
 * root, returns platform_process_memory().
 */
uint64_t platform_process_share(pid_t pid);

/*
 * Returns how many bytes of memory this process and its children may use: the machine's memory, or
 * the limit of the control group, or of one that contains it, if that is less.
 */
uint64_t platform_memory_limit(void);

/* Returns the number of processors that this process may use; at least 1. */
int platform_processors(void);

/* What the threads of a process have had of the processors until now. All zero: unknown. */
struct platform_work {
    uint64_t ran_us;
    uint64_t waited_us; /* time ready to run, while other threads had the processors */
    bool is_stopped;    /* by a signal: it neither runs nor waits */
    bool is_incomplete; /* this program had no file descriptor left to read all of it */
};

/* Adds the work of a process to *work; leaves it as it is if there is no such process. */
void platform_process_add_work(pid_t pid, struct platform_work *work);

/*
 * Returns in how many percent of the last ten seconds some thread of this machine waited for a
 * processor; 0 if the kernel does not say.
 */
int platform_processor_pressure(void);

/*
 * Returns the path by which this program can be started again, even if its file was replaced or
 * deleted.
 */
const char *platform_own_path(void);

/*
 * Writes the id that the linker gave to this program, in hexadecimal, as far as it fits: another
 * build has another id. False if it has none.
 */
bool platform_build_id(char *buf, size_t size);

/*
 * Returns the process's arguments, each ended by a NUL, *ret_length bytes in total (0 for a kernel
 * thread). Caller frees; NULL with errno if they cannot be read.
 */
char *platform_process_arguments(pid_t pid, size_t *ret_length);

/*
 * Connects to the UNIX socket at a path of any length, without waiting; the descriptor is
 * close-on-exec and non-blocking. -1 with errno: ECONNREFUSED if no process listens there.
 */
int platform_socket_connect(const char *path);

/*
 * Names the process that listens at a TCP port of this machine, as "node (process 123)", as far as
 * we have permission. False if we do not.
 */
bool platform_port_holder(int port, char *buf, size_t size);

/*
 * Opens another descriptor (close-on-exec, non-blocking) of the terminal or pipe behind `fd`. `fd`
 * itself must not be made non-blocking, because other processes share it. -1 if it is neither, or
 * cannot be opened.
 */
int platform_open_again(int fd);

/* "linux", "macos" or "windows". Static storage. */
const char *platform_name(void);

/* Writes the host's name in the form in which Chrome writes it into a profile's lock. */
bool platform_host_name(char *buf, size_t size);

/* Returns the free bytes of the shared memory that Chrome uses; -1 if unknown. */
int64_t platform_shared_memory_free(void);

/* Returns a writable directory whose files are kept in memory; NULL if there is none. */
const char *platform_memory_directory(void);

/* Returns the command that installs Chrome on this system, one line. Static storage. */
const char *platform_install_command(void);

#endif
