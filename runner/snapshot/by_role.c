#include "runner/base/json.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/words.h"
#include "runner/snapshot/snapshot.h"

#include <strings.h>

/* The requested word, and the role with that name in assistive technology; UNKNOWN: none. */
struct wanted {
    const char *word;
    enum snapshot_role role;
};

/* Returns whether text can be typed into it; a combobox may allow that. */
static bool is_field(enum snapshot_role role)
{
    return role == ROLE_TEXTBOX || role == ROLE_SEARCHBOX || role == ROLE_SPINBUTTON ||
           role == ROLE_COMBOBOX || role == ROLE_DATE || role == ROLE_DATE_TIME ||
           role == ROLE_INPUT_TIME;
}

/*
 * `item` is the node's item in an outline; NONE: none. Outlines have words of their own for some
 * roles.
 */
static bool has_role(const struct outline *outline, int node, int item, const struct wanted *wanted)
{
    const struct node_semantics *semantics = &outline->semantics->nodes[node];
    if (item == SNAPSHOT_NONE && semantics->is_ignored) {
        return false;
    }
    if (strcasecmp(wanted->word, "field") == 0) {
        return is_field(semantics->role);
    }
    if (strcasecmp(wanted->word, "control") == 0) {
        return snapshot_role_is(semantics->role, IS_OPERABLE) ||
               (item != SNAPSHOT_NONE && outline->items[item].is_operable);
    }
    return strcasecmp(wanted->word, snapshot_role_name(semantics->role)) == 0 ||
           (semantics->role != ROLE_UNKNOWN && wanted->role == semantics->role) ||
           (item != SNAPSHOT_NONE && strcasecmp(wanted->word, words_role(outline, item)) == 0);
}

static void add(json_t *found, const char *frame_id, int64_t node_id, const char *name)
{
    json_t *elements = json_object_get(found, frame_id);
    if (!elements) {
        elements = json_array();
        json_object_set_new(found, frame_id, elements);
    }
    json_array_append_new(elements, json_pack("{s:I, s:o}", "id", (json_int_t)node_id, "name",
                                              json_text(name ? name : "")));
}

static json_t *find(const struct outline *outline, const char *role)
{
    const struct snapshot_tree *tree = outline->tree;
    CLEANUP_FREE int *items = outline_index_nodes(outline);
    const struct wanted wanted = { role, snapshot_role_from_name(role) };
    json_t *found = json_object();
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        const struct snapshot_node *it = &tree->nodes[node];
        if (it->kind != SNAPSHOT_ELEMENT || !has_role(outline, node, items[node], &wanted)) {
            continue;
        }
        const char *name = outline->semantics->nodes[node].name;
        if (!name && items[node] != SNAPSHOT_NONE) {
            name = outline->items[items[node]].text;
        }
        add(found, tree->documents[it->document].frame_id, it->backend_id, name);
    }
    return found;
}

bool snapshot_read_role(struct page *page, const char *role, json_t **ret_found,
                        struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct snapshot_ids *ids = snapshot_ids_create(); /* these ids are not shown to the caller */
    bool is_taken = snapshot_take(page, SNAPSHOT_AX_AUTO, ids, &snapshot, err);
    if (is_taken) {
        struct outline_options options = { .root = SNAPSHOT_NONE, .keeps_left_out = true };
        struct outline *outline =
            outline_create(snapshot.tree, snapshot.semantics, snapshot.visibility, &options, ids);
        *ret_found = find(outline, role);
        outline_destroy(outline);
    }
    snapshot_ids_destroy(ids);
    return is_taken;
}
