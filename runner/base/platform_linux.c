#include "runner/base/platform.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

extern char **environ;

static void set_up_fds(const struct platform_start *start, posix_spawn_file_actions_t *actions)
{
    for (size_t i = 0; i < start->fd_count; i++) {
        if (start->fds[i] < 0) {
            posix_spawn_file_actions_addopen(actions, (int)i, "/dev/null", O_RDWR, 0);
        } else {
            posix_spawn_file_actions_adddup2(actions, start->fds[i], (int)i);
        }
    }
}

int platform_process_start(const struct platform_start *start, pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    set_up_fds(start, &actions);
    if (start->directory) {
        posix_spawn_file_actions_addchdir_np(&actions, start->directory);
    }
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, (short)((start->leads_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP) |
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
    pid_t pid = 0;
    int failure = posix_spawnp(&pid, start->program, &actions, &attributes, start->argv,
                               start->environment ? start->environment : environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    *ret_pid = failure ? *ret_pid : pid;
    return failure;
}

int platform_process_open(pid_t pid)
{
    /* Debian 12's glibc has the wrapper, older ones have only the system call. */
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/*
 * Returns the inode of the socket that listens at the port, from /proc/net/tcp (proc(5)); 0 if
 * there is none.
 */
static unsigned long listening_inode(const char *path, int port)
{
    enum { LISTENS = 0x0A };
    char line[512];
    unsigned long found = 0;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof(line), file)) {
        unsigned at = 0;
        unsigned state = 0;
        unsigned long inode = 0;
        if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*u %*u %lu", &at,
                   &state, &inode) == 3 &&
            at == (unsigned)port && state == LISTENS) {
            found = inode;
        }
    }
    if (file) {
        fclose(file);
    }
    return found;
}

static bool has_socket(const char *pid, const char *socket)
{
    CLEANUP_FREE char *path = xasprintf("/proc/%s/fd", pid);
    DIR *directory = opendir(path);
    bool is_found = false;
    for (struct dirent *entry = NULL; directory && !is_found && (entry = readdir(directory));) {
        char target[64];
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target) - 1);
        target[length > 0 ? length : 0] = '\0';
        is_found = strcmp(target, socket) == 0;
    }
    if (directory) {
        closedir(directory);
    }
    return is_found;
}

static void name_process(const char *pid, char *buf, size_t size)
{
    char name[64] = "";
    CLEANUP_FREE char *path = xasprintf("/proc/%s/comm", pid);
    FILE *file = fopen(path, "re");
    if (file && fgets(name, sizeof(name), file)) {
        name[strcspn(name, "\n")] = '\0';
    }
    if (file) {
        fclose(file);
    }
    snprintf(buf, size, "%s (process %s)", *name ? name : "a program", pid);
}

bool platform_port_holder(int port, char *buf, size_t size)
{
    unsigned long inode = listening_inode("/proc/net/tcp", port);
    inode = inode ? inode : listening_inode("/proc/net/tcp6", port);
    CLEANUP_FREE char *socket = xasprintf("socket:[%lu]", inode);
    DIR *directory = inode ? opendir("/proc") : NULL;
    bool is_found = false;
    for (struct dirent *entry = NULL; directory && !is_found && (entry = readdir(directory));) {
        const char *pid = entry->d_name;
        if (strspn(pid, "0123456789") == strlen(pid) && has_socket(pid, socket)) {
            name_process(pid, buf, size);
            is_found = true;
        }
    }
    if (directory) {
        closedir(directory);
    }
    return is_found;
}

