/*
 * The messages of the Model Context Protocol, without a transport: reads a request of either
 * generation, and builds its answer. Legacy revisions (2025-03-26, 2025-06-18, 2025-11-25) begin
 * with `initialize`. Since 2026-07-28 each request carries its revision in `_meta`.
 */
#ifndef RUNNER_SERVERS_MCP_MESSAGE_H
#define RUNNER_SERVERS_MCP_MESSAGE_H

#include "runner/base/error.h"

#include <jansson.h>
#include <stdbool.h>

#define MCP_MODERN_VERSION "2026-07-28"

/* Codes of JSON-RPC and of MCP. */
enum mcp_code {
    MCP_PARSE_ERROR = -32700,
    MCP_INVALID_REQUEST = -32600,
    MCP_UNKNOWN_METHOD = -32601,
    MCP_INVALID_PARAMS = -32602,
    MCP_INTERNAL_ERROR = -32603,
    MCP_NO_RESOURCE_LEGACY = -32002,
    MCP_HEADER_MISMATCH = -32020,
    MCP_UNSUPPORTED_VERSION = -32022,
};

/* A request or a notification. The members are borrowed from the message that was read. */
struct mcp_message {
    json_t *id;         /* NULL: a notification */
    const char *method; /* NULL: a response, which is ignored */
    json_t *params;     /* an object; NULL: none */
    bool is_modern;
};

/*
 * Reads a message. Returns NULL, or the answer to an invalid one, which the caller decrefs. `root`
 * must outlive the message.
 */
json_t *mcp_message_read(json_t *root, struct mcp_message *ret_message);

/*
 * Returns the answer with a result, of which it takes ownership. lasts_ms: how long a modern client
 * may keep the result; -1: the method has no such statement. Caller decrefs.
 */
json_t *mcp_result(const struct mcp_message *message, json_t *result, int lasts_ms);

/* id NULL: unknown. Takes ownership of data, which may be NULL. Caller decrefs. */
json_t *mcp_error(json_t *id, enum mcp_code code, const char *text, json_t *data);

/* Returns the code of an error answer; 0: it is a result. */
int mcp_error_code(const json_t *answer);

/* Returns the answer to a request for a resource that does not exist. Caller decrefs. */
json_t *mcp_no_resource(const struct mcp_message *message, const char *uri, const char *text);

/* Returns the answers to `initialize` and `server/discover`. Caller decrefs. */
json_t *mcp_initialize(const struct mcp_message *message, const char *instructions);
json_t *mcp_discover(const struct mcp_message *message, const char *instructions);

/* The headers of a request over HTTP; NULL: not sent. */
enum mcp_header { MCP_HEADER_VERSION, MCP_HEADER_METHOD, MCP_HEADER_NAME };
extern const char *const mcp_header_names[]; /* in lower case with a colon; ends with NULL */

/*
 * Compares the headers with the message that was read. Returns NULL, or the answer to a request
 * whose headers do not fit. Caller decrefs.
 */
json_t *mcp_check_headers(const struct mcp_message *message, const char *const *headers);

/* Whether a legacy client may name this revision in the header MCP-Protocol-Version. */
bool mcp_is_legacy_version(const char *version);

#endif
