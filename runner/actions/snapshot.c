#include "runner/actions/actions.h"
#include "runner/actions/snapshot_parts.h"
#include "runner/base/clock.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/observe/stream.h"
#include "runner/page/core/frames.h"
#include "runner/page/element/identify.h"
#include "runner/page/element/named.h"
#include "runner/snapshot/markdown/markdown.h"
#include "runner/snapshot/outline/create.h"
#include "runner/snapshot/outline/difference.h"
#include "runner/snapshot/outline/json.h"
#include "runner/snapshot/outline/text.h"

#include <string.h>

enum {
    MAX_LENGTH = 10000000, /* characters of one text */
    USUAL_LENGTH = 5000,
    MAX_SHOWN_DEPTH = 1000,
    MAX_SCREENS = 100, /* that are scrolled through */
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
    { .name = "pictures", .kind = PARAM_INTEGER, .min = 1, .max = SNAPSHOT_MAX_PICTURES },
    { .name = "stats", .kind = PARAM_BOOLEAN },
    { .name = "scroll", .kind = PARAM_INTEGER, .min = 1, .max = MAX_SCREENS },
    { 0 },
};

static enum form form_of(const struct br_action *action)
{
    return (enum form)param_choice(action, "format", forms, FORM_TEXT);
}

static bool hint_forms(unsigned with, struct br_error *err)
{
    CLEANUP_STRBUF struct strbuf list = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; forms[i]; i++) {
        if (with & 1U << i) {
            strbuf_add_format(&list, "%s%s", list.length ? " or " : "", forms[i]);
        }
    }
    return error_hint(err, "leave it out, or choose the format %s", list.data);
}

