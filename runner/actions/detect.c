#include "runner/actions/action_type.h"
#include "runner/base/error.h"

enum { MAX_ELEMENTS = 10000 };

static const char *const confidences[] = { "LOW", "MEDIUM", "HIGH", NULL };

static const struct param params[] = {
    PARAM("includeHidden", BOOLEAN, "True: also those that nobody sees.", .default_value = "false",
          .is_rare = true),
    PARAM("maxElements", INTEGER, "At most so many, in the order of the page.", .min = 1,
          .max = MAX_ELEMENTS, .default_value = "1000"),
    PARAM(
        "minConfidence", CHOICE,
        "HIGH: only controls by their element or role. MEDIUM: also what listens to clicks, takes "
        "the focus or is edited. LOW: also what only looks as if it could be clicked.",
        .choices = confidences, .default_value = "LOW"),
    { 0 },
};

static bool run_detect(struct action_run *run, struct br_error *err)
{
    (void)run;
    return error_set(err, BR_UNKNOWN_ERROR, "detect is not there yet");
}

const struct action_type action_detect = {
    .name = "detect",
    .text = "The elements that a person could operate, each with how sure that is, why, and where "
            "it is; their ids are for node.",
    .params = params,
    .is_rare = true,
    .run = run_detect,
};
