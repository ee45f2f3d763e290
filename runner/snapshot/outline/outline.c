#include "runner/snapshot/outline/outline.h"

#include "runner/base/arena.h"
#include "runner/base/memory.h"
#include "runner/snapshot/dom/ids.h"
#include "runner/snapshot/outline/builder.h"

/* If a text is an element's only content, moves it into the element. */
static void absorb_texts(struct outline_builder *builder)
{
    struct outline *outline = builder->outline;
    for (int i = 0; i < outline->count; i++) {
        struct outline_item *item = &outline->items[i];
        int child = item->first_child;
        if (!outline_is_text(outline, i) && child != SNAPSHOT_NONE && child == item->last_child &&
            outline_is_text(outline, child)) {
            item->text = outline->items[child].text;
            builder->drafts[child].fate = FATE_DROP;
        }
    }
}

static bool wants_id(const struct outline *outline, int item)
{
    const struct outline_item *shown = &outline->items[item];
    const struct node_semantics *semantics = outline_semantics(outline, item);
    return snapshot_role_is(semantics->role, IS_MEDIUM | IS_REGION) || shown->is_operable ||
           shown->is_scrollable || semantics->is_focusable ||
           snapshot_tag_is_frame(outline_node(outline, item)->tag);
}

static void give_ids(struct outline *outline, const struct outline_options *options,
                     struct snapshot_ids *ids)
{
    for (int i = 0; i < outline->count; i++) {
        struct outline_item *item = &outline->items[i];
        const struct snapshot_node *node = &outline->tree->nodes[item->node];
        bool is_wanted = options->has_all_ids || options->is_all || wants_id(outline, i);
        if (node->kind == SNAPSHOT_ELEMENT && !item->is_left_out && is_wanted) {
            int document = outline->tree->documents[node->document].number;
            item->id = snapshot_ids_give(ids, document, node->backend_id);
        }
    }
}

struct outline *outline_create(const struct snapshot_tree *tree,
                               const struct snapshot_semantics *semantics,
                               const struct snapshot_visibility *visibility,
                               const struct outline_options *options, struct snapshot_ids *ids)
{
    struct outline *outline = xcalloc(1, sizeof(*outline));
    outline->tree = tree;
    outline->semantics = semantics;
    outline->visibility = visibility;
    outline->is_all = options->is_all;
    outline->arena = arena_create();
    struct outline_builder builder = { .outline = outline, .options = options };
    outline_walk(&builder);
    outline_settle(&builder);
    if (!options->is_all) {
        outline_drop_repeated(&builder);
        outline_settle(&builder);
    }
    absorb_texts(&builder);
    outline_settle(&builder);
    outline_filter(&builder);
    free(builder.drafts);
    give_ids(outline, options, ids);
    return outline;
}

void outline_destroy(struct outline *outline)
{
    if (outline) {
        arena_destroy(outline->arena);
        free(outline->items);
        free(outline);
    }
}

int *outline_index_nodes(const struct outline *outline)
{
    int *items = xcalloc((size_t)outline->tree->node_count + 1, sizeof(*items));
    for (int i = 0; i < outline->tree->node_count; i++) {
        items[i] = SNAPSHOT_NONE;
    }
    for (int i = 0; i < outline->count; i++) {
        items[outline->items[i].node] = i;
    }
    return items;
}
