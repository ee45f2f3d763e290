#include "runner/actions/shared_params.h"

#include "runner/base/network_event.h"
#include "runner/page/core/navigate.h"

enum { MAX_TIMEOUT_MS = 24 * 60 * 60 * 1000, MAX_TARGETS = 1000 };

const struct param shared_element_params[] = {
    PARAM("node", NODE,
          "The id of an element in a snapshot of this session. The page is checked before it is "
          "used: STALE_NODE if the element no longer exists, or has another role or name now. "
          "Numbers in the name may change if no other such element has the same name but for "
          "them.",
          .example = "e12"),
    PARAM("selector", NAME, "A CSS selector. It also finds elements inside open shadow roots.",
          .example = "#go"),
    PARAM(
        "element", NAME,
        "An element in a person's words. All readings are tried at once, in this order: the id of "
        "a snapshot; exactly this text, label or placeholder; a CSS selector, if it is a tag or "
        "has signs of one; exactly this accessible name; a part of a text or label, or of a "
        "name. Also role=button[name=\"Save\"], label=, placeholder=, testid=, title=, alt=, "
        "id=, name=, text= and css=.",
        .example = "Sign in", .is_rare = true),
    PARAM("testId", NAME, "The value of data-testid, data-test-id, data-test or data-cy.",
          .is_rare = true),
    PARAM("role", NAME,
          "The ARIA role of the element. Explicit or implied, as in a snapshot. `control` is any "
          "control, `field` anything that accepts text.",
          .example = "button"),
    PARAM("name", NAME,
          "With role: a part of the accessible name. Ignores case; `*` is any text. An element "
          "with exactly this name has precedence.",
          .example = "Save"),
    PARAM("targets", SELECTORS,
          "Selectors or texts in order: the first visible one is used; the log says which.",
          .max = MAX_TARGETS, .example = "[\"#buy\", \"Buy now\"]", .is_rare = true),
    PARAM("nth", INTEGER, "Chooses the element with this number, counted from 0, if several match.",
          .min = 0, .max = 100000, .is_rare = true),
    PARAM("frame", NAME,
          "Searches only this frame: its name, a part of its URL that contains a `/`, a pattern of "
          "the URL with `*`, or a selector of its element. Without it the page and all its frames "
          "are searched.",
          .example = "checkout", .is_rare = true),
    PARAM("ignoreNoAi", BOOLEAN,
          "True: also acts on elements that the page hides from models by data-no-ai; without it "
          "they are POLICY_DENIED.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

const struct param shared_text_params[] = {
    PARAM("text", NAME,
          "A part of the innermost element's text. Ignores case; `*` is any text. An element with "
          "exactly this text has precedence. If no element has it, a control with this name, such "
          "as an icon button.",
          .example = "Add to cart"),
    { 0 },
};

const struct param shared_place_params[] = {
    PARAM("xRange", RANGE,
          "From min to max, in CSS pixels from the upper left corner of the viewport.",
          .is_rare = true),
    PARAM("yRange", RANGE,
          "From min to max, in CSS pixels from the upper left corner of the viewport.",
          .is_rare = true),
    PARAM("x", NUMBER, "CSS pixels from the left edge of the viewport."),
    PARAM("y", NUMBER, "CSS pixels from the upper edge of the viewport."),
    { 0 },
};

static const char *const screenshots_choices[] = { "none", "post", "both", NULL };
static const char *const log_types[] = { "error", "warning", "info", "debug", "verbose", NULL };

static const struct param log_filter_members[] = {
    PARAM("types", CHOICES, "Only entries of these types.", .choices = log_types),
    PARAM("minLevel", INTEGER,
          "Only entries of at least this severity: 0 verbose, 1 debug, 2 info, 3 warning, 4 error.",
          .min = 0, .max = 4),
    PARAM("categories", NAMES, "Only entries of these categories.",
          .example = "[\"network\", \"javascript\", \"console\"]"),
    { 0 },
};

/* Our codes, and other tools' names for such errors. */
static const char *const retry_errors[] = {
    "TimeoutError",     "TargetClosedError",  "DetachedFrameError",
    "TIMEOUT",          "BROWSER_CRASHED",    "PAGE_CRASHED",
    "DISCONNECTED",     "STALE_NODE",         "TARGET_NOT_FOUND",
    "TARGET_AMBIGUOUS", "TARGET_NOT_VISIBLE", "TARGET_DISABLED",
    "TARGET_OBSCURED",  "NO_VISUAL_CHANGE",   "NAVIGATION_FAILED",
    "EVAL_ERROR",       "UNKNOWN_ERROR",      NULL,
};

static const struct param retry_members[] = {
    PARAM("maxRetries", INTEGER, "Number of tries after the first one.", .min = 0, .max = 100,
          .default_value = "3"),
    PARAM("retryDelay", INTEGER,
          "Milliseconds before the second try; doubled before each further one, and varied by a "
          "fifth.",
          .min = 0, .max = 60 * 60 * 1000, .default_value = "1000"),
    PARAM("retryOnErrors", CHOICES,
          "Error codes, or other tools' names for them. Without it: TimeoutError (TIMEOUT), "
          "TargetClosedError (PAGE_CRASHED, BROWSER_CRASHED, DISCONNECTED) and DetachedFrameError "
          "(STALE_NODE).",
          .choices = retry_errors, .example = "[\"TargetClosedError\", \"TARGET_NOT_FOUND\"]"),
    { 0 },
};

/* Parameters of every action. */
const struct param shared_common_params[] = {
    PARAM("timeout", INTEGER,
          "Milliseconds after which the action fails with TIMEOUT. Without it, --timeout of the "
          "command line applies (15000). That of a start also applies to later actions.",
          .min = 1, .max = MAX_TIMEOUT_MS, .example = "5000", .is_rare = true),
    PARAM("screenshots", CHOICE,
          "The pictures in the response: none, one after the action, or one before and one after. "
          "That of a start also applies to later actions. Overrides --screenshots.",
          .choices = screenshots_choices, .is_rare = true),
    PARAM("retryOptions", MEMBERS,
          "How often, with which pauses and after which errors the action is retried, within its "
          "timeout. An action whose input may have reached the page is only retried after errors "
          "that are listed here. Those of a start also apply to later actions.",
          .members = retry_members, .is_rare = true),
    PARAM("logFilter", MEMBERS,
          "Which log entries are returned: those that satisfy every given member. That of a start "
          "also applies to later actions.",
          .members = log_filter_members, .is_rare = true),
    PARAM("networkFilter", CHOICE,
          "Which requests are returned: none; failed: those that failed or had a status of 400 or "
          "higher; document: these and the documents of all frames; xhr: these and requests by "
          "scripts, including WebSockets; all. If any are omitted, networkSummary counts them. "
          "That of a start also applies to later actions. Overrides --network-filter.",
          .choices = network_filter_names, .is_rare = true),
    PARAM("label", NAME, "A label of your own, repeated in the response.", .is_rare = true),
    PARAM("debug", BOOLEAN,
          "True: writes the action's pictures, a drawing of where it clicked and its details to "
          "files, as --debug does for all; debugFiles of the response names them.",
          .default_value = "false", .is_rare = true),
    PARAM("timings", BOOLEAN,
          "True: timings of the response lists each wait of the action with its milliseconds.",
          .default_value = "false", .is_rare = true),
    { 0 },
};

const char *const button_choices[] = { "left", "middle", "right", NULL };

const char *const modifier_choices[] = { "Alt", "Control", "Meta", "Shift", NULL };

const char *const wait_until_choices[] = {
    [PAGE_LOAD] = "load",
    [PAGE_DOM_CONTENT_LOADED] = "domcontentloaded",
    [PAGE_NETWORK_IDLE_0] = "networkidle0",
    [PAGE_NETWORK_IDLE_2] = "networkidle2",
    NULL,
};

#define RULE_NAME_OF_ROLE                                                                          \
    {                                                                                              \
        RULE_ALL, "role", .when = "name", .about = "name",                                         \
                          .text = "goes with role, which is missing"                               \
    }
#define RULE_NTH_OF_MATCHES                                                                        \
    {                                                                                              \
        RULE_ANY, "@element", .when = "nth", .about = "nth",                                       \
                              .text = "chooses among matches of a selector, which is missing"      \
    }
#define RULE_FRAME_OF_ELEMENT                                                                      \
    {                                                                                              \
        RULE_ANY, "@element", .when = "frame", .about = "frame",                                   \
                              .text = "says where to search for an element, but none is named"     \
    }
#define ONE_WAY   "takes one of node, selector, element, testId, text, role, targets"
#define LEAVE_OUT "omit all of them but one"

const struct rule shared_element_rules[] = {
    { RULE_AT_MOST_ONE, "@element", .text = ONE_WAY, .hint = LEAVE_OUT },
    RULE_NAME_OF_ROLE,
    RULE_NTH_OF_MATCHES,
    { 0 },
};

const struct rule shared_needed_element_rules[] = {
    { RULE_ANY, "@element",
      .text = "needs a node, selector, element, testId, text, role or targets" },
    { 0 },
};

const struct rule shared_place_rules[] = {
    { RULE_ALL, "yRange", .when = "xRange", .text = "xRange and yRange are given together" },
    { RULE_ALL, "xRange", .when = "yRange", .text = "xRange and yRange are given together" },
    { RULE_ALL, "y", .when = "x", .text = "x and y are given together" },
    { RULE_ALL, "x", .when = "y", .text = "x and y are given together" },
    { RULE_AT_MOST_ONE, "@element xRange x", .text = ONE_WAY ", xRange with yRange, x with y",
      .hint = LEAVE_OUT },
    RULE_NAME_OF_ROLE,
    RULE_NTH_OF_MATCHES,
    RULE_FRAME_OF_ELEMENT,
    { 0 },
};

const struct rule shared_needed_place_rules[] = {
    { RULE_ANY, "@element xRange x",
      .text = "needs a node, selector, element, testId, text, role, targets, xRange with yRange, "
              "or x with y" },
    { RULE_NONE, "xRange x", .when = "position", .about = "position",
      .text = "is relative to an element, but there is no selector" },
    { 0 },
};
