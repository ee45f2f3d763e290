/*
 * A call of a tool while it runs: asks the daemon of warm sessions, and collects the blocks of the
 * answer within its limits. Belongs to the thread of the call.
 */
#ifndef RUNNER_SERVERS_MCP_CALL_H
#define RUNNER_SERVERS_MCP_CALL_H

#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/strbuf.h"

#include <jansson.h>

struct mcp_files;
struct local_client;

struct mcp_call {
    const char *session; /* its name in the daemon; NULL: the call needs none */
    const char *const *check_options, *directory; /* see struct mcp_options */
    const json_t *settings;  /* "settings" and "defaults" of a request that opens the session */
    bool opens;              /* opens the session if it does not exist */
    struct mcp_files *files; /* the server's */
    int cancel_fd;           /* readable when the client cancels */
    struct deadline deadline;
    size_t max_length; /* of the text, in bytes */

    struct strbuf text;
    const char *media;     /* type of the text of a resource; NULL: text/plain */
    json_t *blocks;        /* what follows the text: pictures and links */
    size_t picture_length; /* of the pictures' base64 */
    bool has_failed;
    enum br_code code; /* of the last error that is not in a response */
};

/* The usual limits of one answer. */
enum { MCP_CALL_MS = 45000, MCP_TEXT = 8000, MCP_ERROR_TEXT = 10000, MCP_PICTURES = 900 * 1000 };

/* Finish the call also after a failure. */
void mcp_call_init(struct mcp_call *call);
void mcp_call_finish(struct mcp_call *call);

/*
 * Runs one instruction in the session, and returns its response; NULL with the error if there is
 * none. Caller decrefs.
 */
json_t *mcp_ask(struct mcp_call *call, const json_t *instruction, struct br_error *err);

/*
 * Opens the session. It ends when the connection that is returned is closed. NULL with the error.
 */
struct local_client *mcp_keep_session(struct mcp_call *call, struct br_error *err);

/* Ends the session, and returns when it has ended. */
bool mcp_stop_session(struct mcp_call *call, struct br_error *err);

/*
 * Adds the response as text, its pictures as blocks. is_bare: a success is its result alone.
 * Returns whether it is a success.
 */
bool mcp_add_response(struct mcp_call *call, const json_t *instruction, const json_t *response,
                      bool is_bare);

/* Adds an error that is not in a response. Returns false. */
bool mcp_add_error(struct mcp_call *call, const struct br_error *err);

/* Adds what changed on the page, or the page, as local_client_look(). */
bool mcp_add_look(struct mcp_call *call);

/* A local_snapshot whose data is the call. */
char *mcp_look(void *call, json_t *action);

/* Returns the result of the tool: content and isError. Caller decrefs. */
json_t *mcp_call_result(struct mcp_call *call);

/* Returns the contents of a resource that was read, its block or else the text. Caller decrefs. */
json_t *mcp_call_contents(struct mcp_call *call, const char *uri);

/* The files that answers of a server refer to, in a directory of their own. */
struct mcp_files *mcp_files_create(void);
void mcp_files_destroy(struct mcp_files *files); /* removes them */

/*
 * Writes a file with a new name. label: what mcp_files_last() finds it by; NULL: nothing. Returns
 * its path, or NULL with the error. Any thread. Caller frees.
 */
char *mcp_files_add(struct mcp_files *files, const char *label, const char *extension,
                    const void *bytes, size_t size, struct br_error *err);

/* Returns the path of the newest file with the label; NULL if there is none. Caller frees. */
char *mcp_files_last(struct mcp_files *files, const char *label);

#endif
