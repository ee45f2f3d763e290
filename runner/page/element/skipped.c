#include "runner/page/element/skipped.h"

#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/page/core/call.h"
#include "runner/page/core/frames.h"
#include "runner/page/core/questions.h"
#include "runner/page/core/scripts.h"

#include <string.h>

/* Returns the ids of the elements' objects in the frame; omits elements that no longer exist. */
static json_t *resolve(struct page *page, struct frame *frame, const struct skipped_node *nodes,
                       size_t count)
{
    json_t *objects = json_array();
    for (size_t i = 0; i < count; i++) {
        struct br_error gone;
        json_auto_t *reply = NULL;
        if (strcmp(nodes[i].frame_id, frame->id) == 0 && frame_ensure_world(page, frame, &gone) &&
            frame_command(page, frame, "DOM.resolveNode",
                          json_pack("{s:I, s:i, s:s}", "backendNodeId",
                                    (json_int_t)nodes[i].backend_id, "executionContextId",
                                    frame->world_id, "objectGroup", frame_object_group),
                          &reply, &gone)) {
            json_t *id = json_object_get(json_object_get(reply, "object"), "objectId");
            json_array_append(objects, id);
        }
    }
    return objects;
}

/* Returns the number of elements in all frames that replied. */
static int64_t ask(struct page *page, const char *mode, const struct skipped_node *nodes,
                   size_t count)
{
    json_auto_t *argument = json_pack("{s:s}", "mode", mode);
    struct frame_question *questions = frame_questions_create(page);
    int64_t found = 0;
    for (size_t i = 0; i < frames_count(page) && count > 0; i++) {
        questions[i].objects = resolve(page, questions[i].frame, nodes, count);
    }
    frames_ask(page, script_skipped, argument, questions, frames_count(page));
    for (size_t i = 0; i < frames_count(page); i++) {
        found += json_integer_value(questions[i].answer);
        if (json_array_size(questions[i].objects)) {
            frame_release(page, questions[i].frame);
        }
    }
    frame_questions_destroy(questions, frames_count(page));
    return found;
}

bool skipped_lay_out(struct page *page, const struct skipped_node *closed, size_t count)
{
    return ask(page, "layOut", closed, count) > 0;
}

bool skipped_show(struct page *page)
{
    struct br_error gone;
    return frames_update(page, &gone) && ask(page, "show", NULL, 0) > 0;
}

void skipped_end(struct page *page)
{
    ask(page, "end", NULL, 0);
}
