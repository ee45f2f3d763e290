#include "runner/actions/action_type.h"
#include "runner/base/error.h"

static const struct param params[] = {
    PARAM("fields", FIELDS,
          "What goes into which field: an object of values by the fields' names, ids, test ids, "
          "placeholders or labels; or an array of elements, each with a value. A text is typed, or "
          "chosen by value or label; true and false check and uncheck; an array is for what takes "
          "several. They are filled in this order.",
          .is_required = true,
          .example = "{\"email\": \"zoe@example.org\", \"newsletter\": true, \"size\": \"L\"}"),
    PARAM("form", TARGET, "The form, or what else the fields are in, named as any element.",
          .is_rare = true),
    PARAM("submit", BOOLEAN,
          "True: sends the form afterwards, by a click on its button, or where it has none as "
          "Enter would. It has to hold what is needed.",
          .default_value = "false"),
    { 0 },
};

static bool run_fill(struct action_run *run, struct br_error *err)
{
    (void)run;
    return error_set(err, BR_UNKNOWN_ERROR, "fill is not there yet");
}

const struct action_type action_fill = {
    .name = "fill",
    .text = "Fills in many fields at once, of all kinds, and says of each what came of it.",
    .params = params,
    .run = run_fill,
};
