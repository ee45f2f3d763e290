#include "runner/actions/screenshot_labels.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/box.h"
#include "runner/page/picture/label_list.h"
#include "runner/snapshot/outline/print.h"

/* Converts from viewport coordinates to coordinates in the picture. */
static struct page_box box_in_picture(const struct snapshot_labels *found,
                                      const struct page_box *picture,
                                      const struct snapshot_box *box)
{
    return (struct page_box){
        .x = (double)box->x + (picture ? found->scroll_x - picture->x : 0),
        .y = (double)box->y + (picture ? found->scroll_y - picture->y : 0),
        .width = (double)box->width,
        .height = (double)box->height,
    };
}

static void hand_over(const struct snapshot_labels *found, const struct page_box *box,
                      struct picture_labels *labels)
{
    *labels = (struct picture_labels){
        .labels = xcalloc(found->count + 1, sizeof(*labels->labels)),
        .count = found->count,
        .content = xcalloc(found->content_count + 1, sizeof(*labels->content)),
        .content_count = found->content_count,
        .scroll_x = found->scroll_x,
        .scroll_y = found->scroll_y,
    };
    for (size_t i = 0; i < found->count; i++) {
        labels->labels[i].id = found->outline->items[found->labels[i].item].id;
        labels->labels[i].index = i;
        labels->labels[i].box = box_in_picture(found, box, &found->labels[i].box);
    }
    for (size_t i = 0; i < found->content_count; i++) {
        labels->content[i] = box_in_picture(found, box, &found->content[i]);
    }
}

static bool find(void *data, struct page *page, const struct page_box *box,
                 struct picture_labels *ret_labels, struct br_error *err)
{
    struct labelling *labelling = data;
    struct snapshot_labels *found = &labelling->found;
    snapshot_labels_finish(found);
    if (!snapshot_labels_take(page, labelling->run->snapshots, box, labelling->shows_left_out,
                              found, err)) {
        return false;
    }
    hand_over(found, box, ret_labels);
    return true;
}

/* Returns the entry of an element, which may appear in several tiles. Borrowed. */
static json_t *entry_of(struct labelling *labelling, int item)
{
    json_t *told = print_json_label(labelling->found.outline, item);
    const char *id = json_member_string(told, "id");
    json_t *entry = json_object_get(labelling->by_id, id);
    if (entry) {
        json_decref(told);
        return entry;
    }
    snapshot_store_add(labelling->run->snapshots, labelling->found.outline, item);
    json_object_set(labelling->by_id, id, told);
    json_array_append_new(labelling->list, told);
    return told;
}

static void add_tile(json_t *entry, int tile)
{
    json_t *tiles = json_object_get(entry, "tiles");
    if (!tiles) {
        tiles = json_array();
        json_object_set_new(entry, "tiles", tiles);
    }
    json_array_append_new(tiles, json_integer(tile));
}

static void tell(void *data, const struct picture_labels *labels)
{
    struct labelling *labelling = data;
    for (size_t i = 0; i < labels->count; i++) {
        const struct picture_label *label = &labels->labels[i];
        if (!label->is_drawn) {
            labelling->without_room++;
            continue;
        }
        json_t *entry = entry_of(labelling, labelling->found.labels[label->index].item);
        if (labels->tile) {
            add_tile(entry, labels->tile);
        }
    }
}

void labelling_init(struct labelling *labelling, struct action_run *run)
{
    *labelling = (struct labelling){
        .labels = { .data = labelling, .find = find, .tell = tell },
        .run = run,
        .shows_left_out = param_boolean(run->action, "ignoreNoAi", false),
        .list = json_array(),
        .by_id = json_object(),
    };
}

void labelling_finish(struct labelling *labelling)
{
    snapshot_labels_finish(&labelling->found);
    json_decref(labelling->list);
    json_decref(labelling->by_id);
}
