#include "runner/actions/actions.h"

#include "runner/base/json.h"

#include <string.h>

enum { MAX_EDGE = 65535 };

static const char *const formats[] = { "jpeg", "png", NULL };

static const struct param params[] = {
    { .name = "fullPage", .kind = PARAM_BOOLEAN },
    { .name = "clip", .kind = PARAM_BOX },
    { .name = "format", .kind = PARAM_CHOICE, .choices = formats },
    { .name = "quality", .kind = PARAM_INTEGER, .min = 1, .max = 100 },
    { .name = "maxEdge", .kind = PARAM_INTEGER, .min = 0, .max = MAX_EDGE },
    { .name = "maxPixels", .kind = PARAM_NUMBER, .min = 0, .max = BR_IMAGE_MAX_PIXELS },
    { 0 },
};

static bool validate(const struct br_action *action, struct br_error *err)
{
    int ways = param_boolean(action, "fullPage", false) + param_is_given(action, "clip") +
               action_names_element(action);
    if (ways > 1) {
        return param_error(action, NULL, err, "takes one of fullPage, clip, an element");
    }
    return !param_is_given(action, "quality") ||
           strcmp(param_text(action, "format", "jpeg"), "png") != 0 ||
           param_error(action, "quality", err, "is that of a JPEG, and the format is png");
}

static bool run_screenshot(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    const json_t *clip = json_object_get(action->params, "clip");
    struct page_box box = {
        .x = json_member_number(clip, "x", 0),
        .y = json_member_number(clip, "y", 0),
        .width = json_member_number(clip, "width", 0),
        .height = json_member_number(clip, "height", 0),
    };
    struct page_target target = action_target(action);
    struct page_capture capture = *run->picture;
    capture.is_full_page = param_boolean(action, "fullPage", false);
    capture.clip = clip ? &box : NULL;
    capture.target = action_names_element(action) ? &target : NULL;
    capture.is_png = strcmp(param_text(action, "format", "jpeg"), "png") == 0;
    capture.quality = (int)param_integer(action, "quality", capture.quality);
    capture.limits.max_edge = (int)param_integer(action, "maxEdge", capture.limits.max_edge);
    capture.limits.max_pixels = param_number(action, "maxPixels", capture.limits.max_pixels);
    return page_capture(run->page, &capture, &run->response->post, err);
}

const struct action_type action_screenshot = {
    .name = "screenshot",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .is_capture = true,
    .validate = validate,
    .run = run_screenshot,
};
