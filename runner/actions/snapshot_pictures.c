#include "runner/actions/snapshot_parts.h"
#include "runner/base/response.h"
#include "runner/page/core/box.h"
#include "runner/page/picture/request.h"

#include <math.h>
#include <stdio.h>

enum {
    MAX_EDGE = 256,  /* longer side of a picture in pixels */
    LEAST_EDGE = 16, /* CSS pixels: smaller images are icons and already have a name */
};

/* Boxes are relative to the viewport; a clip is relative to the document and ends at its edges. */
static struct page_box clip_of(const struct outline *outline, int node)
{
    const struct snapshot_document *page = &outline->tree->documents[0];
    const struct snapshot_box *box = &outline->visibility->placements[node].box;
    double left = fmax((double)box->x + page->scroll_x, 0);
    double top = fmax((double)box->y + page->scroll_y, 0);
    return (struct page_box){
        .x = left,
        .y = top,
        .width = (double)box->x + page->scroll_x + (double)box->width - left,
        .height = (double)box->y + page->scroll_y + (double)box->height - top,
    };
}

static bool is_picture(const struct outline *outline, const struct outline_item *item)
{
    enum snapshot_role role = outline->semantics->nodes[item->node].role;
    const struct snapshot_placement *placement = &outline->visibility->placements[item->node];
    bool is_drawn =
        role == ROLE_IMAGE || role == ROLE_CANVAS || role == ROLE_VIDEO || role == ROLE_SVG_ROOT;
    struct page_box clip = clip_of(outline, item->node);
    return item->id && is_drawn && placement->place != PLACE_NOWHERE &&
           placement->place != PLACE_OUTSIDE && clip.width >= LEAST_EDGE &&
           clip.height >= LEAST_EDGE;
}

static bool take_picture(struct action_run *run, const struct outline *outline, int node,
                         struct br_tile *ret_tile, struct br_error *err)
{
    struct page_box clip = clip_of(outline, node);
    struct page_capture capture = *run->picture;
    capture.clip = &clip;
    capture.shows_withheld = param_boolean(run->action, "ignoreNoAi", false);
    capture.limits.max_edge = MAX_EDGE;
    *ret_tile =
        (struct br_tile){ .x = clip.x, .y = clip.y, .width = clip.width, .height = clip.height };
    return page_capture(run->page, &capture, &ret_tile->picture, err);
}

bool snapshot_add_pictures(struct action_run *run, const struct outline *outline, int most,
                           json_t *result, struct br_error *err)
{
    struct br_response *response = run->response;
    json_t *ids = json_array();
    response_clear_tiles(response);
    response->tiles = xcalloc((size_t)most, sizeof(*response->tiles));
    json_object_set_new(result, "pictures", ids);
    for (int i = 0; i < outline->count && (int)response->tile_count < most; i++) {
        const struct outline_item *item = &outline->items[i];
        char id[16];
        if (!is_picture(outline, item)) {
            continue;
        }
        if (!take_picture(run, outline, item->node, &response->tiles[response->tile_count], err)) {
            return false;
        }
        response->tile_count++;
        snprintf(id, sizeof(id), "e%u", item->id);
        json_array_append_new(ids, json_string(id));
    }
    return true;
}
