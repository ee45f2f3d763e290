#include "runner/cli/option_setters.h"

#include "runner/base/json.h"

#include <errno.h>

#define DEFINE_SWITCH(name, param)                                                                 \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)value;                                                                               \
        (void)err;                                                                                 \
        json_object_set_new(options->snapshot, param, json_true());                                \
        return true;                                                                               \
    }
#define DEFINE_TEXT(name, param)                                                                   \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)err;                                                                                 \
        json_object_set_new(options->snapshot, param, json_text(value));                           \
        return true;                                                                               \
    }
#define DEFINE_FORMAT(name, format)                                                                \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        (void)value;                                                                               \
        (void)err;                                                                                 \
        json_object_set_new(options->snapshot, "format", json_string(format));                     \
        return true;                                                                               \
    }
#define DEFINE_NUMBER(name, param)                                                                 \
    bool name(struct cli_options *options, const char *value, struct br_error *err)                \
    {                                                                                              \
        return set_number(options, param, value, err);                                             \
    }

/* The range is checked together with the action's other parameters. */
static bool set_number(struct cli_options *options, const char *param, const char *value,
                       struct br_error *err)
{
    char *end = NULL;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end != '\0' || errno) {
        return error_set(err, BR_INVALID_ACTION, "\"%s\" is not a number", value);
    }
    json_object_set_new(options->snapshot, param, json_integer(number));
    return true;
}

DEFINE_FORMAT(snapshot_option_json, "json")
DEFINE_FORMAT(snapshot_option_markdown, "markdown")
DEFINE_SWITCH(snapshot_option_interactive, "interactive")
DEFINE_SWITCH(snapshot_option_in_viewport, "inViewport")
DEFINE_SWITCH(snapshot_option_boxes, "boxes")
DEFINE_SWITCH(snapshot_option_urls, "urls")
DEFINE_SWITCH(snapshot_option_all, "all")
DEFINE_SWITCH(snapshot_option_ignore_no_ai, "ignoreNoAi")
DEFINE_TEXT(snapshot_option_find, "find")
DEFINE_TEXT(snapshot_option_find_role, "findRole")
DEFINE_TEXT(snapshot_option_ax, "ax")
DEFINE_NUMBER(snapshot_option_depth, "depth")
DEFINE_NUMBER(snapshot_option_text_length, "textLength")
DEFINE_NUMBER(snapshot_option_max_tokens, "maxTokens")
