#include "runner/actions/action_type.h"
#include "runner/actions/naming.h"
#include "runner/actions/shared_params.h"
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
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/print.h"

#include <string.h>

enum {
    MAX_LENGTH = 10000000, /* characters of one text */
    USUAL_LENGTH = 5000,
    MAX_SHOWN_DEPTH = 1000,
    MAX_SCREENS = 100, /* limit of screens to scroll through */
};

enum form { FORM_TEXT, FORM_JSON, FORM_MARKDOWN };
static const char *const forms[] = { "text", "json", "markdown", NULL };

/* In the order of enum markdown_style; "none" at the end. */
static const char *const annotation_choices[] = { "roles", "types", "bare", "none", NULL };
enum { NO_ANNOTATIONS = MARKDOWN_BARE + 1 };

/* In the order of enum snapshot_ax. */
static const char *const ax_choices[] = { "auto", "none", "full", NULL };

static const struct param params[] = {
    PARAM("format", CHOICE,
          "text: one line per element. json: a tree of objects. markdown: the readable content, "
          "with links and controls annotated by selectors.",
          .choices = forms, .default_value = "text"),
    PARAM("annotations", CHOICE,
          "For markdown. roles: a control has its role, states and selector, "
          "`<!--input:SELECTOR-->`. types: its HTML type, its value or placeholder, and selector, "
          "`<!--email:SELECTOR-->`, as in BROP, and addresses within the page's origin begin with "
          "their path. bare: as types, with `<!--SELECTOR-->`. none: no selectors.",
          .choices = annotation_choices, .default_value = "roles", .is_rare = true),
    PARAM("interactive", BOOLEAN,
          "True: only controls, and the regions and headings that contain them.",
          .default_value = "false"),
    PARAM("inViewport", BOOLEAN, "True: only what is in view.", .default_value = "false",
          .is_rare = true),
    PARAM("depth", INTEGER, "Maximum number of levels of what is shown.", .min = 1,
          .max = MAX_SHOWN_DEPTH, .is_rare = true),
    PARAM("boxes", BOOLEAN,
          "True: with positions, x, y, width and height in CSS pixels of the viewport.",
          .default_value = "false", .is_rare = true),
    PARAM("urls", BOOLEAN, "True: with the URLs of links and pictures.", .default_value = "false",
          .is_rare = true),
    PARAM("textLength", INTEGER, "Texts are cut after this many characters; 0: never.", .min = 0,
          .max = MAX_LENGTH, .default_value = "5000", .is_rare = true),
    PARAM("maxTokens", INTEGER,
          "Omits the least useful parts until about this many tokens remain; the last line says "
          "what. With scroll it applies to all screens together, and ends the scrolling.",
          .min = 1, .max = INT32_MAX),
    PARAM("diff", BOOLEAN,
          "True, for text: only the lines that changed since the last snapshot of the same "
          "document with the same parameters; all of it if there is none.",
          .default_value = "false"),
    PARAM("find", NAME,
          "Only elements with this text, ignoring case, with their ancestors, content and line.",
          .example = "Save"),
    PARAM("findRole", NAME, "Only elements with this role, in the same way.", .example = "button"),
    PARAM("all", BOOLEAN,
          "True, for json: each element of the page, with nothing omitted or joined.",
          .default_value = "false", .is_rare = true),
    PARAM("ax", CHOICE,
          "Whether Chrome's accessibility tree is used: auto only for custom elements, whose role "
          "may only be known to Chrome; full takes all roles and names from it, and is slow.",
          .choices = ax_choices, .default_value = "auto", .is_rare = true),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: also shows the parts that the page hides from models by data-no-ai.",
          .default_value = "false", .is_rare = true),
    PARAM(
        "pictures", INTEGER,
        "Small pictures, 256 pixels at most, of the first images, drawings and videos, up to this "
        "number: in tiles of screenshots and captures, and in pictures of the result by their ids.",
        .min = 1, .max = SNAPSHOT_MAX_PICTURES, .is_rare = true),
    PARAM("stats", BOOLEAN,
          "True: the result has stats, too: the number of elements by kind, the number of parts "
          "hidden by data-no-ai, the milliseconds it took, and its time.",
          .default_value = "false", .is_rare = true),
    PARAM("scroll", INTEGER,
          "Scrolls down by up to this many screens while there is more, adds what each of them "
          "brings, and scrolls back: the page, or with an element the scrollable box in it.",
          .min = 1, .max = MAX_SCREENS, .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "scroll", .when = "diff", .is = "true",
      .text = "adds what each screen brings, which does not go with diff" },
    { RULE_NONE, "all", .when = "format", .is = "text",
      .text = "is not available for the format text",
      .hint = "omit it, or choose the format json" },
    { RULE_NONE, "diff", .when = "format", .is = "json",
      .text = "is not available for the format json",
      .hint = "omit it, or choose the format text" },
    { RULE_NONE, "diff", .when = "format", .is = "markdown",
      .text = "is not available for the format markdown",
      .hint = "omit it, or choose the format text" },
    { RULE_NONE, "annotations", .when = "format", .is = "text json",
      .text = "is for the format markdown", .hint = "choose the format markdown" },
    { RULE_NONE, "all", .when = "format", .is = "markdown",
      .text = "is not available for the format markdown",
      .hint = "omit it, or choose the format json" },
    { RULE_NONE, "pictures boxes urls maxTokens interactive depth find findRole inViewport",
      .when = "format", .is = "markdown", .text = "is not available for the format markdown",
      .hint = "omit it, or choose the format text or json" },
    { 0 },
};

