#include "runner/page/element/identify.h"

#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"
#include "runner/page/element/named.h"
#include "runner/page/element/node.h"
#include "runner/page/element/patience.h"
#include "runner/page/element/target.h"

#include <stdio.h>
#include <string.h>

/* Returns whether the reply to DOM.describeNode contains a shadow root made by the page. */
static bool has_shadow(const json_t *node)
{
    size_t index;
    const json_t *inner;
    json_array_foreach (json_object_get(node, "shadowRoots"), index, inner) {
        const char *type = json_member_string(inner, "shadowRootType");
        if (!type || strcmp(type, "user-agent") != 0) {
            return true;
        }
    }
    json_array_foreach (json_object_get(node, "children"), index, inner) {
        if (has_shadow(inner)) {
            return true;
        }
    }
    return false;
}

/* Scripts cannot detect closed shadow roots. */
static bool may_have_shadow(struct page *page, const struct frame *frame,
                            const struct page_node *node)
{
    struct br_error unknown;
    json_auto_t *reply = NULL;
    return !frame_command(page, frame, "DOM.describeNode",
                          json_pack("{s:I, s:i, s:b}", "backendNodeId",
                                    (json_int_t)node->backend_id, "depth", -1, "pierce", 1),
                          &reply, &unknown) ||
           has_shadow(json_object_get(reply, "node"));
}

static bool ask_semantics(struct page *page, struct frame *frame, const struct page_node *node,
                          json_t **ret_semantics, struct br_error *err)
{
    json_auto_t *nothing = json_object();
    json_auto_t *elements = NULL;
    json_auto_t *semantics = NULL;
    bool is_told = node_find(page, frame, node, &elements, err) &&
                   frame_call(page, frame, script_semantics, nothing, elements, &semantics, err);
    frame_release(page, frame);
    if (!is_told || !json_is_object(semantics) ||
        (json_member_bool(semantics, "mayHost", true) && may_have_shadow(page, frame, node))) {
        return false;
    }
    *ret_semantics = TAKE(semantics);
    return true;
}

bool page_get_semantics(struct page *page, const struct page_node *node, json_t **ret_semantics)
{
    struct br_error unknown = { 0 };
    struct frame *frame = NULL;
    if (!frames_update(page, &unknown) || !node_choose_frame(page, node, &frame, &unknown) ||
        frame_is_silent(page, frame)) {
        return false;
    }
    struct deadline before = frame_begin(page);
    bool is_known = ask_semantics(page, frame, node, ret_semantics, &unknown);
    page_set_deadline(page, before);
    return is_known;
}

static bool keep_once(struct page *page, const struct page_target *target, int attempt, void *data,
                      struct br_error *err)
{
    (void)attempt;
    return target_locate(page, target, &(struct job){ script_keep, NULL }, data, err);
}

bool page_locate_node(struct page *page, const struct page_target *target,
                      struct page_node *ret_node, struct br_error *err)
{
    CLEANUP_ELEMENT struct element element = { 0 };
    if (!patience_try(page, target, keep_once, &element, err)) {
        return false;
    }
    struct frame *frame = element_frame(page, &element);
    *ret_node = (struct page_node){
        .frame_id = frame->id,
        .loader_id = page_frame_loader(page, frame->id),
        .backend_id = element.backend_id,
    };
    snprintf(ret_node->label, sizeof(ret_node->label), "the element");
    return (ret_node->backend_id && ret_node->loader_id) || node_is_stale(ret_node, err);
}