/* What only some forms have. */
static bool check_form(const struct br_action *action, struct br_error *err)
{
    static const struct {
        const char *name;
        unsigned forms; /* bits of those that have it */
    } bound[] = {
        { "diff", 1U << FORM_TEXT },
        { "pictures", 1U << FORM_TEXT | 1U << FORM_JSON },
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
            return hint_forms(bound[i].forms, err);
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
    if (param_is_given(action, "scroll") && param_boolean(action, "diff", false)) {
        return param_error(action, "scroll", err, "tells what each screen adds, and not with diff");
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
static bool find_root(const struct snapshot *snapshot, const struct page_node *node, int *ret_root,
                      struct br_error *err)
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
    if (*ret_root != SNAPSHOT_NONE) {
        return true;
    }
    error_set(err, BR_STALE_NODE, "%s is not on the page any more", node->label);
    return error_hint(err, "take the snapshot again, of the whole page or of what is there now");
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

/* What of the page is shown and how, as a key: the parameters of this action alone. */
static char *view_of(const struct br_action *action)
{
    json_auto_t *shown = json_copy(action->params);
    for (const struct param *row = action_common_params(); row->name; row++) {
        json_object_del(shown, row->name);
    }
    json_object_del(shown, "format");
    json_object_del(shown, "diff");
    return json_dumps(shown, JSON_COMPACT | JSON_SORT_KEYS);
}

/* "" when it has gone. Borrowed. */
static const char *document_of(const struct action_run *run, const struct snapshot_tree *tree)
{
    const char *loader_id =
        tree->document_count ? page_frame_loader(run->page, tree->documents[0].frame_id) : NULL;
    return loader_id ? loader_id : "";
}

/* The text, or what has changed since the one before; what is kept is always all of it. */
static void add_text(struct action_run *run, const struct outline *outline,
                     const struct print_options *options, json_t *result)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_STRBUF struct strbuf difference = STRBUF_INIT(STRBUF_UNCAPPED);
    CLEANUP_FREE char *view = view_of(run->action);
    const char *document = document_of(run, outline->tree);
    const char *before = snapshot_store_text(run->snapshots, document, view);
    bool is_diff = before && param_boolean(run->action, "diff", false);
    int cut = 0;
    print_text(outline, options, &text, &cut);
    if (is_diff) {
        print_difference(before, text.data, &difference);
    }
    snapshot_store_set_text(run->snapshots, document, view, text.data);
    json_object_set_new(result, "text", json_text(is_diff ? difference.data : text.data));
    if (cut) {
        json_object_set_new(result, "leftOut", json_integer(cut));
    }
}

static void add_tree(const struct outline *outline, const struct print_options *options,
                     json_t *result)
{
    int cut = 0;
    json_auto_t *tree = print_json(outline, options, &cut);
    json_object_update(result, tree);
    if (cut) {
        json_object_set_new(result, "leftOut", json_integer(cut));
    }
}

static void add_markdown(const struct snapshot *snapshot, const struct outline_options *shown,
                         const struct print_options *options, json_t *result)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    print_markdown(snapshot->tree, snapshot->semantics, shown, options->text_length, &text);
    json_object_set_new(result, "text", json_text(text.data));
}

static void tell_left_out(struct action_run *run, const struct outline *outline)
{
    if (outline->left_out) {
        log_tool(run->logs, BR_LOG_INFO, "snapshot",
                 "parts of the page that are not for models (data-no-ai) are left out: %d",
                 outline->left_out);
    }
}

/* An answer without a line might be read as a page without one. */
static void tell_not_found(struct action_run *run, const struct outline *outline)
{
    const char *text = param_text(run->action, "find", NULL);
    const char *role = param_text(run->action, "findRole", NULL);
    if (outline->count == 0 && (text || role)) {
        log_tool(run->logs, BR_LOG_WARNING, "snapshot", "nothing that is shown %s%s%s%s%s",
                 text ? "says \"" : "", text ? text : "", text ? "\"" : "",
                 role ? text ? " and has the role " : "has the role " : "", role ? role : "");
    }
}

/* Of the first snapshot: its elements by their kinds, and what it took. */
static void add_stats(const struct snapshot *snapshot, int64_t began_ms, json_t *result)
{
    int categories[] = {
        [CATEGORY_STRUCTURAL] = 0, [CATEGORY_INTERACTIVE] = 0, [CATEGORY_SEMANTIC] = 0
    };
    int total = 0;
    int left_out = 0;
    for (int i = 0; i < snapshot->tree->order_count; i++) {
        int node = snapshot->tree->order[i];
        const struct node_semantics *semantics = &snapshot->semantics->nodes[node];
        if (snapshot->tree->nodes[node].kind == SNAPSHOT_ELEMENT) {
            total++;
            categories[semantics->category]++;
            left_out += semantics->is_left_out;
        }
    }
    json_object_set_new(result, "stats",
                        json_pack("{s:i, s:i, s:i, s:i, s:i, s:I, s:I}", "totalNodes", total,
                                  "semanticNodes", categories[CATEGORY_SEMANTIC],
                                  "nonSemanticNodes", categories[CATEGORY_INTERACTIVE],
                                  "structuralNodes", categories[CATEGORY_STRUCTURAL], "leftOut",
                                  left_out, "captureTimeMs",
                                  (json_int_t)(clock_monotonic_ms() - began_ms), "timestamp",
                                  (json_int_t)clock_wall_ms()));
}

static bool add_outline(struct action_run *run, const struct snapshot_view *view,
                        const struct snapshot *snapshot, json_t *result, struct br_error *err)
{
    int pictures = (int)param_integer(run->action, "pictures", 0);
    struct outline *outline =
        outline_create(snapshot->tree, snapshot->semantics, snapshot->visibility, &view->shown,
                       snapshot_store_ids(run->snapshots));
    if (form_of(run->action) == FORM_JSON) {
        add_tree(outline, &view->print, result);
    } else {
        add_text(run, outline, &view->print, result);
    }
    snapshot_store_show(run->snapshots, outline, view->ax);
    tell_left_out(run, outline);
    tell_not_found(run, outline);
    bool is_done = !pictures || snapshot_add_pictures(run, outline, pictures, result, err);
    outline_destroy(outline);
    return is_done;
}

/* Takes it, begins where the caller wants, and writes it down. */
static bool take(struct action_run *run, struct snapshot_view *view, json_t *result,
                 struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct page_node node;
    int64_t began_ms = clock_monotonic_ms();
    if (!choose_root(run, &node, err) ||
        !snapshot_take(run->page, view->ax, snapshot_store_ids(run->snapshots), &snapshot, err) ||
        !find_root(&snapshot, &node, &view->shown.root, err)) {
        return false;
    }
    if (param_boolean(run->action, "stats", false)) {
        add_stats(&snapshot, began_ms, result);
    }
    if (form_of(run->action) == FORM_MARKDOWN) {
        add_markdown(&snapshot, &view->shown, &view->print, result);
        return true;
    }
    return add_outline(run, view, &snapshot, result, err);
}

static bool run_snapshot(struct action_run *run, struct br_error *err)
{
    struct snapshot_view view = {
        .shown = outline_options_of(run->action),
        .print = print_options_of(run->action),
        .ax = (enum snapshot_ax)param_choice(run->action, "ax", ax_choices, SNAPSHOT_AX_AUTO),
    };
    int screens = (int)param_integer(run->action, "scroll", 0);
    json_auto_t *result = json_pack("{s:s}", "format", forms[form_of(run->action)]);
    if (!take(run, &view, result, err) ||
        (screens && !snapshot_scroll(run, take, &view, screens, result, err))) {
        return false;
    }
    run->response->result = json_dumps(result, JSON_COMPACT);
    if (run->response->result) {
        return true;
    }
    error_set(err, BR_LIMIT_EXCEEDED, "the snapshot is nested too deeply to be written");
    return error_hint(err, "give a depth, or take the format text");
}

const struct action_type action_snapshot = {
    .name = "snapshot",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .validate = validate,
    .run = run_snapshot,
};