static enum form form_of(const struct br_action *action)
{
    return (enum form)param_choice(action, "format", forms, FORM_TEXT);
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    const char *role = param_text(action, "findRole", NULL);
    if (!role || snapshot_role_from_name(role) != ROLE_UNKNOWN) {
        return true;
    }
    param_error(action, "findRole", err, "\"%s\" is no role", role);
    return error_hint(err, "use one of WAI-ARIA: button, link, textbox, heading");
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

bool snapshot_find_root(const struct snapshot *snapshot, const struct page_node *node,
                        int *ret_root, struct br_error *err)
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
    error_set(err, BR_STALE_NODE, "%s is no longer on the page", node->label);
    return error_hint(
        err, "take the snapshot again, of the whole page or of an element that exists now");
}

bool snapshot_choose_root(struct action_run *run, struct page_node *ret_node, struct br_error *err)
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

/* Returns a key for what of the page is shown and how, made of this action's own parameters. */
static char *view_of(const struct br_action *action)
{
    json_auto_t *shown = json_copy(action->params);
    for (const struct param *row = shared_common_params; row->name; row++) {
        json_object_del(shown, row->name);
    }
    json_object_del(shown, "format");
    json_object_del(shown, "diff");
    return json_dumps(shown, JSON_COMPACT | JSON_SORT_KEYS);
}

/* Returns "" when it no longer exists. Borrowed. */
static const char *document_of(const struct action_run *run, const struct snapshot_tree *tree)
{
    const char *loader_id =
        tree->document_count ? page_frame_loader(run->page, tree->documents[0].frame_id) : NULL;
    return loader_id ? loader_id : "";
}

/* Adds the text, or its difference from the previous one; always stores the whole text. */
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
    if (!before && param_boolean(run->action, "diff", false)) {
        log_tool(run->logs, BR_LOG_WARNING, "snapshot",
                 "there is no earlier snapshot of this document with these parameters to compare "
                 "with: this is all of it");
    }
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

