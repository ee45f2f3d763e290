#include "runner/actions/actions.h"
#include "runner/page/core/box.h"
#include "runner/page/element/named.h"
#include "runner/page/picture/request.h"
#include "runner/page/picture/stable.h"
#include "runner/page/picture/tiles.h"

#include "runner/base/json.h"
#include "runner/base/response.h"

#include <string.h>

enum { MAX_EDGE = 65535, MAX_SELECTORS = 100, USUAL_SHOTS = 6 };

/* In the order of enum page_format. */
static const char *const formats[] = { "jpeg", "png", "webp", NULL };

static const struct param params[] = {
    { .name = "fullPage", .kind = PARAM_BOOLEAN },
    { .name = "clip", .kind = PARAM_BOX },
    { .name = "format", .kind = PARAM_CHOICE, .choices = formats },
    { .name = "quality", .kind = PARAM_INTEGER, .min = 1, .max = 100 },
    { .name = "maxEdge", .kind = PARAM_INTEGER, .min = 0, .max = MAX_EDGE },
    { .name = "maxPixels", .kind = PARAM_NUMBER, .min = 0, .max = BR_IMAGE_MAX_PIXELS },
    { .name = "maxBytes", .kind = PARAM_INTEGER, .min = 0, .max = INT32_MAX },
    { .name = "tiles", .kind = PARAM_BOOLEAN },
    { .name = "stable", .kind = PARAM_BOOLEAN },
    { .name = "shots", .kind = PARAM_INTEGER, .min = 1, .max = PAGE_MAX_SHOTS },
    { .name = "hide", .kind = PARAM_SELECTORS, .max = MAX_SELECTORS },
    { .name = "remove", .kind = PARAM_SELECTORS, .max = MAX_SELECTORS },
    { .name = "mask", .kind = PARAM_SELECTORS, .max = MAX_SELECTORS },
    { .name = "ignoreNoAi", .kind = PARAM_BOOLEAN },
    { 0 },
};

/* What is done with the pixels of a picture, which of a WebP only Chrome has. */
static bool check_webp(const struct br_action *action, struct br_error *err)
{
    static const char *const names[] = { "maxBytes", "stable", "hide", "remove", "mask" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (param_is_given(action, names[i])) {
            param_error(action, names[i], err, "is not there for webp, which Chrome makes");
            return error_hint(err, "take format jpeg or png");
        }
    }
    return true;
}

static bool validate(const struct br_action *action, struct br_error *err)
{
    int ways = param_boolean(action, "fullPage", false) + param_is_given(action, "clip") +
               action_names_element(action);
    if (ways > 1) {
        return param_error(action, NULL, err, "takes one of fullPage, clip, an element");
    }
    if (param_is_given(action, "shots") && !param_boolean(action, "stable", false)) {
        param_error(action, "shots", err, "counts the pictures of a stable one");
        return error_hint(err, "write stable: true beside it");
    }
    const char *format = param_text(action, "format", "jpeg");
    if (param_is_given(action, "quality") && strcmp(format, "png") == 0) {
        return param_error(action, "quality", err, "is that of a JPEG, and the format is png");
    }
    return strcmp(format, "webp") != 0 || check_webp(action, err);
}

/* What only the page can tell of the selectors. */
static bool check_selectors(struct action_run *run, const char *name, struct br_error *err)
{
    json_t *selectors = json_object_get(run->action->params, name);
    struct br_error why;
    if (!selectors || page_check_selectors(run->page, selectors, &why)) {
        return true;
    }
    if (why.code != BR_INVALID_ACTION) {
        *err = why;
        return false;
    }
    param_error(run->action, name, err, "%s", why.message);
    return error_hint(err, "%s", why.hint);
}

static bool take(struct action_run *run, struct page_capture *capture, struct br_error *err)
{
    struct br_response *response = run->response;
    if (!param_boolean(run->action, "tiles", false)) {
        capture->describes = true;
        return page_capture(run->page, capture, &response->post, err);
    }
    response_clear_tiles(response);
    return page_capture_tiles(run->page, capture, &response->tiles, &response->tile_count, err);
}

static bool capture_stable(struct action_run *run, struct page_capture *capture,
                           struct br_error *err)
{
    const struct br_action *action = run->action;
    struct page_stable stable = {
        .is_frozen = param_boolean(action, "stable", false),
        .shots = (int)param_integer(action, "shots", USUAL_SHOTS),
        .hide = json_object_get(action->params, "hide"),
        .remove = json_object_get(action->params, "remove"),
        .mask = json_object_get(action->params, "mask"),
    };
    if (stable.is_frozen || stable.hide || stable.remove || stable.mask) {
        capture->stable = &stable;
    }
    bool is_done = check_selectors(run, "hide", err) && check_selectors(run, "remove", err) &&
                   check_selectors(run, "mask", err) && take(run, capture, err);
    if (is_done && stable.result) {
        run->response->result = json_dumps(stable.result, JSON_COMPACT);
    }
    json_decref(stable.result);
    capture->stable = NULL;
    return is_done;
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
    struct page_target target;
    if (!action_find_target(run, action, &target, err)) {
        return false;
    }
    struct page_capture capture = *run->picture;
    capture.shows_withheld = param_boolean(action, "ignoreNoAi", false);
    capture.is_full_page = param_boolean(action, "fullPage", false);
    capture.clip = clip ? &box : NULL;
    capture.target = action_names_element(action) ? &target : NULL;
    capture.format = (enum page_format)param_choice(action, "format", formats, PAGE_JPEG);
    capture.max_bytes = param_integer(action, "maxBytes", 0);
    capture.quality = (int)param_integer(action, "quality", capture.quality);
    capture.limits.max_edge = (int)param_integer(action, "maxEdge", capture.limits.max_edge);
    capture.limits.max_pixels = param_number(action, "maxPixels", capture.limits.max_pixels);
    return capture_stable(run, &capture, err);
}

const struct action_type action_screenshot = {
    .name = "screenshot",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .is_capture = true,
    .validate = validate,
    .run = run_screenshot,
};
