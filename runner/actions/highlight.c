#include "runner/page/element/highlight.h"

#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/base/json.h"
#include "runner/base/response.h"
#include "runner/page/element/named.h"
#include "runner/page/world/agent.h"

#include <string.h>

enum { USUAL_MS = 2000, MAX_MS = 60 * 60 * 1000 };

static const char *const color_choices[] = {
    "red", "orange", "yellow", "green", "blue", "purple", "black", "white", NULL,
};
static const unsigned colors[] = {
    0xe01030, 0xff8c00, 0xffd500, 0x108a30, 0x1f5fe0, 0x8a2be2, 0x000000, 0xffffff,
};

static const struct param params[] = {
    PARAM("box", BOX, "A box of the viewport, instead of an element.", .is_rare = true),
    PARAM("ms", INTEGER, "Milliseconds until it disappears.", .min = 1, .max = MAX_MS,
          .default_value = "2000"),
    PARAM("color", CHOICE, "Its colour, drawn translucently.", .choices = color_choices,
          .default_value = "red"),
    PARAM("captured", BOOLEAN, "True: pictures taken meanwhile show it, too.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_ONE, "@element box", .text = "needs an element or a box" },
    { 0 },
};

/* The headless shell has no overlay: it would report success without drawing. */
static bool check_browser(struct page *page, struct br_error *err)
{
    const char *browser = page_browser(page, err);
    if (browser && strncmp(browser, "HeadlessChrome/", strlen("HeadlessChrome/")) == 0) {
        error_set(err, BR_UNKNOWN_ERROR, "%s cannot draw over pages", browser);
        return error_hint(err, "use chrome or chromium: this is the headless shell");
    }
    return browser;
}

static bool run_highlight(struct action_run *run, struct br_error *err)
{
    const struct br_action *action = run->action;
    const json_t *box = json_object_get(action->params, "box");
    struct page_target target;
    if (!check_browser(run->page, err) || !action_find_target(run, action, &target, err)) {
        return false;
    }
    struct page_highlight options = {
        .box = { json_member_number(box, "x", 0), json_member_number(box, "y", 0),
                 json_member_number(box, "width", 0), json_member_number(box, "height", 0) },
        .color = colors[param_choice(action, "color", color_choices, 0)],
        .ms = param_integer(action, "ms", USUAL_MS),
        .is_captured = param_boolean(action, "captured", false),
    };
    json_t *drawn = NULL;
    if (!page_highlight(run->page, &target, &options, &drawn, err)) {
        return false;
    }
    json_object_set_new(drawn, "ms", json_integer(options.ms));
    response_set_result(run->response, drawn);
    return true;
}

const struct action_type action_highlight = {
    .name = "highlight",
    .text = "Highlights an element or a box for a while, for a person who watches: the browser "
            "draws it over the page, which cannot detect it.",
    .params = params,
    .rules = rules,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .is_rare = true,
    .run = run_highlight,
};
