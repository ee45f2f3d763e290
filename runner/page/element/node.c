#include "runner/page/element/node.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/named.h"

#include <string.h>

bool node_is_stale(const struct page_node *node, struct br_error *err)
{
    error_set(err, BR_STALE_NODE, "%s is no longer on the page", node->label);
    return error_hint(err, "take a snapshot again, and use an id from it");
}

bool node_find(struct page *page, struct frame *frame, const struct page_node *node,
               json_t **ret_elements, struct br_error *err)
{
    json_auto_t *reply = NULL;
    if (!frame_ensure_world(page, frame, err) ||
        !frame_command(page, frame, "DOM.resolveNode",
                       json_pack("{s:I, s:i, s:s}", "backendNodeId", (json_int_t)node->backend_id,
                                 "executionContextId", frame->world_id, "objectGroup",
                                 frame_object_group),
                       &reply, err)) {
        return page_was_left(err) && page_is_alive(page) ? node_is_stale(node, err) : false;
    }
    json_t *object_id = json_object_get(json_object_get(reply, "object"), "objectId");
    *ret_elements = json_pack("[O*]", object_id);
    return true;
}

bool node_choose_frame(struct page *page, const struct page_node *node, struct frame **ret_frame,
                       struct br_error *err)
{
    const char *loader_id = page_frame_loader(page, node->frame_id);
    *ret_frame = frame_find(page, node->frame_id);
    return (loader_id && strcmp(loader_id, node->loader_id) == 0) || node_is_stale(node, err);
}
