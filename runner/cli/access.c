#include "runner/cli/access.h"

#include "runner/base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_FILE = 1024 * 1024,
    FORBIDDEN_MODE = S_IWGRP | S_IRWXO,
};

static const char blank[] = " \t";

static bool check_token(const char *value, struct br_error *err)
{
    if (value[strcspn(value, blank)]) {
        error_set(err, BR_INVALID_ACTION, "a token has no spaces");
        return error_hint(err, "give a comment a line of its own");
    }
    return true;
}

bool access_check_origin(const char *value, struct br_error *err)
{
    if (!gate_is_origin(value)) {
        error_set(err, BR_INVALID_ACTION, "this is not the origin of a page");
        return error_hint(err, "write it as browsers send it, in lower case, without a path and "
                               "without the usual port: https://app.example");
    }
    return true;
}

bool access_check_host(const char *value, struct br_error *err)
{
    if (!gate_is_host_name(value)) {
        error_set(err, BR_INVALID_ACTION, "this is not the name of a host");
        return error_hint(err, "write it without a scheme and a port: box.internal");
    }
    return true;
}

static const struct rule {
    const char *name;
    size_t list; /* where in struct access */
    bool (*check)(const char *value, struct br_error *err);
} rules[] = {
    { "token", offsetof(struct access, tokens), check_token },
    { "allow-origin", offsetof(struct access, origins), access_check_origin },
    { "allow-host", offsetof(struct access, hosts), access_check_host },
};
enum { RULES = sizeof(rules) / sizeof(rules[0]) };

/* Returns the rule of a line, with its value; NULL: there is none. */
static const struct rule *find_rule(char *line, char **ret_value)
{
    size_t length = strcspn(line, blank);
    for (size_t i = 0; i < RULES; i++) {
        if (strlen(rules[i].name) == length && memcmp(rules[i].name, line, length) == 0) {
            *ret_value = line + length + strspn(line + length, blank);
            return &rules[i];
        }
    }
    return NULL;
}

/* A byte that no header can have; a tab may stand between rule and value. */
static bool has_control(const char *line)
{
    for (const char *at = line; *at; at++) {
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == '\x7f') {
            return true;
        }
    }
    return false;
}

static bool read_line(struct access *access, char *line, struct br_error *err)
{
    line += strspn(line, blank);
    size_t length = strlen(line);
    while (length > 0 && strchr(" \t\r", line[length - 1])) {
        line[--length] = '\0';
    }
    if (length == 0 || *line == '#') {
        return true;
    }
    char *value = NULL;
    const struct rule *rule = find_rule(line, &value);
    if (!rule) {
        error_set(err, BR_INVALID_ACTION, "the first word of the line is not a rule");
        return error_hint(err, "begin it with token, allow-origin or allow-host");
    }
    if (!*value) {
        error_set(err, BR_INVALID_ACTION, "%s: the value is missing", rule->name);
        return error_hint(err, "add it, or remove the line");
    }
    if (has_control(value)) {
        error_set(err, BR_INVALID_ACTION, "%s: the value has a control character", rule->name);
        return error_hint(err, "remove it");
    }
    if (!rule->check(value, err)) {
        error_context(err, "%s", rule->name);
        return false;
    }
    cli_list_add((struct cli_list *)((char *)access + rule->list), value);
    return true;
}

static bool read_lines(struct access *access, const char *path, struct br_error *err)
{
    size_t number = 1;
    char *end = access->text + access->size;
    for (char *line = access->text; line < end; number++) {
        size_t length = (size_t)(end - line);
        char *newline = memchr(line, '\n', length);
        char *next = newline ? newline + 1 : end;
        bool has_nul = memchr(line, '\0', (size_t)((newline ? newline : end) - line));
        if (newline) {
            *newline = '\0';
        }
        if (has_nul) {
            error_set(err, BR_INVALID_ACTION, "%s, line %zu: the line has a NUL byte", path,
                      number);
            return error_hint(err, "write the file as text");
        }
        if (!read_line(access, line, err)) {
            error_context(err, "%s, line %zu", path, number);
            return false;
        }
        line = next;
    }
    return true;
}

static bool check_mode(const char *path, struct br_error *err)
{
    struct stat info;
    bool is_known = stat(path, &info) == 0;
    if (is_known && info.st_uid != geteuid() && info.st_uid != 0) {
        error_set(err, BR_INVALID_ACTION, "%s: it belongs to another user (%lu)", path,
                  (unsigned long)info.st_uid);
        return error_hint(err, "chown %lu %s", (unsigned long)geteuid(), path);
    }
    if (is_known && (info.st_mode & FORBIDDEN_MODE)) {
        error_set(err, BR_INVALID_ACTION, "%s: other users can read or change it, its mode is %04o",
                  path, (unsigned)info.st_mode & 07777);
        return error_hint(err, "chmod 600 %s, or 640 for a group that may read it", path);
    }
    return true;
}

static void add_all(struct cli_list *list, const struct cli_list *from)
{
    for (size_t i = 0; i < from->count; i++) {
        cli_list_add(list, from->items[i]);
    }
}

bool access_read(struct access *access, const struct cli_options *options, struct br_error *err)
{
    const char *path = options->access_file;
    *access = (struct access){ 0 };
    add_all(&access->origins, &options->allowed_origins);
    add_all(&access->hosts, &options->allowed_hosts);
    if (path) {
        access->text = check_mode(path, err) ? file_read(path, MAX_FILE, &access->size, err) : NULL;
        if (!access->text || !read_lines(access, path, err)) {
            error_context(err, "--access-file");
            access_finish(access);
            return false;
        }
    }
    const char *token = cli_token(options);
    access->has_file_tokens = access->tokens.count > 0;
    if (!access->has_file_tokens && token) {
        cli_list_add(&access->tokens, token);
    }
    return true;
}

void access_finish(struct access *access)
{
    if (access->text) {
        explicit_bzero(access->text, access->size);
    }
    free(access->text);
    free(access->tokens.items);
    free(access->origins.items);
    free(access->hosts.items);
    *access = (struct access){ 0 };
}

struct net_access access_lists(const struct access *access)
{
    return (struct net_access){ access->tokens.items, access->origins.items, access->hosts.items };
}
