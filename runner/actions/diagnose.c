#include "runner/actions/action_type.h"

enum { MAX_STEPS = 100, MAX_SESSION_MS = 24 * 60 * 60 * 1000 };

static const struct param step_members[] = {
    PARAM("label", NAME, "A label of your own, repeated in the result."),
    PARAM("action", ACTION,
          "Any action except diagnose, screenshot and stop; without pictures of its own.",
          .is_required = true, .example = "{\"type\": \"click\", \"selector\": \"#save\"}"),
    PARAM("expectedLogs", NAMES,
          "Messages that the page has to log during the step or within 2 s: parts of them, "
          "ignoring case, with * for any text."),
    PARAM("noJsErrors", BOOLEAN,
          "True: no uncaught exception until no request has been pending for 500 ms, 2 s at most.",
          .default_value = "false"),
    PARAM("noNetworkErrors", BOOLEAN,
          "True: no failed request and no status of 400 or higher until that moment.",
          .default_value = "false"),
    PARAM("customCondition", NAME, "A JavaScript expression that has to become true within 2 s.",
          .use = USE_SCRIPT),
    { 0 },
};

static const struct param params[] = {
    PARAM("steps", LIST,
          "The steps, each an action and its expectations. In XML: JSON as the element's text, in "
          "CDATA if it contains < or &.",
          .is_required = true, .min = 1, .max = MAX_STEPS, .members = step_members,
          .example = "[{\"label\": \"save\", \"action\": {\"type\": \"click\", \"selector\": "
                     "\"#save\"}, \"expectedLogs\": [\"saved *\"], \"noJsErrors\": true}]"),
    PARAM("automated", BOOLEAN, "True: runs all steps. False: stops at the first one that fails.",
          .default_value = "false"),
    PARAM(
        "maxSteps", INTEGER,
        "Maximum number of steps to run; if there are more, the action fails with LIMIT_EXCEEDED.",
        .min = 1, .max = MAX_STEPS),
    PARAM("sessionTimeoutMs", INTEGER,
          "Milliseconds for all steps together; after that no further step begins, and the action "
          "fails with TIMEOUT.",
          .min = 1, .max = MAX_SESSION_MS, .default_value = "300000"),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "retryOptions", .text = "applies to a single action",
      .hint = "set it in the actions of the steps" },
    { 0 },
};

const struct action_type action_diagnose = {
    .name = "diagnose",
    .text = "Runs steps in sequence, checks the expectations of each, and reports all of them in "
            "the result. It fails if a step fails.",
    .params = params,
    .rules = rules,
    .is_rare = true,
    .runs_steps = true,
    .answers_raw = true, /* its steps were already masked one by one */
};
