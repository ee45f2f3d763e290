#include "runner/actions/action_type.h"

enum { MAX_STEPS = 100, MAX_SESSION_MS = 24 * 60 * 60 * 1000 };

static const struct param step_members[] = {
    PARAM("label", NAME, "A name of your own; the answer repeats it."),
    PARAM("action", ACTION,
          "Any action but diagnose, screenshot and stop; without pictures of its own.",
          .is_required = true, .example = "{\"type\": \"click\", \"selector\": \"#save\"}"),
    PARAM("expectedLogs", NAMES,
          "What the page has to log meanwhile or within 2 s: parts of messages in whatever case, "
          "with * for any text."),
    PARAM(
        "noJsErrors", BOOLEAN,
        "True: no uncaught exception, up to when no request is under way for 500 ms, 2 s at most.",
        .default_value = "false"),
    PARAM("noNetworkErrors", BOOLEAN,
          "True: no request failed, nor had a status from 400 on, up to the same moment.",
          .default_value = "false"),
    PARAM("customCondition", NAME, "A JavaScript expression that has to become true within 2 s.",
          .use = USE_SCRIPT),
    { 0 },
};

static const struct param params[] = {
    PARAM("steps", LIST,
          "What is done and what has to hold after it. In XML: JSON as the element's text, in "
          "CDATA where it has < or &.",
          .is_required = true, .min = 1, .max = MAX_STEPS, .members = step_members,
          .example = "[{\"label\": \"save\", \"action\": {\"type\": \"click\", \"selector\": "
                     "\"#save\"}, \"expectedLogs\": [\"saved *\"], \"noJsErrors\": true}]"),
    PARAM("automated", BOOLEAN, "True: all steps are run. False: up to the first that fails.",
          .default_value = "false"),
    PARAM("maxSteps", INTEGER,
          "At most so many steps are run; with more of them the answer is LIMIT_EXCEEDED.",
          .min = 1, .max = MAX_STEPS),
    PARAM("sessionTimeoutMs", INTEGER,
          "Milliseconds for all steps together; then no further one is begun and the answer is "
          "TIMEOUT.",
          .min = 1, .max = MAX_SESSION_MS, .default_value = "300000"),
    { 0 },
};

static const struct rule rules[] = {
    { RULE_NONE, "retryOptions", .text = "is that of a single action",
      .hint = "give it to the actions of the steps" },
    { 0 },
};

const struct action_type action_diagnose = {
    .name = "diagnose",
    .text = "Runs steps one after the other, looks after each at what it expects, and reports on "
            "all of them in the answer's result. It fails when a step does.",
    .params = params,
    .rules = rules,
    .is_rare = true,
    .runs_steps = true,
    .answers_raw = true, /* its steps were already masked one by one */
};