int platform_open_again(int fd)
{
    struct stat info;
    CLEANUP_FREE char *path = xasprintf("/proc/self/fd/%d", fd);
    if (fstat(fd, &info) != 0 || !(S_ISFIFO(info.st_mode) || isatty(fd))) {
        return -1;
    }
    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Fields of /proc/<pid>/stat, or of /proc/<pid>/task/<tid>/stat. */
struct process {
    pid_t pid, parent;
    char state;
    unsigned flags; /* PF_… of the kernel */
    uint64_t start_time;
    unsigned long pending; /* signals that only this thread, or the first one, has to handle */
};

/* Returns false with errno, which is ENOENT or ESRCH if there is no such process. */
static bool read_stat(const char *path, pid_t pid, struct process *ret_process)
{
    char stat[1024];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t length = read(fd, stat, sizeof(stat) - 1);
    int failure = length < 0 ? errno : ESRCH;
    close(fd);
    stat[length > 0 ? length : 0] = '\0';
    /*
     * proc(5): the command in parentheses may contain anything; field 31 is counted from after it.
     */
    const char *rest = strrchr(stat, ')');
    int parent = 0;
    unsigned long long start = 0;
    *ret_process = (struct process){ .pid = pid };
    if (!rest || sscanf(rest + 1,
                        " %c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                        "%*d %*d %llu %*u %*d %*u %*u %*u %*u %*u %*u %lu",
                        &ret_process->state, &parent, &ret_process->flags, &start,
                        &ret_process->pending) != 5) {
        errno = failure;
        return false;
    }
    ret_process->parent = parent;
    ret_process->start_time = start;
    return true;
}

/* As read_stat(), of the process. */
static bool process_stat(pid_t pid, struct process *ret_process)
{
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    return read_stat(path, pid, ret_process);
}

static bool process_lives(const struct process *process)
{
    return process->state != 'Z' && process->state != 'X';
}

uint64_t platform_process_start_time(pid_t pid)
{
    struct process process;
    return process_stat(pid, &process) ? process.start_time : 0;
}

uint64_t platform_process_memory(pid_t pid)
{
    unsigned long long resident = 0;
    unsigned long long shared = 0;
    CLEANUP_FREE char *path = xasprintf("/proc/%ld/statm", (long)pid);
    FILE *file = fopen(path, "re");
    bool is_read = file && fscanf(file, "%*s %llu %llu", &resident, &shared) == 2;
    if (file) {
        fclose(file);
    }
    return is_read && resident > shared ? (resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

uint64_t platform_process_share(pid_t pid)
{
    char line[128];
    unsigned long long kilobytes = 0;
    bool is_found = false;
    CLEANUP_FREE char *path = xasprintf("/proc/%ld/smaps_rollup", (long)pid);
    FILE *file = fopen(path, "re");
    while (file && !is_found && fgets(line, sizeof(line), file)) {
        is_found = sscanf(line, "Pss: %llu kB", &kilobytes) == 1;
    }
    if (file) {
        fclose(file);
    }
    return is_found ? kilobytes * 1024 : platform_process_memory(pid);
}

/* Returns the number in a file of the control groups; UINT64_MAX without one, such as "max". */
static uint64_t read_limit(const char *path)
{
    unsigned long long bytes = 0;
    FILE *file = fopen(path, "re");
    bool is_read = file && fscanf(file, "%llu", &bytes) == 1;
    if (file) {
        fclose(file);
    }
    return is_read ? bytes : UINT64_MAX;
}

/* Lowers *limit to those of the group and of all that contain it. Changes the text of the group. */
static void lower_to_groups(const char *root, char *group, const char *name, uint64_t *limit)
{
    for (;;) {
        CLEANUP_FREE char *path = xasprintf("%s%s/%s", root, group, name);
        uint64_t bytes = read_limit(path);
        char *end = strrchr(group, '/');
        *limit = bytes < *limit ? bytes : *limit;
        if (!end) {
            return;
        }
        *end = '\0';
    }
}

uint64_t platform_memory_limit(void)
{
    uint64_t limit = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    char line[4096];
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof(line), file)) {
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) {
            continue;
        }
        *group++ = '\0';
        group[strcspn(group, "\n")] = '\0';
        if (strcmp(controllers, ":") == 0) {
            lower_to_groups("/sys/fs/cgroup", group, "memory.max", &limit);
        } else if (strstr(controllers, "memory")) {
            lower_to_groups("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", &limit);
        }
    }
    if (file) {
        fclose(file);
    }
    return limit;
}

int platform_processors(void)
{
    cpu_set_t set;
    long count = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set)
                                                              : sysconf(_SC_NPROCESSORS_ONLN);
    return count > 1 ? (int)count : 1;
}

static bool has_no_descriptor(void)
{
    return errno == EMFILE || errno == ENFILE;
}

