#include "runner/actions/actions.h"

#include "runner/base/json.h"
#include "runner/snapshot/print.h"

#include <string.h>

enum {
    MAX_LENGTH = 10000000, /* characters of one text */
    USUAL_LENGTH = 5000,
    MAX_SHOWN_DEPTH = 1000,
};

enum form { FORM_TEXT, FORM_JSON, FORM_MARKDOWN };
static const char *const forms[] = { "text", "json", "markdown", NULL };

/* In the order of enum snapshot_ax. */
static const char *const ax_choices[] = { "auto", "none", "full", NULL };

static const struct param params[] = {
    { .name = "format", .kind = PARAM_CHOICE, .choices = forms },
    { .name = "interactive", .kind = PARAM_BOOLEAN },
    { .name = "inViewport", .kind = PARAM_BOOLEAN },
    { .name = "depth", .kind = PARAM_INTEGER, .min = 1, .max = MAX_SHOWN_DEPTH },
    { .name = "boxes", .kind = PARAM_BOOLEAN },
    { .name = "urls", .kind = PARAM_BOOLEAN },
    { .name = "textLength", .kind = PARAM_INTEGER, .min = 0, .max = MAX_LENGTH },
    { .name = "maxTokens", .kind = PARAM_INTEGER, .min = 1, .max = INT32_MAX },
    { .name = "diff", .kind = PARAM_BOOLEAN },
    { .name = "find", .kind = PARAM_NAME },
    { .name = "findRole", .kind = PARAM_NAME },
    { .name = "all", .kind = PARAM_BOOLEAN },
    { .name = "ax", .kind = PARAM_CHOICE, .choices = ax_choices },
    { .name = "ignoreNoAi", .kind = PARAM_BOOLEAN },
    { 0 },
};

static enum form form_of(const struct br_action *action)
{
    return (enum form)param_choice(action, "format", forms, FORM_TEXT);
}

/* What only some forms have. */
static bool check_form(const struct br_action *action, struct br_error *err)
{
    static const struct {
        const char *name;
        unsigned forms; /* bits of those that have it */
    } bound[] = {
        { "diff", 1U << FORM_TEXT },
        { "all", 1U << FORM_JSON },
        { "boxes", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "urls", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "maxTokens", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "interactive", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "depth", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "find", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "findRole", 1U << FORM_TEXT | 1U << FORM_JSON },
        { "inViewport", 1U << FORM_TEXT | 1U << FORM_JSON },
    };
    enum form form = form_of(action);
    for (size_t i = 0; i < sizeof(bound) / sizeof(bound[0]); i++) {
        if (param_is_given(action, bound[i].name) && !(bound[i].forms & 1U << form)) {
            param_error(action, bound[i].name, err, "is not there for the format %s", forms[form]);
            return error_hint(err, "leave it out, or choose another format");
        }
    }
    return true;
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    const char *role = param_text(action, "findRole", NULL);
    if (role && snapshot_role_from_name(role) == ROLE_UNKNOWN) {
        param_error(action, "findRole", err, "\"%s\" is no role", role);
        return error_hint(err, "write one of WAI-ARIA: button, link, textbox, heading");
    }
    return check_form(action, err);
}

static struct outline_options outline_options_of(const struct br_action *action)
{
    const char *role = param_text(action, "findRole", NULL);
    bool is_all = param_boolean(action, "all", false);
    return (struct outline_options){
        .root = SNAPSHOT_NONE,
        .is_interactive = param_boolean(action, "interactive", false),
        .is_in_viewport = param_boolean(action, "inViewport", false),
        .is_all = is_all,
        .keeps_left_out = param_boolean(action, "ignoreNoAi", false),
        .has_all_ids = form_of(action) == FORM_JSON,
        .depth = (int)param_integer(action, "depth", 0),
        .find_text = param_text(action, "find", NULL),
        .find_role = role ? snapshot_role_from_name(role) : ROLE_UNKNOWN,
    };
}

static struct print_options print_options_of(const struct br_action *action)
{
    return (struct print_options){
        .has_boxes = param_boolean(action, "boxes", false),
        .has_urls = param_boolean(action, "urls", false),
        .text_length = (int)param_integer(action, "textLength", USUAL_LENGTH),
        .max_tokens = param_integer(action, "maxTokens", 0),
    };
}

