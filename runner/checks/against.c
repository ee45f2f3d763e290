#include "runner/checks/against.h"

#include "runner/base/memory.h"
#include "runner/base/platform.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"
#include "runner/checks/url.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OUTPUT = 64 * 1024, MAX_ARGUMENTS = 12 };

struct against {
    const struct suite *suite;
    char *label;
    char *folder; /* temporary, with the checked-out "tree"; NULL: the other side is an address */
    char *top;    /* the top folder of the repository */
    char *to;     /* the base of addresses; NULL: the suite's own */
    struct suite_server server;
    struct attempt_side side;
};

/* Runs git in a folder; returns what it printed, without the last newline. Caller frees. */
static char *run_git(const char *folder, const char *const *arguments, struct br_error *err)
{
    char *argv[MAX_ARGUMENTS + 4] = { (char *)"git", (char *)"-C", (char *)folder };
    CLEANUP_STRBUF struct strbuf output = STRBUF_INIT(MAX_OUTPUT);
    int pipe_fds[2];
    pid_t pid = 0;
    int status = 0;
    for (size_t i = 0; arguments[i] && i < MAX_ARGUMENTS; i++) {
        argv[3 + i] = (char *)arguments[i];
    }
    if (pipe2(pipe_fds, O_CLOEXEC) != 0) {
        error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot run git");
        return NULL;
    }
    const int fds[] = { -1, pipe_fds[1], pipe_fds[1] };
    const struct platform_start start = {
        .program = "git", .argv = argv, .fds = fds, .fd_count = 3
    };
    int failure = platform_process_start(&start, &pid);
    close(pipe_fds[1]);
    if (failure) {
        close(pipe_fds[0]);
        error_set_errno(err, BR_INVALID_ACTION, failure, "cannot run git");
        return NULL;
    }
    char block[4096];
    for (ssize_t count; (count = read(pipe_fds[0], block, sizeof(block))) != 0;) {
        if (count > 0) {
            strbuf_add(&output, block, (size_t)count);
        } else if (errno != EINTR) {
            break;
        }
    }
    close(pipe_fds[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    while (output.length > 0 && output.data[output.length - 1] == '\n') {
        output.data[--output.length] = '\0';
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        error_set(err, BR_INVALID_ACTION, "git %s: %s", arguments[0],
                  output.length ? output.data : "failed");
        return NULL;
    }
    return output.length ? strbuf_take(&output) : xstrdup("");
}

/* Checks the revision out, without changing the user's own files. */
static bool check_out(struct against *against, const char *name, struct br_error *err)
{
    const char *temporary = getenv("TMPDIR");
    const char *directory = against->suite->directory;
    CLEANUP_FREE char *commit = xasprintf("%s^{commit}", name);
    CLEANUP_FREE char *hash = run_git(directory,
                                      (const char *const[]){ "rev-parse", "--verify", "--short",
                                                             "--end-of-options", commit, NULL },
                                      err);
    if (!hash) {
        error_set(err, BR_INVALID_ACTION,
                  "\"%.200s\" is neither an address nor a revision of the "
                  "suite's git repository",
                  name);
        return error_hint(err, "write an address as https://example.com, or localhost:3000");
    }
    against->label = xasprintf("%s (%s)", name, hash);
    against->top =
        run_git(directory, (const char *const[]){ "rev-parse", "--show-toplevel", NULL }, err);
    if (!against->top) {
        return false;
    }
    CLEANUP_FREE char *folder =
        xasprintf("%s/browser-runner-against-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        return error_set_errno(err, BR_UNKNOWN_ERROR, errno, "cannot create %s", folder);
    }
    against->folder = TAKE(folder);
    CLEANUP_FREE char *tree = xasprintf("%s/tree", against->folder);
    CLEANUP_FREE char *said = run_git(
        directory,
        (const char *const[]){ "worktree", "add", "--quiet", "--detach", tree, hash, NULL }, err);
    return said;
}

/* Returns the place of a path of the repository among the checked-out files. Caller frees. */
static char *moved_path(const struct against *against, const char *path)
{
    size_t length = strlen(against->top);
    bool is_inside = strncmp(path, against->top, length) == 0 && strchr("/", path[length]);
    return is_inside ? xasprintf("%s/tree%s", against->folder, path + length) : NULL;
}

static bool move_server(struct against *against, struct br_error *err)
{
    const struct suite_server *server = &against->suite->server;
    if (!server->command) {
        error_set(err, BR_INVALID_ACTION,
                  "--against a revision needs a \"server\" that can be started for it");
        return error_hint(err, "or a folder as \"baseUrl\", or compare with an address");
    }
    against->server = *server;
    against->server.is_reused = false;
    against->server.directory = moved_path(against, server->directory);
    return against->server.directory ||
           error_set(err, BR_INVALID_ACTION, "the server's folder %s is outside the repository %s",
                     server->directory, against->top);
}

/* A site of files is that of the revision; otherwise its server is started at the same address. */
static bool use_revision(struct against *against, const char *name, struct br_error *err)
{
    static const char scheme[] = "file://";
    const char *base = against->suite->base_url;
    if (!check_out(against, name, err)) {
        return false;
    }
    if (strncmp(base, scheme, strlen(scheme)) != 0) {
        return move_server(against, err);
    }
    CLEANUP_FREE char *top = url_from_path(against->top);
    CLEANUP_FREE char *tree = xasprintf("%s/tree", against->folder);
    size_t length = strlen(top);
    if (strncmp(base, top, length) != 0 || base[length] != '/') {
        return error_set(err, BR_INVALID_ACTION,
                         "the folder \"baseUrl\" is outside the repository %s", against->top);
    }
    CLEANUP_FREE char *moved = url_from_path(tree);
    against->to = xasprintf("%s%s", moved, base + length);
    return true;
}

static bool use_address(struct against *against, const char *address, struct br_error *err)
{
    if (!url_is_web(against->suite->base_url)) {
        return error_set(err, BR_INVALID_ACTION,
                         "--against an address needs an address as \"baseUrl\"");
    }
    size_t origin = url_origin_length(address);
    against->to = xasprintf("%s%s", address, address[origin] ? "" : "/");
    against->label = xstrdup(against->to);
    if (strcmp(against->to, against->suite->base_url) == 0) {
        return error_set(err, BR_INVALID_ACTION, "--against %s is the suite's own baseUrl",
                         address);
    }
    return true;
}

/* Whether it is an address without a scheme: localhost:3000, example.com/app. */
static bool is_host(const char *name)
{
    CLEANUP_FREE char *complete = url_complete(name);
    size_t length = strcspn(name, "/");
    CLEANUP_FREE char *host = xstrndup(name, length);
    return url_is_web(complete) && (strchr(host, ':') || strcmp(host, "localhost") == 0);
}

struct against *against_open(const struct suite *suite, const char *name, struct br_error *err)
{
    struct against *against = xcalloc(1, sizeof(*against));
    CLEANUP_FREE char *address = url_is_web(name) || is_host(name) ? url_complete(name) : NULL;
    bool is_done = false;
    against->suite = suite;
    if (!suite->base_url) {
        error_set(err, BR_INVALID_ACTION, "--against needs a \"baseUrl\" in the suite");
    } else {
        is_done = address ? use_address(against, address, err) : use_revision(against, name, err);
    }
    if (!is_done) {
        against_close(against);
        return NULL;
    }
    against->side = (struct attempt_side){
        .from = suite->base_url,
        .to = against->to,
    };
    return against;
}

void against_close(struct against *against)
{
    struct br_error ignored;
    if (!against) {
        return;
    }
    if (against->folder) {
        CLEANUP_FREE char *tree = xasprintf("%s/tree", against->folder);
        free(run_git(against->suite->directory,
                     (const char *const[]){ "worktree", "remove", "--force", tree, NULL },
                     &ignored));
        rmdir(against->folder);
    }
    free(against->server.directory);
    free(against->label);
    free(against->folder);
    free(against->top);
    free(against->to);
    free(against);
}

const char *against_label(const struct against *against)
{
    return against->label;
}

const struct suite_server *against_server(const struct against *against)
{
    return against->server.command ? &against->server : NULL;
}

const struct attempt_side *against_side(const struct against *against)
{
    return &against->side;
}
