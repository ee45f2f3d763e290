/*
 * The container behind `struct br_action`: a type, parameters as JSON values, and the position of
 * each in its source text. Only runner/actions knows which actions are valid.
 */
#ifndef RUNNER_BASE_ACTION_H
#define RUNNER_BASE_ACTION_H

#include "runner/base/memory.h"

#include <browser_runner/action.h>
#include <jansson.h>

/* Counts from 1; 0 without a source text. */
struct source_position {
    unsigned line, column;
};

/* Advances the position by the byte `c`; `last` is the byte before it. */
void source_position_advance(struct source_position *position, char last, char c);

/* Returns the position after the text, which begins at `position`. Columns count characters. */
struct source_position source_position_behind(struct source_position position, const char *text,
                                              size_t length);

/* The form of tool call, by a model's provider, in which the action arrived. */
enum action_call {
    CALL_NONE,
    CALL_ANTHROPIC,
    CALL_CHAT,      /* OpenAI, chat completions */
    CALL_RESPONSES, /* OpenAI, responses */
    CALL_GEMINI,
};

struct action_type; /* declared in runner/actions */

struct br_action {
    char *type;                     /* never NULL */
    const struct action_type *kind; /* the type that validated it; NULL before that */
    bool is_part; /* its command goes on with another action: after a success the page is not
                     described, and what arrives later is for that action's response */
    char *path;   /* "diagnose.steps[2].action" for a nested action; NULL: a top-level action */
    struct source_position position;
    json_t *params; /* object: name to value */
    enum action_call call;
    char *call_id;   /* id of the tool call; NULL: none */
    char *call_name; /* the tool's name if it is not the type; NULL otherwise */
    struct action_source {
        char *path; /* "url"; a member of a parameter has a dotted one: "to.text" */
        char *text; /* as written in the source; or NULL */
        struct source_position position;
    } * sources; /* one for each parameter that came from a source text */
    size_t source_count, source_capacity;
};

/* Never NULL. Caller frees with br_action_destroy(). */
struct br_action *action_create(const char *type, struct source_position position);

/*
 * Adds a parameter and takes ownership of value. Returns false, adding nothing, if the name exists.
 * A position with line 0 means that there is none.
 */
bool action_add(struct br_action *action, const char *name, json_t *value,
                struct source_position position);

/*
 * Records the position and the source text of a parameter, or of a member by a dotted path
 * ("to.text"). `text` is copied; NULL for none. Add each path only once.
 */
void action_add_source(struct br_action *action, const char *path, const char *text,
                       struct source_position position);

/* Returns the position of the parameter or member; the action's own position if that is unknown. */
struct source_position action_param_position(const struct br_action *action, const char *path);

/*
 * Returns the source text of a parameter or member, such as "1.50" for the number 1.5, for string
 * parameters that look like other JSON. NULL if it came as JSON or as nested elements. Borrowed.
 */
const char *action_param_text(const struct br_action *action, const char *path);

DEFINE_CLEANUP(struct br_action *, cleanup_action, br_action_destroy)
#define CLEANUP_ACTION CLEANUP(cleanup_action)

#endif