void platform_process_add_work(pid_t pid, struct platform_work *work)
{
    struct process process;
    CLEANUP_FREE char *path = xasprintf("/proc/%ld/task", (long)pid);
    DIR *tasks = process_stat(pid, &process) ? opendir(path) : NULL;
    work->is_incomplete |= !tasks && has_no_descriptor();
    work->is_stopped |= tasks && process.state == 'T';
    for (struct dirent *entry = NULL; tasks && (entry = readdir(tasks));) {
        unsigned long long ran_ns = 0;
        unsigned long long waited_ns = 0;
        CLEANUP_FREE char *of_thread = xasprintf("%s/%s/schedstat", path, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(of_thread, "re");
        work->is_incomplete |= !file && entry->d_name[0] != '.' && has_no_descriptor();
        if (file && fscanf(file, "%llu %llu", &ran_ns, &waited_ns) == 2) {
            work->ran_us += ran_ns / 1000;
            work->waited_us += waited_ns / 1000;
        }
        if (file) {
            fclose(file);
        }
    }
    if (tasks) {
        closedir(tasks);
    }
}

int platform_processor_pressure(void)
{
    double percent = 0;
    FILE *file = fopen("/proc/pressure/cpu", "re");
    bool is_read = file && fscanf(file, "some avg10=%lf", &percent) == 1;
    if (file) {
        fclose(file);
    }
    return is_read ? (int)percent : 0;
}

bool platform_process_is_alive(pid_t pid)
{
    struct process process;
    return process_stat(pid, &process) ? process_lives(&process) : has_no_descriptor();
}

/*
 * A fatal signal is pending for each thread as SIGKILL from the moment it is sent, then the flags
 * show how the thread ends. The file of the process would add up the times of all threads first.
 */
bool platform_process_is_ending(pid_t pid)
{
    static const unsigned ending = 0x4 | 0x200 | 0x400; /* PF_EXITING, PF_DUMPCORE, PF_SIGNALED */
    char path[64];
    struct process process;
    snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)pid);
    if (!read_stat(path, pid, &process)) {
        return errno == ENOENT || errno == ESRCH; /* not EMFILE, which tells nothing of it */
    }
    return !process_lives(&process) || process.flags & ending ||
           process.pending >> (SIGKILL - 1) & 1;
}

bool platform_adopt_orphans(void)
{
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

/* Lists all processes of the machine. Caller frees. */
static size_t list_processes(struct process **ret_list)
{
    size_t count = 0;
    size_t capacity = 0;
    struct process *list = NULL;
    DIR *directory = opendir("/proc");
    for (struct dirent *entry = NULL; directory && (entry = readdir(directory));) {
        char *end = NULL;
        long pid = strtol(entry->d_name, &end, 10);
        list = array_reserve(list, count, &capacity, sizeof(*list));
        count += pid > 0 && !*end && process_stat((pid_t)pid, &list[count]);
    }
    if (directory) {
        closedir(directory);
    }
    *ret_list = list;
    return count;
}

static bool holds_pid(const pid_t *pids, size_t count, pid_t pid)
{
    for (size_t i = 0; i < count; i++) {
        if (pids[i] == pid) {
            return true;
        }
    }
    return false;
}

size_t platform_process_descendants(pid_t pid, pid_t **ret_pids)
{
    CLEANUP_FREE struct process *list = NULL;
    size_t list_count = list_processes(&list);
    pid_t *pids = xcalloc(list_count + 1, sizeof(*pids));
    size_t count = 0;
    size_t before = 0;
    do {
        before = count;
        for (size_t i = 0; i < list_count; i++) {
            bool is_child = list[i].parent == pid || holds_pid(pids, count, list[i].parent);
            if (is_child && process_lives(&list[i]) && !holds_pid(pids, count, list[i].pid)) {
                pids[count++] = list[i].pid;
            }
        }
    } while (count > before);
    *ret_pids = pids;
    return count;
}

const char *platform_own_path(void)
{
    return "/proc/self/exe";
}

struct build_id {
    char *buf;
    size_t size;
};

/* The notes of a segment; see elf(5). */
static bool read_build_id(const char *notes, size_t length, const struct build_id *build)
{
    size_t at = 0;
    while (at + sizeof(ElfW(Nhdr)) <= length) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + at, sizeof(note));
        const char *name = notes + at + sizeof(note);
        const unsigned char *id = (const unsigned char *)name + ((note.n_namesz + 3U) & ~3U);
        at = (size_t)((const char *)id - notes) + ((note.n_descsz + 3U) & ~3U);
        if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") || at > length ||
            memcmp(name, "GNU", sizeof("GNU")) != 0) {
            continue;
        }
        for (size_t i = 0; i < note.n_descsz && 2 * i + 2 < build->size; i++) {
            snprintf(build->buf + 2 * i, 3, "%02x", id[i]);
        }
        return true;
    }
    return false;
}

