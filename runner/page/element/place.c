#include "runner/page/element/place.h"

#include "runner/base/json.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/scripts.h"
#include "runner/page/core/state.h"
#include "runner/page/core/wire.h"
#include "runner/page/element/element.h"

enum { MAX_DEPTH = 20 /* nesting of frames */ };

/* Gets the frame's element as an object of our world in the parent. The caller frees the id. */
static bool get_owner(struct page *page, const struct frame *frame, struct frame *parent,
                      char **ret_object_id, struct br_error *err)
{
    json_auto_t *owner = NULL;
    json_auto_t *resolved = NULL;
    int node_id = 0;
    const char *object_id = NULL;
    if (!frame_ensure_world(page, parent, err) ||
        !frame_command(page, parent, "DOM.getFrameOwner", json_pack("{s:s}", "frameId", frame->id),
                       &owner, err) ||
        !json_read(owner, "DOM.getFrameOwner", err, "{s:i}", "backendNodeId", &node_id) ||
        !frame_command(page, parent, "DOM.resolveNode",
                       json_pack("{s:i, s:i, s:s}", "backendNodeId", node_id, "executionContextId",
                                 parent->world_id, "objectGroup", frame_object_group),
                       &resolved, err) ||
        !json_read(resolved, "DOM.resolveNode", err, "{s:{s:s}}", "object", "objectId",
                   &object_id)) {
        return false;
    }
    *ret_object_id = xstrdup(object_id);
    return true;
}

/* Calls a function of scripts/elements/frame.js in the parent; the argument stays the caller's. */
static bool ask_owner(struct page *page, const struct frame *frame, struct frame *parent,
                      const struct job *job, json_t **ret_answer, struct br_error *err)
{
    CLEANUP_FREE char *object_id = NULL;
    if (!get_owner(page, frame, parent, &object_id, err)) {
        return page_was_left(err) && page_is_alive(page)
                   ? error_set(err, BR_TARGET_NOT_FOUND, "the frame %s no longer exists",
                               frame->url)
                   : false;
    }
    json_auto_t *objects = json_pack("[s]", object_id);
    bool is_done =
        frame_call(page, parent, job->function, job->options, objects, ret_answer, err) &&
        call_answer_is_fine(*ret_answer, err);
    frame_release(page, parent);
    return is_done;
}

/* Returns NULL with an error if it no longer exists. */
static struct frame *parent_of(struct page *page, const struct frame *frame, struct br_error *err)
{
    struct frame *parent = frame_find(page, frame->parent_id);
    if (!parent) {
        error_set(err, BR_TARGET_NOT_FOUND, "the frame around %s no longer exists", frame->url);
    }
    return parent;
}

bool frame_to_parent(struct page *page, const struct frame *frame, struct frame_point *point,
                     bool is_input, struct frame **ret_parent, struct br_error *err)
{
    json_auto_t *inner =
        json_pack("{s:f, s:f, s:b}", "x", point->x, "y", point->y, "staysPut", point->stays_put);
    json_auto_t *answer = NULL;
    double scale = 1;
    struct frame *parent = parent_of(page, frame, err);
    const struct job job = { is_input ? script_frameInput : script_framePoint, inner };
    if (!parent || !ask_owner(page, frame, parent, &job, &answer, err) ||
        !json_read(answer, "the frame's place", err, "{s:F, s:F, s:F, s:F, s:F}", "x", &point->x,
                   "y", &point->y, "scale", &scale, "scrollX", &point->scroll_x, "scrollY",
                   &point->scroll_y)) {
        return false;
    }
    point->scale *= scale;
    *ret_parent = parent;
    return true;
}

bool frame_to_page(struct page *page, struct frame *frame, struct frame_point *point, bool is_input,
                   struct br_error *err)
{
    point->scale = 1;
    for (int depth = 0; depth < MAX_DEPTH && frame->parent_id; depth++) {
        if (!frame_to_parent(page, frame, point, is_input, &frame, err)) {
            return false;
        }
    }
    return true;
}

bool frame_get_size(struct page *page, const struct frame *frame, double *ret_width,
                    double *ret_height, struct br_error *err)
{
    json_auto_t *answer = NULL;
    struct frame *parent = parent_of(page, frame, err);
    return parent &&
           ask_owner(page, frame, parent, &(struct job){ script_frameSize, NULL }, &answer, err) &&
           json_read(answer, "the frame's size", err, "{s:F, s:F}", "width", ret_width, "height",
                     ret_height);
}

bool frame_check_policy(struct page *page, struct frame *frame, struct br_error *err)
{
    for (int depth = 0; depth < MAX_DEPTH && frame->parent_id; depth++) {
        json_auto_t *answer = NULL;
        struct frame *parent = parent_of(page, frame, err);
        if (!parent || !ask_owner(page, frame, parent, &(struct job){ script_framePolicy, NULL },
                                  &answer, err)) {
            return false;
        }
        if (json_member_bool(answer, "isLeftOut", false)) {
            error_set(err, BR_POLICY_DENIED,
                      "the frame %s is hidden from models by the page: data-no-ai", frame->url);
            return error_hint(err, "leave it to a person; for pages of your own, set ignoreNoAi");
        }
        frame = parent;
    }
    return true;
}
