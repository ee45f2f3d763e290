#include "runner/snapshot/semantics/semantics.h"

#include "runner/base/arena.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/snapshot/dom/node_index.h"
#include "runner/snapshot/semantics/name_text.h"
#include "runner/snapshot/semantics/private.h"

#include <string.h>

enum { MOST_SECRETS = 100 }; /* searched for in each name */

static const char *text_of(const json_t *node, const char *member)
{
    return json_string_value(json_object_get(json_object_get(node, member), "value"));
}

static enum snapshot_check check_of(const json_t *value)
{
    const char *text = json_string_value(value);
    if (text) {
        return strcmp(text, "mixed") == 0  ? CHECK_MIXED
               : strcmp(text, "true") == 0 ? CHECK_TRUE
                                           : CHECK_FALSE;
    }
    return json_is_true(value) ? CHECK_TRUE : CHECK_FALSE;
}

static bool is_on(const json_t *value)
{
    const char *text = json_string_value(value);
    return text ? strcmp(text, "false") != 0 && text[0] != '\0' : json_is_true(value);
}

static void apply_property(struct node_semantics *semantics, const char *name, const json_t *value)
{
    const struct {
        const char *name;
        bool *is_set;
    } flags[] = {
        { "busy", &semantics->is_busy },
        { "disabled", &semantics->is_disabled },
        { "focused", &semantics->is_focused },
        { "focusable", &semantics->is_focusable },
        { "invalid", &semantics->is_invalid },
        { "modal", &semantics->is_modal },
        { "multiline", &semantics->is_multiline },
        { "multiselectable", &semantics->is_multiselectable },
        { "readonly", &semantics->is_readonly },
        { "required", &semantics->is_required },
    };
    const struct {
        const char *name;
        enum snapshot_check *check;
    } checks[] = {
        { "checked", &semantics->checked },
        { "expanded", &semantics->expanded },
        { "pressed", &semantics->pressed },
        { "selected", &semantics->selected },
    };
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(name, flags[i].name) == 0) {
            *flags[i].is_set = is_on(value);
        }
    }
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        if (strcmp(name, checks[i].name) == 0) {
            *checks[i].check = check_of(value);
        }
    }
    if (strcmp(name, "level") == 0 && semantics->role != ROLE_LISTITEM) {
        semantics->level = (int)json_integer_value(value);
    }
}

/* States that Chrome omits from `properties` are false. */
static void clear_states(struct node_semantics *semantics)
{
    semantics->checked = semantics->expanded = semantics->pressed = semantics->selected =
        CHECK_NONE;
    semantics->is_busy = semantics->is_disabled = semantics->is_focused = false;
    semantics->is_focusable = semantics->is_invalid = semantics->is_modal = false;
    semantics->is_multiline = semantics->is_multiselectable = false;
    semantics->is_readonly = semantics->is_required = false;
    semantics->level = 0;
}

static const char *collapsed(struct arena *arena, const char *text)
{
    struct name_text words = {
        .whole = STRBUF_INIT(STRBUF_UNCAPPED),
        .piece = STRBUF_INIT(STRBUF_UNCAPPED),
        .left = STRBUF_UNCAPPED,
    };
    name_text_add_apart(&words, text);
    const struct strbuf *whole = &words.whole;
    text = whole->length == 0 ? NULL : arena_copy(arena, whole->data, whole->length);
    strbuf_finish(&words.whole);
    strbuf_finish(&words.piece);
    return text;
}

struct applied {
    struct snapshot_semantics *semantics;
    const struct snapshot_tree *tree;
    const char *secrets[MOST_SECRETS]; /* contents of private fields, whitespace collapsed */
    size_t secret_count;
    bool trusts_nothing; /* any name from Chrome may contain private text */
};

