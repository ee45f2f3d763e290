#include "runner/page/core/frame.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"

#include <string.h>

const char page_world_name[] = "browser-runner";

enum {
    MAX_FRAMES = 200,
    MAX_DEPTH = 20, /* nesting of frames */
};

static void clear_frame(struct frame *frame)
{
    free(frame->id);
    free(frame->parent_id);
    free(frame->name);
    free(frame->url);
    free(frame->loader_id);
    free(frame->session_id);
}

void frame_list_finish(struct frame_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        clear_frame(&list->items[i]);
    }
    free(list->items);
    *list = (struct frame_list){ 0 };
}

struct frame *frame_list_find(const struct frame_list *list, const char *frame_id)
{
    for (size_t i = 0; frame_id && i < list->count; i++) {
        if (strcmp(list->items[i].id, frame_id) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Adds a reported frame and its descendants. */
static void add_reported(struct frame_list *list, const json_t *reported,
                         const struct frame_tree *tree, const struct frame_list *known, int depth)
{
    const json_t *frame = json_object_get(reported, "frame");
    const char *id = json_member_string(frame, "id");
    const char *url = json_member_string(frame, "url");
    const char *parent_id = json_member_string(frame, "parentId");
    if (!id || frame_list_find(list, id) || list->count >= MAX_FRAMES || depth > MAX_DEPTH) {
        return;
    }
    const struct frame *before = frame_list_find(known, id);
    bool is_same = before && strcmp(before->session_id, tree->session_id) == 0;
    list->items[list->count++] = (struct frame){
        .id = xstrdup(id),
        .parent_id = xstrdup(parent_id ? parent_id : tree->parent_id),
        .name = xstrdup(json_member_string(frame, "name")),
        .url = xstrdup(url ? url : ""),
        .loader_id = xstrdup(json_member_string(frame, "loaderId")),
        .session_id = xstrdup(tree->session_id),
        .world_id = is_same ? before->world_id : 0,
        .libraries = is_same ? before->libraries : 0,
    };
    size_t index;
    json_t *below;
    json_array_foreach (json_object_get(reported, "childFrames"), index, below) {
        add_reported(list, below, tree, known, depth + 1);
    }
}

struct frame_list frame_list_make(const struct frame_tree *trees, size_t count,
                                  const struct frame_list *known)
{
    struct frame_list list = { .items = xcalloc(MAX_FRAMES, sizeof(*list.items)) };
    bool has_grown = true;
    while (has_grown) {
        size_t before = list.count;
        for (size_t i = 0; i < count; i++) {
            if (!trees[i].root_id || frame_list_find(&list, trees[i].parent_id)) {
                add_reported(&list, json_object_get(trees[i].reply, "frameTree"), &trees[i], known,
                             0);
            }
        }
        has_grown = list.count > before;
    }
    return list;
}

void frame_trees_free(struct frame_tree *trees, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(trees[i].session_id);
        free(trees[i].root_id);
        free(trees[i].parent_id);
        json_decref(trees[i].reply);
    }
    free(trees);
}