/* The node that the snapshot begins with; NONE: the page. */
static bool find_root(struct action_run *run, const struct snapshot *snapshot,
                      const struct page_node *node, int *ret_root, struct br_error *err)
{
    *ret_root = SNAPSHOT_NONE;
    if (!node->backend_id) {
        return true;
    }
    *ret_root = snapshot_find(snapshot, &(struct snapshot_identity){
                                            .frame_id = node->frame_id,
                                            .loader_id = node->loader_id,
                                            .backend_id = node->backend_id,
                                        });
    (void)run;
    return *ret_root != SNAPSHOT_NONE ||
           error_set(err, BR_STALE_NODE, "%s is not on the page any more", node->label);
}

/* What an element of the page is to begin with. */
static bool choose_root(struct action_run *run, struct page_node *ret_node, struct br_error *err)
{
    struct page_target target;
    *ret_node = (struct page_node){ 0 };
    if (!action_names_element(run->action)) {
        return true;
    }
    if (!action_find_target(run, run->action, &target, err)) {
        return false;
    }
    *ret_node = target.node;
    return target.node.backend_id || page_locate_node(run->page, &target, ret_node, err);
}

/* The text, or what has changed since the one before. */
static json_t *text_result(struct action_run *run, const struct outline *outline,
                           const struct print_options *options)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    bool is_diff = param_boolean(run->action, "diff", false);
    int cut = 0;
    print_text(outline, options, &text, &cut);
    if (is_diff) {
        print_difference(snapshot_store_text(run->snapshots), text.data, &difference);
    }
    snapshot_store_set_text(run->snapshots, text.data);
    json_t *result = json_pack("{s:s, s:o}", "format", "text", "text",
                               json_text(is_diff ? difference.data : text.data));
    if (cut) {
        json_object_set_new(result, "leftOut", json_integer(cut));
    }
    return result;
}

static json_t *json_result(const struct outline *outline, const struct print_options *options)
{
    int cut = 0;
    json_t *result = print_json(outline, options, &cut);
    json_object_set_new(result, "format", json_string("json"));
    if (cut) {
        json_object_set_new(result, "leftOut", json_integer(cut));
    }
    return result;
}

static json_t *markdown_result(const struct snapshot *snapshot, const struct outline_options *shown,
                               const struct print_options *options)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    print_markdown(snapshot->tree, snapshot->semantics, shown, options->text_length, &text);
    return json_pack("{s:s, s:o}", "format", "markdown", "text", json_text(text.data));
}

static json_t *outline_result(struct action_run *run, const struct snapshot *snapshot,
                              const struct outline_options *shown,
                              const struct print_options *options, enum snapshot_ax ax)
{
    struct outline *outline =
        outline_create(snapshot->tree, snapshot->semantics, snapshot->visibility, shown,
                       snapshot_store_ids(run->snapshots));
    json_t *result = form_of(run->action) == FORM_JSON ? json_result(outline, options)
                                                       : text_result(run, outline, options);
    snapshot_store_show(run->snapshots, outline, ax);
    if (outline->left_out) {
        log_tool(run->logs, BR_LOG_INFO, "snapshot",
                 "parts of the page that are not for models (data-no-ai) are left out: %d",
                 outline->left_out);
    }
    outline_destroy(outline);
    return result;
}

static bool run_snapshot(struct action_run *run, struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct page_node node;
    struct outline_options shown = outline_options_of(run->action);
    struct print_options options = print_options_of(run->action);
    enum snapshot_ax ax =
        (enum snapshot_ax)param_choice(run->action, "ax", ax_choices, SNAPSHOT_AX_AUTO);
    if (!choose_root(run, &node, err) ||
        !snapshot_take(run->page, ax, snapshot_store_ids(run->snapshots), &snapshot, err) ||
        !find_root(run, &snapshot, &node, &shown.root, err)) {
        return false;
    }
    json_auto_t *result = form_of(run->action) == FORM_MARKDOWN
                              ? markdown_result(&snapshot, &shown, &options)
                              : outline_result(run, &snapshot, &shown, &options, ax);
    run->response->result = json_dumps(result, JSON_COMPACT);
    return run->response->result ||
           error_set(err, BR_LIMIT_EXCEEDED, "the snapshot is nested too deeply to be written");
}

const struct action_type action_snapshot = {
    .name = "snapshot",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .validate = validate,
    .run = run_snapshot,
};
