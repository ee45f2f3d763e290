#include "runner/actions/naming.h"
#include "runner/actions/screenshot_labels.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/observe/stream.h"
#include "runner/page/core/box.h"
#include "runner/page/core/virtual_time.h"
#include "runner/page/element/named.h"
#include "runner/page/picture/stable.h"
#include "runner/page/picture/tiles.h"

#include <string.h>

enum { MAX_EDGE = 65535, MAX_SELECTORS = 100, MAX_AT_MS = 600000, USUAL_SHOTS = 6 };

/* In the order of enum page_format. */
static const char *const formats[] = { "jpeg", "png", "webp", NULL };

static const struct param params[] = {
    PARAM("fullPage", BOOLEAN, "True: the whole page.", .default_value = "false"),
    PARAM("clip", BOX, NULL, .is_rare = true),
    PARAM("format", CHOICE,
          "webp is encoded by Chrome itself: at most 4 megapixels, without maxBytes, "
          "labels, stable, hide, remove and mask.",
          .choices = formats, .default_value = "jpeg", .is_rare = true),
    PARAM(
        "quality", INTEGER,
        "The quality of a JPEG or WebP. Without it, that of the start applies, or --quality (25).",
        .min = 1, .max = 100, .is_rare = true),
    PARAM("maxEdge", INTEGER, "Maximum of the longer side in pixels; 0 for no limit.", .min = 0,
          .max = MAX_EDGE, .default_value = "1568", .is_rare = true),
    PARAM("maxPixels", NUMBER, "Maximum of width times height; 0 for no limit.", .min = 0,
          .max = BR_IMAGE_MAX_PIXELS, .default_value = "1150000", .is_rare = true),
    PARAM("maxBytes", INTEGER,
          "Maximum size of the file. A larger one is scaled down, to half the sides at most, then "
          "its quality is reduced, to 5 at most; each step is logged. If that is not enough, there "
          "is no picture but a warning. 0 for no limit.",
          .min = 0, .max = INT32_MAX, .default_value = "0", .is_rare = true),
    PARAM("tiles", BOOLEAN,
          "True: takes slices from the top, each as high as the viewport and overlapping the next "
          "by 5 %, of the whole page unless a part is named; 50 of them at most. The limits apply "
          "to each. They are in tiles of screenshots and captures, and post is absent.",
          .default_value = "false", .is_rare = true),
    PARAM("labels", BOOLEAN,
          "True: outlines the controls in the picture, each with its id, which other actions "
          "accept as node. labels of the result lists them: id, role, name, box.",
          .default_value = "false"),
    PARAM("stable", BOOLEAN,
          "True: keeps the page still (ends animations, hides the caret, waits for fonts and "
          "images) and takes pictures until two in a row are equal. The result has the outcome.",
          .default_value = "false", .is_rare = true),
    PARAM("shots", INTEGER,
          "Maximum number of pictures for a stable one. 1: a single one, without comparing.",
          .min = 1, .max = PAGE_MAX_SHOTS, .default_value = "6", .is_rare = true),
    PARAM("at", INTEGER,
          "With a virtual clock: how old the document is in the stable picture, in milliseconds; "
          "animations stand at that time. Without it, what ends has ended, and endless animations "
          "are at their start.",
          .min = 0, .max = MAX_AT_MS, .is_rare = true),
    PARAM("hide", SELECTORS,
          "Selectors of elements that are invisible in the picture, but keep their space.",
          .max = MAX_SELECTORS, .example = "[\".advert\", \"#clock\"]", .is_rare = true),
    PARAM("remove", SELECTORS, "Selectors of elements that are removed from the layout.",
          .max = MAX_SELECTORS, .example = "[\".advert\", \"#clock\"]", .is_rare = true),
    PARAM("mask", SELECTORS, "Selectors of elements whose boxes are painted over in #ff00ff.",
          .max = MAX_SELECTORS, .example = "[\".advert\", \"#clock\"]", .is_rare = true),
    PARAM("ignore", SELECTORS,
          "Selectors of elements that are shown, but not compared between the pictures of a stable "
          "one; ignored of the result has their boxes, in pixels.",
          .max = MAX_SELECTORS, .example = "[\".advert\", \"#clock\"]", .is_rare = true),
    PARAM("locate", SELECTORS,
          "Selectors of elements whose boxes in a stable picture, in pixels, are in located of the "
          "result.",
          .max = MAX_SELECTORS, .example = "[\".advert\", \"#clock\"]", .is_rare = true),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: also shows the parts that the page hides from models by data-no-ai; without it "
          "they are painted over in #808080.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_AT_MOST_ONE, "fullPage clip @element",
      .text = "takes one of fullPage, clip, an element" },
    { RULE_NONE, "shots at ignore locate", .when = "stable", .is = "false",
      .text = "applies to a stable picture", .hint = "add stable: true" },
    { RULE_NONE, "quality", .when = "format", .is = "png",
      .text = "applies to a JPEG or WebP, but the format is png" },
    { RULE_NONE, "maxBytes labels stable hide remove mask", .when = "format", .is = "webp",
      .text = "is not available for webp, which Chrome encodes", .hint = "use format jpeg or png" },
    { 0 },
};

