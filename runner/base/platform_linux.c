#include "runner/base/platform.h"

#include "runner/base/memory.h"
#include "runner/base/strbuf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

int platform_process_open(pid_t pid)
{
    /* Debian 12's glibc has the wrapper, older ones have only the system call. */
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* State and start time of a process, from /proc/<pid>/stat; false when there is none. */
static bool process_stat(pid_t pid, char *ret_state, uint64_t *ret_start_time)
{
    char path[64];
    char stat[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return false;
    }
    size_t length = fread(stat, 1, sizeof(stat) - 1, file);
    fclose(file);
    stat[length] = '\0';
    /* proc(5): the command in parentheses may hold anything; field 22 counts from behind it. */
    const char *rest = strrchr(stat, ')');
    unsigned long long start = 0;
    if (!rest || sscanf(rest + 1,
                        " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                        "%*d %*d %llu",
                        ret_state, &start) != 2) {
        return false;
    }
    *ret_start_time = start;
    return true;
}

uint64_t platform_process_start_time(pid_t pid)
{
    char state = 0;
    uint64_t start_time = 0;
    return process_stat(pid, &state, &start_time) ? start_time : 0;
}

bool platform_process_is_alive(pid_t pid)
{
    char state = 0;
    uint64_t start_time = 0;
    return process_stat(pid, &state, &start_time) && state != 'Z' && state != 'X';
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
    /* An address has room for 107 bytes; this detour has no such limit. */
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

int64_t platform_shared_memory_free(void)
{
    struct statvfs info;
    if (statvfs("/dev/shm", &info) != 0) {
        return -1;
    }
    return (int64_t)info.f_bavail * (int64_t)info.f_frsize;
}

const char *platform_memory_directory(void)
{
    static const char path[] = "/dev/shm";
    return access(path, W_OK | X_OK) == 0 ? path : NULL;
}

/* The value of a key in /etc/os-release, such as ID_LIKE, is looked at for a word. */
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
