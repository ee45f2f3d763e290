#include "runner/batch/plan.h"

#include "runner/actions/actions.h"
#include "runner/batch/reader.h"

bool batch_plan_take(void *data, struct br_action *action, struct br_error *err)
{
    struct batch_plan *plan = data;
    CLEANUP_ACTION struct br_action *owned = action;
    if (!action_validate(owned, err)) {
        return false;
    }
    plan->actions =
        array_reserve(plan->actions, plan->count, &plan->capacity, sizeof(*plan->actions));
    plan->actions[plan->count++] = TAKE(owned);
    return true;
}

bool batch_plan_read(struct batch_plan *plan, const char *text, size_t length, struct br_error *err)
{
    struct batch_reader *reader = batch_reader_create(NULL, batch_plan_take, plan);
    bool is_read = batch_reader_feed(reader, text, length, 0, err) && batch_reader_end(reader, err);
    batch_reader_destroy(reader);
    return is_read;
}

void batch_plan_finish(struct batch_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++) {
        br_action_destroy(plan->actions[i]);
    }
    free(plan->actions);
}
