/*
 * The container behind `struct br_action`: a type, parameters as JSON values, and where each of
 * them stood in its source. What is a valid action is known to runner/actions alone.
 */
#ifndef RUNNER_BASE_ACTION_H
#define RUNNER_BASE_ACTION_H

#include "runner/base/memory.h"

#include <browser_runner/action.h>
#include <jansson.h>

/* Counted from 1; 0 where there is no source text. */
struct source_position {
    unsigned line, column;
};

/* From the place of `c` to that of the next byte; `last` is the byte before it. */
void source_position_advance(struct source_position *position, char last, char c);

/* The place behind the text, which is at `position`. Columns are counted in characters. */
struct source_position source_position_behind(struct source_position position, const char *text,
                                              size_t length);

/* The call of a tool, as a model's provider sends it, that an action came as. */
enum action_call {
    CALL_NONE,
    CALL_ANTHROPIC,
    CALL_CHAT,      /* OpenAI, chat completions */
    CALL_RESPONSES, /* OpenAI, responses */
    CALL_GEMINI,
};

struct action_type; /* of runner/actions */

struct br_action {
    char *type;                     /* never NULL */
    const struct action_type *kind; /* the type that it was validated as; NULL before */
    char *path; /* "diagnose.steps[2].action", of one inside of another; NULL: it is by itself */
    struct source_position position;
    json_t *params; /* object: name to value */
    enum action_call call;
    char *call_id;   /* of this call; NULL: it has none */
    char *call_name; /* of the tool, where it is not the type; NULL: it is, or there is none */
    struct action_source {
        char *path; /* "url"; a member of a parameter has a dotted one: "to.text" */
        char *text; /* as it was written; or NULL */
        struct source_position position;
    } * sources; /* of those parameters that came from a source text */
    size_t source_count, source_capacity;
};

/* Never NULL. Caller frees with br_action_destroy(). */
struct br_action *action_create(const char *type, struct source_position position);

/*
 * Adds a parameter, takes ownership of value. False, adding nothing, if the name is there. A
 * position with line 0 is none.
 */
bool action_add(struct br_action *action, const char *name, json_t *value,
                struct source_position position);

/*
 * Remembers where a parameter, or by a dotted path ("to.text") a member of one, stood in its source
 * text, and that text: `text` is copied, NULL for none. Each path is added once.
 */
void action_add_source(struct br_action *action, const char *path, const char *text,
                       struct source_position position);

/* Where the parameter or member stood; the action's own position when that is not known. */
struct source_position action_param_position(const struct br_action *action, const char *path);

/*
 * The text that a parameter or member was written as, "1.50" for the number 1.5: for parameters
 * that are text whatever it looks like. NULL when it came as JSON or as nested elements. Borrowed.
 */
const char *action_param_text(const struct br_action *action, const char *path);

DEFINE_CLEANUP(struct br_action *, cleanup_action, br_action_destroy)
#define CLEANUP_ACTION CLEANUP(cleanup_action)

#endif