/* Chrome may have put the text of omitted elements, editors and lists into any name. */
static void note_secrets(struct applied *applied)
{
    const struct snapshot_tree *tree = applied->tree;
    for (int i = 0; i < tree->node_count && !applied->trusts_nothing; i++) {
        const struct node_semantics *semantics = &applied->semantics->nodes[i];
        enum snapshot_tag tag = tree->nodes[i].tag;
        bool is_editor = semantics->is_private && tag != TAG_INPUT && tag != TAG_TEXTAREA;
        const char *secret = semantics->is_private
                                 ? collapsed(applied->semantics->arena, tree->nodes[i].value)
                                 : NULL;
        applied->trusts_nothing = semantics->is_left_out || is_editor ||
                                  (secret && applied->secret_count == MOST_SECRETS);
        if (secret && !applied->trusts_nothing) {
            applied->secrets[applied->secret_count++] = secret;
        }
    }
}

static bool tells_secrets(const struct applied *applied, const char *name)
{
    bool is_told = applied->trusts_nothing;
    for (size_t i = 0; i < applied->secret_count && !is_told; i++) {
        is_told = strstr(name, applied->secrets[i]);
    }
    return is_told;
}

/* Returns Chrome's text, or ours if Chrome's reveals private text. */
static const char *text_for(const struct applied *applied, const char *text, const char *ours)
{
    const char *whole = collapsed(applied->semantics->arena, text);
    return whole && tells_secrets(applied, whole) ? ours : whole;
}

static void apply_texts(const struct applied *applied, int index, const json_t *node)
{
    struct node_semantics *semantics = &applied->semantics->nodes[index];
    const char *name = text_for(applied, text_of(node, "name"), semantics->name);
    semantics->description =
        text_for(applied, text_of(node, "description"), semantics->description);
    if (!name || !semantics->name || strcmp(name, semantics->name) != 0) {
        semantics->name = name;
        semantics->name_from = name ? NAME_FROM_ATTRIBUTE : NAME_FROM_NOTHING;
    }
}

static void apply_node(const struct applied *applied, int index, const json_t *node)
{
    struct node_semantics *semantics = &applied->semantics->nodes[index];
    semantics->is_ignored = json_is_true(json_object_get(node, "ignored"));
    if (semantics->is_ignored || applied->tree->nodes[index].kind != SNAPSHOT_ELEMENT) {
        return;
    }
    const char *role = text_of(node, "role");
    enum snapshot_role known = role ? snapshot_role_from_name(role) : ROLE_UNKNOWN;
    semantics->role = known == ROLE_UNKNOWN ? semantics->role : known;
    apply_texts(applied, index, node);
    clear_states(semantics);
    size_t i = 0;
    const json_t *property = NULL;
    json_array_foreach (json_object_get(node, "properties"), i, property) {
        const char *name = json_string_value(json_object_get(property, "name"));
        if (name) {
            apply_property(semantics, name,
                           json_object_get(json_object_get(property, "value"), "value"));
        }
    }
    if (snapshot_is_private_choice(applied->tree, applied->semantics->nodes, index)) {
        semantics->selected = CHECK_NONE;
    }
}

void snapshot_semantics_apply(struct snapshot_semantics *semantics,
                              const struct snapshot_tree *tree, int part, const json_t *nodes,
                              bool is_all)
{
    struct applied applied = { .semantics = semantics, .tree = tree };
    const struct snapshot_part *in = &tree->parts[part];
    struct node_index known;
    node_index_init(&known, tree, part);
    note_secrets(&applied);
    for (int i = in->first_node; is_all && i < in->end_node; i++) {
        semantics->nodes[i].is_ignored = true;
    }
    size_t i = 0;
    const json_t *node = NULL;
    json_array_foreach (nodes, i, node) {
        int64_t id = json_integer_value(json_object_get(node, "backendDOMNodeId"));
        int index = id > 0 ? node_index_find(&known, id) : SNAPSHOT_NONE;
        if (index != SNAPSHOT_NONE) {
            apply_node(&applied, index, node);
        }
    }
    node_index_finish(&known);
}
