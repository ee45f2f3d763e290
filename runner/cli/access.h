/*
 * Who may connect to a server, by its options and by the file of --access-file, which has a rule
 * and its value on each line:
 *   token SECRET
 *   allow-origin https://a.example
 *   allow-host box.internal
 * Empty lines and lines that begin with # are ignored.
 */
#ifndef RUNNER_CLI_ACCESS_H
#define RUNNER_CLI_ACCESS_H

#include "runner/cli/command.h"
#include "runner/net/server.h"

struct access {
    struct cli_list tokens, origins, hosts;
    bool has_file_tokens; /* they are the file's */
    char *text;           /* of the file, which the lists point into; NULL: none */
    size_t size;
};

/*
 * Tokens of the file replace the one of the options or the environment; its origins and names are
 * added to theirs. INVALID_ACTION for a mistake, with the file, the line and the cure, and for
 * a file that other users can read or change. Never quotes a line, which may be a token.
 */
bool access_read(struct access *access, const struct cli_options *options, struct br_error *err);
void access_finish(struct access *access);

struct net_access access_lists(const struct access *access);

/* Checks the value of --allow-origin and --allow-host. */
bool access_check_origin(const char *value, struct br_error *err);
bool access_check_host(const char *value, struct br_error *err);

#endif
