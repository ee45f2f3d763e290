#include "runner/formats/tool_call.h"

#include "runner/base/json.h"

#include <string.h>

/* Where each provider's call has its parts. */
struct call_form {
    const char *type;   /* the call's "type"; NULL: it has none */
    const char *holder; /* the member with name and arguments; NULL: the call itself */
    const char *arguments;
    bool is_text; /* the arguments are JSON in a string */
    const char *id;
    bool is_id_in_holder;
};

static const struct call_form forms[] = {
    [CALL_ANTHROPIC] = { "tool_use", NULL, "input", false, "id", false },
    [CALL_CHAT] = { "function", "function", "arguments", true, "id", false },
    [CALL_RESPONSES] = { "function_call", NULL, "arguments", true, "call_id", false },
    [CALL_GEMINI] = { NULL, "functionCall", "args", false, "id", true },
};
enum { FORM_COUNT = sizeof(forms) / sizeof(forms[0]) };

enum action_call tool_call_kind(const json_t *object)
{
    const char *type = json_member_string(object, "type");
    for (size_t i = CALL_NONE + 1; i < FORM_COUNT; i++) {
        bool is_of_form = forms[i].type ? type && strcmp(type, forms[i].type) == 0
                                        : !type && json_object_get(object, forms[i].holder);
        if (is_of_form) {
            return (enum action_call)i;
        }
    }
    return CALL_NONE;
}

/* Returns NULL with INVALID_ACTION on failure. Caller decrefs. */
static json_t *read_arguments(const struct call_form *form, const json_t *holder,
                              struct br_error *err)
{
    struct br_error why;
    json_t *value = json_object_get(holder, form->arguments);
    const char *text = json_string_value(value);
    if (!value || json_is_null(value) || (text && *text == '\0')) {
        return json_object();
    }
    json_auto_t *arguments = form->is_text && text
                                 ? json_parse(text, json_string_length(value), "it", &why)
                                 : json_incref(value);
    if (!arguments) {
        error_set(err, BR_INVALID_ACTION, "\"%s\": %s", form->arguments, why.message);
        error_hint(
            err,
            "write it as the text of a JSON object, such as \"{\\\"selector\\\": \\\"#go\\\"}\"");
        return NULL;
    }
    if (!json_is_object(arguments)) {
        error_set(err, BR_INVALID_ACTION, "\"%s\" is not an object", form->arguments);
        error_hint(err, "write parameters by their names, such as {\"selector\": \"#go\"}");
        return NULL;
    }
    return json_deep_copy(arguments);
}

/* The tool of backends that offer their model all actions as one tool. */
static const char one_tool[] = "browser_action";

/* For a call of that tool: takes the action's type from its arguments. */
static bool take_type(struct br_action *action, struct br_error *err)
{
    static const char *const keys[] = { "action", "type" };
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        json_t *value = json_object_get(action->params, keys[i]);
        const char *type = json_string_value(value);
        if (type && *type && strlen(type) == json_string_length(value)) {
            action->call_name = TAKE(action->type);
            action->type = xstrdup(type);
            json_object_del(action->params, keys[i]);
            return true;
        }
    }
    error_set(err, BR_INVALID_ACTION, "a call of %s has no action", one_tool);
    return error_hint(err, "say which one, such as {\"action\": \"click\", \"selector\": "
                           "\"#go\"}");
}

bool tool_call_read(const json_t *object, struct br_action *action, struct br_error *err)
{
    action->call = tool_call_kind(object);
    const struct call_form *form = &forms[action->call];
    const json_t *holder = form->holder ? json_object_get(object, form->holder) : object;
    const char *id = json_member_string(form->is_id_in_holder ? holder : object, form->id);
    const char *name = json_member_string(holder, "name");
    free(action->call_id);
    action->call_id = xstrdup(id);
    if (!name || *name == '\0' ||
        strlen(name) != json_string_length(json_object_get(holder, "name"))) {
        error_set(err, BR_INVALID_ACTION, "a tool call has no name");
        return error_hint(err, "the \"name\" is the action's type, such as \"click\"");
    }
    free(action->type);
    action->type = xstrdup(name);
    json_t *arguments = read_arguments(form, holder, err);
    if (!arguments) {
        return false;
    }
    json_decref(action->params);
    action->params = arguments;
    return strcmp(name, one_tool) != 0 || take_type(action, err);
}

static json_t *answer_anthropic(const struct tool_call *call, const json_t *message)
{
    return json_pack("[{s:s, s:[{s:s, s:s, s:O, s:o*}]}]", "role", "user", "content", "type",
                     "tool_result", "tool_use_id", call->id, "content",
                     json_object_get(message, "content"), "is_error",
                     call->has_failed ? json_true() : NULL);
}

/* The text is the response's JSON, and comes first; the pictures remain separate parts. */
static json_t *answer_gemini(const struct tool_call *call, const json_t *message)
{
    json_t *parts = json_copy(json_object_get(message, "parts"));
    json_t *text = json_object_get(json_array_get(parts, 0), "text");
    json_array_set_new(parts, 0,
                       json_pack("{s:{s:s*, s:o, s:{s:O}}}", "functionResponse", "id", call->id,
                                 "name", json_text(call->name), "response",
                                 call->has_failed ? "error" : "output", text));
    return json_pack("[{s:s, s:o}]", "role", "user", "parts", parts);
}

/* Converts the blocks of a chat message to those of OpenAI's responses. */
static json_t *answer_responses(const struct tool_call *call, const json_t *message)
{
    size_t index;
    json_t *block;
    json_t *content = json_object_get(message, "content");
    json_t *output = json_array();
    json_array_foreach (content, index, block) {
        const json_t *image = json_object_get(block, "image_url");
        json_array_append_new(output, image ? json_pack("{s:s, s:O}", "type", "input_image",
                                                        "image_url", json_object_get(image, "url"))
                                            : json_pack("{s:s, s:O}", "type", "input_text", "text",
                                                        json_object_get(block, "text")));
    }
    if (!json_is_array(content)) {
        json_decref(output);
        output = json_incref(content);
    }
    return json_pack("[{s:s, s:s, s:o}]", "type", "function_call_output", "call_id", call->id,
                     "output", output);
}

/* Messages of the role `tool` cannot contain pictures. */
static json_t *answer_chat(const struct tool_call *call, const json_t *message)
{
    size_t index;
    json_t *block;
    json_t *content = json_object_get(message, "content");
    json_auto_t *texts = json_array();
    json_auto_t *pictures = json_array();
    json_array_foreach (content, index, block) {
        json_array_append(message_is_picture(block) ? pictures : texts, block);
    }
    json_t *answer = json_pack("[{s:s, s:s, s:O}]", "role", "tool", "tool_call_id", call->id,
                               "content", json_is_array(content) ? texts : content);
    if (json_array_size(pictures) > 0) {
        json_array_append_new(answer, json_pack("{s:s, s:O}", "role", "user", "content", pictures));
    }
    return answer;
}

json_t *tool_call_answer(const struct tool_call *call, enum message_form form,
                         const json_t *message)
{
    if (form == MESSAGE_GEMINI) {
        return answer_gemini(call, message);
    }
    if (!call->id) {
        return json_pack("[O]", message);
    }
    if (form == MESSAGE_ANTHROPIC) {
        return answer_anthropic(call, message);
    }
    return call->kind == CALL_RESPONSES ? answer_responses(call, message)
                                        : answer_chat(call, message);
}