static void add_markdown(const struct br_action *action, const struct snapshot *snapshot,
                         const struct snapshot_view *view, json_t *result)
{
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    int annotations = param_choice(action, "annotations", annotation_choices, MARKDOWN_ROLES);
    const struct markdown_options how = {
        .style = annotations == NO_ANNOTATIONS ? MARKDOWN_TYPES : (enum markdown_style)annotations,
        .text_length = view->print.text_length,
        .has_no_annotations = annotations == NO_ANNOTATIONS,
    };
    print_markdown(snapshot->tree, snapshot->semantics, &view->shown, &how, &text);
    json_object_set_new(result, "text", json_text(text.data));
}

static void log_omitted(struct action_run *run, const struct outline *outline)
{
    if (outline->left_out) {
        log_tool(run->logs, BR_LOG_INFO, "snapshot",
                 "parts of the page that are hidden from models (data-no-ai) are omitted: %d",
                 outline->left_out);
    }
}

/* An empty response could be mistaken for an empty page. */
static void log_not_found(struct action_run *run, const struct outline *outline)
{
    const char *text = param_text(run->action, "find", NULL);
    const char *role = param_text(run->action, "findRole", NULL);
    if (outline->count == 0 && (text || role)) {
        log_tool(run->logs, BR_LOG_WARNING, "snapshot", "nothing that is shown %s%s%s%s%s",
                 text ? "says \"" : "", text ? text : "", text ? "\"" : "",
                 role ? text ? " and has the role " : "has the role " : "", role ? role : "");
    }
}

/* Adds statistics of the first snapshot: elements by kind, and its cost. */
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
    log_omitted(run, outline);
    log_not_found(run, outline);
    bool is_done = !pictures || snapshot_add_pictures(run, outline, pictures, result, err);
    outline_destroy(outline);
    return is_done;
}

/* Takes a snapshot, chooses the root, and writes it. */
static bool take(struct action_run *run, struct snapshot_view *view, json_t *result,
                 struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct page_node node;
    int64_t began_ms = clock_monotonic_ms();
    bool is_last =
        !param_integer(run->action, "pictures", 0) && !param_integer(run->action, "scroll", 0);
    if (!snapshot_choose_root(run, &node, err) ||
        !(is_last ? snapshot_take_last : snapshot_take)(
            run->page, view->ax, snapshot_store_ids(run->snapshots), &snapshot, err) ||
        !snapshot_find_root(&snapshot, &node, &view->shown.root, err)) {
        return false;
    }
    if (param_boolean(run->action, "stats", false)) {
        add_stats(&snapshot, began_ms, result);
    }
    bool is_added = true;
    if (form_of(run->action) == FORM_MARKDOWN) {
        add_markdown(run->action, &snapshot, view, result);
    } else {
        is_added = add_outline(run, view, &snapshot, result, err);
    }
    if (view->scrollers) {
        snapshot_scrollers_find(run, &snapshot, &view->shown, TAKE(view->scrollers));
    }
    return is_added;
}

static bool run_snapshot(struct action_run *run, struct br_error *err)
{
    struct snapshot_view view = {
        .shown = outline_options_of(run->action),
        .print = print_options_of(run->action),
        .ax = (enum snapshot_ax)param_choice(run->action, "ax", ax_choices, SNAPSHOT_AX_AUTO),
    };
    struct snapshot_scrollers scrollers = { 0 };
    int screens = (int)param_integer(run->action, "scroll", 0);
    view.scrollers = screens ? &scrollers : NULL;
    json_auto_t *result = json_pack("{s:s}", "format", forms[form_of(run->action)]);
    if (!take(run, &view, result, err) ||
        (screens && !snapshot_scroll(run, take, &view, &scrollers, screens, result, err))) {
        return false;
    }
    response_set_result(run->response, json_incref(result));
    return true;
}

const struct action_type action_snapshot = {
    .name = "snapshot",
    .text = "Returns the page's structure: its elements by role, name and state, each with an id "
            "that other actions accept as node. With an element, only its part of the page.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .validate = validate,
    .run = run_snapshot,
};
