#include "runner/base/platform.h"

#include "runner/base/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

int platform_process_open(pid_t pid)
{
    /* Debian 12's glibc has the wrapper, older ones have only the system call. */
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

uint64_t platform_process_start_time(pid_t pid)
{
    char path[64];
    char stat[1024];
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file) {
        return 0;
    }
    size_t length = fread(stat, 1, sizeof(stat) - 1, file);
    fclose(file);
    stat[length] = '\0';
    /* proc(5): the command in parentheses may hold anything; field 22 counts from behind it. */
    const char *rest = strrchr(stat, ')');
    unsigned long long start = 0;
    if (!rest || sscanf(rest + 1,
                        " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                        "%*d %*d %llu",
                        &start) != 1) {
        return 0;
    }
    return start;
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
