#include "runner/actions/action_type.h"
#include "runner/base/error.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/snapshot/controls.h"
#include "runner/snapshot/outline/outline.h"

enum { MAX_ELEMENTS = 10000, USUAL_ELEMENTS = 1000 };

/* In the order of enum control_confidence. */
static const char *const confidences[] = { "LOW", "MEDIUM", "HIGH", NULL };

static const struct param params[] = {
    PARAM("includeHidden", BOOLEAN, "True: includes hidden controls.", .default_value = "false",
          .is_rare = true),
    PARAM("maxElements", INTEGER, "Maximum number of controls, in document order.", .min = 1,
          .max = MAX_ELEMENTS, .default_value = "1000"),
    PARAM("minConfidence", CHOICE,
          "HIGH: only controls by element or role. MEDIUM: also elements that listen for clicks, "
          "are focusable or are editable. LOW: also elements that only look clickable.",
          .choices = confidences, .default_value = "LOW"),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: includes those that the page hides from models by data-no-ai.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

static bool run_detect(struct action_run *run, struct br_error *err)
{
    CLEANUP_SNAPSHOT struct snapshot snapshot = { 0 };
    struct controls_options options = {
        .least = (enum control_confidence)param_choice(run->action, "minConfidence", confidences,
                                                       CONFIDENCE_LOW),
        .has_hidden = param_boolean(run->action, "includeHidden", false),
        .keeps_left_out = param_boolean(run->action, "ignoreNoAi", false),
        .most = (int)param_integer(run->action, "maxElements", USUAL_ELEMENTS),
    };
    const struct outline_options shown = {
        .root = SNAPSHOT_NONE,
        .keeps_left_out = options.keeps_left_out,
    };
    int found = 0;
    if (!snapshot_take_last(run->page, SNAPSHOT_AX_AUTO, snapshot_store_ids(run->snapshots),
                            &snapshot, err)) {
        return false;
    }
    struct outline *outline = outline_create(snapshot.tree, snapshot.semantics, snapshot.visibility,
                                             &shown, snapshot_store_ids(run->snapshots));
    json_t *list = controls_list(&snapshot, outline, &options, &found);
    json_t *result = json_pack("{s:i}", "found", found);
    if ((size_t)found > json_array_size(list)) {
        json_object_set_new(result, "leftOut", json_integer(found - (int)json_array_size(list)));
    }
    json_object_set_new(result, "elements", list);
    response_set_result(run->response, result);
    if (outline->left_out) {
        log_tool(run->logs, BR_LOG_INFO, "detect",
                 "parts of the page that are hidden from models (data-no-ai) are omitted: %d",
                 outline->left_out);
    }
    snapshot_store_show(run->snapshots, outline, SNAPSHOT_AX_AUTO);
    outline_destroy(outline);
    return true;
}

const struct action_type action_detect = {
    .name = "detect",
    .text = "Lists the elements that a person could operate, each with its confidence, the "
            "reasons, and its position; their ids can be used as node.",
    .params = params,
    .is_rare = true,
    .run = run_detect,
};
