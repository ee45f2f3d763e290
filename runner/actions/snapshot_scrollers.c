#include "runner/actions/snapshot_parts.h"
#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"
#include "runner/snapshot/outline/words.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_BYTES = 60 /* bytes of a name */ };

static void describe(const struct outline *outline, int item, struct snapshot_scroller *box)
{
    struct strbuf label = STRBUF_INIT(STRBUF_UNCAPPED);
    const char *name = words_name(outline, item);
    strbuf_add_string(&label, words_role(outline, item));
    if (name) {
        strbuf_add(&label, " ", 1);
        quote_text(&label, name, LABEL_BYTES / 2);
    }
    snprintf(box->label, sizeof(box->label), "%.*s e%u", (int)sizeof(box->label) - 20, label.data,
             box->id);
    strbuf_finish(&label);
}

/* Inserts the box by size; drops the smallest when there are too many. */
static void insert(struct snapshot_scrollers *scrollers, const struct snapshot_scroller *box)
{
    int at = scrollers->count;
    while (at > 0 && scrollers->boxes[at - 1].area < box->area) {
        at--;
    }
    if (at == SNAPSHOT_MAX_SCROLLERS) {
        return;
    }
    scrollers->count += scrollers->count < SNAPSHOT_MAX_SCROLLERS;
    for (int i = scrollers->count - 1; i > at; i--) {
        scrollers->boxes[i] = scrollers->boxes[i - 1];
    }
    scrollers->boxes[at] = *box;
}

static void add(struct action_run *run, const struct outline *outline, int item,
                struct snapshot_scrollers *scrollers)
{
    int node = outline->items[item].node;
    const struct snapshot_placement *placement = &outline->visibility->placements[node];
    struct snapshot_box shown;
    if (!snapshot_visibility_shown(outline->visibility, node, &placement->box, &shown)) {
        return;
    }
    struct snapshot_scroller box = {
        .id = outline->items[item].id,
        .area = shown.width * shown.height,
        .height = placement->box.height,
    };
    describe(outline, item, &box);
    insert(scrollers, &box);
    snapshot_store_add(run->snapshots, outline, item);
}

void snapshot_scrollers_find(struct action_run *run, const struct snapshot *snapshot,
                             const struct outline_options *shown,
                             struct snapshot_scrollers *ret_scrollers)
{
    const struct snapshot_document *page = &snapshot->tree->documents[0];
    struct outline_options options = { .root = shown->root,
                                       .keeps_left_out = shown->keeps_left_out };
    struct outline *outline =
        outline_create(snapshot->tree, snapshot->semantics, snapshot->visibility, &options,
                       snapshot_store_ids(run->snapshots));
    *ret_scrollers = (struct snapshot_scrollers){
        .is_of_element = shown->root != SNAPSHOT_NONE,
        .page_is_longer = snapshot->tree->document_count && page->content_height > page->height + 1,
    };
    for (int i = 0; i < outline->count; i++) {
        if (outline->items[i].scrolls_down && outline->items[i].id) {
            add(run, outline, i, ret_scrollers);
        }
        if (ret_scrollers->is_of_element && i == 0 && ret_scrollers->count) {
            break; /* the named element itself */
        }
    }
    outline_destroy(outline);
}