/* Looks at the program itself, which comes first. */
static int look_for_build_id(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct build_id *build = data;
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *notes = (const char *)(info->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE && read_build_id(notes, part->p_memsz, build)) {
            return 1;
        }
    }
    return -1;
}

bool platform_build_id(char *buf, size_t size)
{
    struct build_id build = { buf, size };
    return dl_iterate_phdr(look_for_build_id, &build) > 0;
}

char *platform_process_arguments(pid_t pid, size_t *ret_length)
{
    char path[64];
    char part[4096];
    snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return NULL;
    }
    /* Linux lets a command line grow to 2 MB. */
    CLEANUP_STRBUF struct strbuf arguments = STRBUF_INIT(4 << 20);
    size_t length = 0;
    while ((length = fread(part, 1, sizeof(part), file)) > 0) {
        strbuf_add(&arguments, part, length);
    }
    int error_number = ferror(file) ? errno : 0;
    fclose(file);
    if (error_number) {
        errno = error_number;
        return NULL;
    }
    *ret_length = arguments.length;
    return strbuf_take(&arguments);
}

int platform_socket_connect(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int path_fd = open(path, O_PATH | O_CLOEXEC);
    if (path_fd < 0) {
        return -1;
    }
    /* sun_path has room for 107 bytes; the path through /proc has no such limit. */
    snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", path_fd);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int error_number = fd < 0 ? errno : 0;
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        error_number = errno;
        close(fd);
        fd = -1;
    }
    close(path_fd);
    errno = error_number;
    return fd;
}

const char *platform_name(void)
{
    return "linux";
}

bool platform_host_name(char *buf, size_t size)
{
    if (gethostname(buf, size) != 0) {
        return false;
    }
    buf[size - 1] = '\0';
    return true;
}

const char *platform_memory_directory(void)
{
    static const char path[] = "/dev/shm";
    return access(path, W_OK | X_OK) == 0 ? path : NULL;
}

int64_t platform_shared_memory_free(void)
{
    struct statvfs info;
    if (!platform_memory_directory() || statvfs("/dev/shm", &info) != 0) {
        return -1;
    }
    return (int64_t)info.f_bavail * (int64_t)info.f_frsize;
}

/* Whether the value of a key in /etc/os-release, such as ID_LIKE, contains the word. */
static bool os_release_names(const char *word)
{
    char line[256];
    bool is_found = false;
    FILE *file = fopen("/etc/os-release", "re");
    while (file && !is_found && fgets(line, sizeof(line), file)) {
        bool is_id = strncmp(line, "ID=", 3) == 0 || strncmp(line, "ID_LIKE=", 8) == 0;
        is_found = is_id && strstr(line, word);
    }
    if (file) {
        fclose(file);
    }
    return is_found;
}

const char *platform_install_command(void)
{
    static const struct {
        const char *distribution;
        const char *command;
    } table[] = {
        { "ubuntu", "sudo snap install chromium" }, { "debian", "sudo apt-get install chromium" },
        { "fedora", "sudo dnf install chromium" },  { "rhel", "sudo dnf install chromium" },
        { "suse", "sudo zypper install chromium" }, { "arch", "sudo pacman -S chromium" },
        { "alpine", "sudo apk add chromium" },
    };
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (os_release_names(table[i].distribution)) {
            return table[i].command;
        }
    }
    return "see https://www.google.com/chrome/";
}