/* Options that work on the pixels, which are not available for WebP. */
/* Checks selectors in the page, which alone can parse them. */
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

static bool check_at(struct action_run *run, struct br_error *err)
{
    if (!param_is_given(run->action, "at") || virtual_time_is_on(run->page)) {
        return true;
    }
    param_error(run->action, "at", err, "needs a virtual clock");
    return error_hint(err, "`shot` and `check` have one: --clock virtual");
}

static bool take(struct action_run *run, struct page_capture *capture, struct br_error *err)
{
    struct br_response *response = run->response;
    if (!param_boolean(run->action, "tiles", false)) {
        capture->describes = !capture->labels; /* labels need further questions to the page
                                                  meanwhile */
        return page_capture(run->page, capture, &response->post, err);
    }
    response_clear_tiles(response);
    return page_capture_tiles(run->page, capture, &response->tiles, &response->tile_count, err);
}

/* *ret_result: the outcome, with `stable`. Caller decrefs in any case. */
static bool capture_stable(struct action_run *run, struct page_capture *capture,
                           json_t **ret_result, struct br_error *err)
{
    const struct br_action *action = run->action;
    struct page_stable stable = {
        .is_frozen = param_boolean(action, "stable", false),
        .shots = (int)param_integer(action, "shots", USUAL_SHOTS),
        .has_at = param_is_given(action, "at"),
        .at_ms = param_integer(action, "at", 0),
        .hide = json_object_get(action->params, "hide"),
        .remove = json_object_get(action->params, "remove"),
        .mask = json_object_get(action->params, "mask"),
        .ignore = json_object_get(action->params, "ignore"),
        .locate = json_object_get(action->params, "locate"),
    };
    if (stable.is_frozen || stable.hide || stable.remove || stable.mask) {
        capture->stable = &stable;
    }
    bool is_done = check_at(run, err) && check_selectors(run, "hide", err) &&
                   check_selectors(run, "remove", err) && check_selectors(run, "mask", err) &&
                   check_selectors(run, "ignore", err) && check_selectors(run, "locate", err) &&
                   take(run, capture, err);
    *ret_result = stable.result;
    capture->stable = NULL;
    return is_done;
}

static void add_labels(struct action_run *run, const struct labelling *labelling, json_t **result)
{
    *result = *result ? *result : json_object();
    json_object_set(*result, "labels", labelling->list);
    if (labelling->without_room) {
        log_tool(run->logs, BR_LOG_INFO, "screenshot",
                 "labels omitted for lack of room for their tags: %zu", labelling->without_room);
    }
}

static bool capture_labelled(struct action_run *run, struct page_capture *capture,
                             struct br_error *err)
{
    struct labelling labelling;
    json_auto_t *result = NULL;
    bool has_labels = param_boolean(run->action, "labels", false);
    labelling_init(&labelling, run);
    capture->labels = has_labels ? &labelling.labels : NULL;
    bool is_done = capture_stable(run, capture, &result, err);
    if (is_done && has_labels) {
        add_labels(run, &labelling, &result);
    }
    if (is_done) {
        response_set_result(run->response, json_incref(result));
    }
    labelling_finish(&labelling);
    capture->labels = NULL;
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
    return capture_labelled(run, &capture, err);
}

const struct action_type action_screenshot = {
    .name = "screenshot",
    .text = "Takes a picture of the viewport, the whole page, an element or a part of the page.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .is_capture = true,
    .run = run_screenshot,
};
