#include "runner/chrome/handlers.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Before asking, Chrome runs xdg-settings to find out whether it is itself the handler of the
 * link's scheme (shell_integration_linux.cc), and if so ignores the link. No preference does that,
 * and a policy would show an error page. The comment in the script names the subcommands that start
 * scripts of Chrome search for in xdg-settings.
 */
static const char answer[] = "#!/bin/sh\n"
                             "# check default-web-browser, check default-url-scheme-handler\n"
                             "echo yes\n";

char *handlers_setting(const char *directory)
{
    struct br_error ignored;
    const char *path = getenv("PATH");
    CLEANUP_FREE char *programs = xasprintf("%s/bin", directory);
    CLEANUP_FREE char *program = xasprintf("%s/xdg-settings", programs);
    bool is_usable = !strchr(programs, ':') && (mkdir(programs, 0700) == 0 || errno == EEXIST) &&
                     file_write(program, answer, strlen(answer), &ignored) &&
                     chmod(program, 0700) == 0 && access(program, X_OK) == 0;
    return is_usable ? xasprintf("PATH=%s:%s", programs, path ? path : "/usr/bin:/bin") : NULL;
}
