#include "runner/actions/naming.h"
#include "runner/actions/snapshot_parts.h"
#include "runner/base/cut.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/base/response.h"
#include "runner/base/strbuf.h"
#include "runner/observe/stream.h"
#include "runner/page/element/examine.h"
#include "runner/page/element/named.h"
#include "runner/snapshot/markdown/markdown.h"

enum { MAX_LENGTH = 10000000, USUAL_LENGTH = 100000 };

enum form { FORM_HTML, FORM_TEXT, FORM_MAIN, FORM_BOTH };
static const char *const forms[] = { "html", "text", "main", "both", NULL };

static const struct param params[] = {
    PARAM("format", CHOICE,
          "html: the document's present markup. text: the readable text, without markup. main: the "
          "main part of the page as Markdown, without navigation, sidebars and the like. both: the "
          "text, and the markup as `html`.",
          .choices = forms, .default_value = "text"),
    PARAM("maxLength", INTEGER,
          "Maximum number of characters; cut in the result says that there are more.", .min = 1,
          .max = MAX_LENGTH, .default_value = "100000"),
    PARAM("scripts", BOOLEAN,
          "False: omits scripts, styles, handlers and comments from the markup.",
          .default_value = "true", .is_rare = true),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: includes the parts that the page hides from models by data-no-ai.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

/* Returns the length in bytes of the first `most` characters, counted in UTF-16 units. */
static size_t length_of(const char *text, size_t length, size_t most)
{
    size_t at = 0;
    while (at < length) {
        size_t next = at + 1;
        while (next < length && ((unsigned char)text[next] & 0xC0) == 0x80) {
            next++;
        }
        size_t units = next - at > 3 ? 2 : 1;
        if (units > most) {
            break;
        }
        most -= units;
        at = next;
    }
    return at;
}

/* Replaces the markup by the text, cut if needed. */
static void set_text(const struct strbuf *text, size_t most, json_t *answer)
{
    size_t length = length_of(text->data, text->length, most);
    CLEANUP_FREE char *kept = xstrndup(text->data, length);
    json_object_set_new(answer, "text", json_text(kept));
    json_object_set_new(answer, "length",
                        json_integer((json_int_t)cut_count(text->data, text->length)));
}

/* Counts the omitted parts, not the elements in them. */
static int count_left_out(const struct snapshot *snapshot, int root)
{
    const struct snapshot_tree *tree = snapshot->tree;
    int node = root == SNAPSHOT_NONE && tree->order_count ? tree->order[0] : root;
    int count = 0;
    while (node != SNAPSHOT_NONE) {
        bool is_left_out = snapshot->semantics->nodes[node].is_left_out;
        count += is_left_out;
        node = is_left_out ? snapshot_skip(tree, node, root) : snapshot_next(tree, node, root);
    }
    return count;
}

static void print_main(const struct snapshot *snapshot, struct outline_options *shown,
                       struct strbuf *text, json_t *answer)
{
    struct main_part part = main_part_find(snapshot->tree, snapshot->semantics, shown->root);
    shown->root = part.root;
    print_markdown(
        snapshot->tree, snapshot->semantics, shown,
        &(struct markdown_options){ .has_no_annotations = true, .is_dropped = part.is_dropped },
        text);
    json_object_set_new(answer, "chosenBy", json_string(part.reason));
    main_part_finish(&part);
}

/* Reads the contents from a snapshot of the page. */
static bool read_snapshot(struct action_run *run, enum form form, size_t most, json_t *answer,
                          struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    CLEANUP_STRBUF struct strbuf text = STRBUF_INIT(STRBUF_UNCAPPED);
    struct page_node node;
    struct outline_options shown = {
        .root = SNAPSHOT_NONE,
        .keeps_left_out = param_boolean(run->action, "ignoreNoAi", false),
    };
    if (!snapshot_choose_root(run, &node, err) ||
        !snapshot_take_last(run->page, SNAPSHOT_AX_NONE, snapshot_store_ids(run->snapshots),
                            &snapshot, err) ||
        !snapshot_find_root(&snapshot, &node, &shown.root, err)) {
        return false;
    }
    int left_out = shown.keeps_left_out ? 0 : count_left_out(&snapshot, shown.root);
    if (form == FORM_MAIN) {
        print_main(&snapshot, &shown, &text, answer);
    } else {
        print_plain(snapshot.tree, snapshot.semantics, &shown, &text);
    }
    set_text(&text, most, answer);
    json_object_set_new(answer, "leftOut", json_integer(left_out));
    return true;
}

/* Returns whether the answer's text was cut, and says so in the logs. */
static bool note_cut(const struct action_run *run, int64_t most, const json_t *answer)
{
    size_t kept = json_string_length(json_object_get(answer, "text"));
    const char *text = json_member_string(answer, "text");
    double length = json_member_number(answer, "length", 0);
    if ((double)cut_count(text, kept) >= length) {
        return false;
    }
    log_tool(run->logs, BR_LOG_WARNING, "content",
             "the content is cut after %lld of %.0f characters: maxLength", (long long)most,
             length);
    return true;
}

static json_t *result_of(enum form form, bool has_cut, json_t *answer)
{
    static const char *const members[] = {
        "url", "title", "metadata", "chosenBy", "length", "html"
    };
    json_t *result = json_pack("{s:s}", "format", forms[form]);
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        json_t *member = json_object_get(answer, members[i]);
        if (member) {
            json_object_set(result, members[i], member);
        }
    }
    if (has_cut) {
        json_object_set_new(result, "cut", json_true());
    }
    json_object_set(result, "content", json_object_get(answer, "text"));
    return result;
}

static bool run_content(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    json_auto_t *answer = NULL;
    enum form form = (enum form)param_choice(run->action, "format", forms, FORM_TEXT);
    int64_t most = param_integer(run->action, "maxLength", USUAL_LENGTH);
    bool has_html = form == FORM_HTML || form == FORM_BOTH;
    if (!action_find_target(run, run->action, &target, err) ||
        !page_read_markup(run->page, &target, has_html ? most : 0,
                          param_boolean(run->action, "scripts", true), &answer, err)) {
        return false;
    }
    bool has_cut = has_html && note_cut(run, most, answer);
    if (form == FORM_BOTH) {
        json_object_set(answer, "html", json_object_get(answer, "text"));
    }
    if (form != FORM_HTML) {
        if (!read_snapshot(run, form, (size_t)most, answer, err)) {
            return false;
        }
        has_cut |= note_cut(run, most, answer);
    }
    int left_out = (int)json_member_number(answer, "leftOut", 0);
    if (left_out) {
        log_tool(run->logs, BR_LOG_INFO, "content",
                 "parts of the page that are hidden from models (data-no-ai) are omitted: %d",
                 left_out);
    }
    response_set_result(run->response, result_of(form, has_cut, answer));
    return true;
}

const struct action_type action_content = {
    .name = "content",
    .text =
        "Reads the content of the page, or of an element: its markup, its text, or its main part.",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .run = run_content,
};
