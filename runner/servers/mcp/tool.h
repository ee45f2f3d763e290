/* The tools, as a table: what each is called, which action it is, and how it answers. */
#ifndef RUNNER_SERVERS_MCP_TOOL_H
#define RUNNER_SERVERS_MCP_TOOL_H

#include "runner/actions/action_type.h"
#include "runner/servers/mcp/call.h"

/* What a tool does with its session, before it runs. */
enum mcp_session_use {
    MCP_USES,   /* must be open */
    MCP_OPENS,  /* is opened if it is not */
    MCP_CLOSES, /* is closed; the tool itself does nothing */
    MCP_NONE,
};

struct mcp_tool {
    const char *name;
    enum mcp_session_use use;
    const struct action_type *action; /* NULL: several, or none */
    const char *params;               /* of the action, in its schema */
    const char *required;             /* one of its arguments; NULL: none */
    bool only_reads, may_destroy;     /* for the annotations */
    bool is_content;                  /* returns content of pages: takes maxTokens */
    const char *text;                 /* for models */
    /* Adds the answer. The arguments are without session and maxTokens; may be changed. */
    void (*run)(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments);
};

/* The label of the reports of browser_check; no session has this name. */
#define MCP_REPORT "/report"

/* Returns NULL if there is none; *ret_nearest is then a similar name, or NULL. */
const struct mcp_tool *mcp_tool_find(const char *name, const char **ret_nearest);

/* Returns the tools for tools/list, always in the same order. Caller decrefs. */
json_t *mcp_tools(void);

/* What models are told about the server: at most 2 kB, since clients cut what is longer. */
extern const char mcp_instructions[];

/* Checks and runs one instruction, and adds its response. Returns whether it was a success. */
bool mcp_tool_action(struct mcp_call *call, const json_t *instruction, bool is_bare);

/* Runs a tool: takes maxTokens from the arguments, and checks the rest. */
void mcp_tool_run(const struct mcp_tool *tool, struct mcp_call *call, json_t *arguments);

/*
 * Resources are what clients may read without a call: the last picture, the page, its log and
 * requests, the report of the last check. Each is a tool whose answer is the contents. Finds the
 * one of browser://SESSION/NAME. *ret_session is NULL for the connection's own, and
 * otherwise freed by the caller. NULL if there is none.
 */
const struct mcp_tool *mcp_resource_find(const char *uri, char **ret_session);

/* Return the results of resources/list and resources/templates/list. Caller decrefs. */
json_t *mcp_resource_list(void);
json_t *mcp_resource_templates(void);

#endif
