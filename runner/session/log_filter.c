#include "runner/session/log_filter.h"

#include "runner/base/json.h"
#include "runner/base/log.h"

#include <string.h>

static bool contains(const json_t *array, const char *text)
{
    size_t index;
    json_t *item;
    json_array_foreach (array, index, item) {
        if (text && strcmp(json_string_value(item), text) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_kept(const json_t *filter, const struct br_log *log)
{
    const json_t *types = json_object_get(filter, "types");
    const json_t *categories = json_object_get(filter, "categories");
    return (!types || contains(types, log_type_name(log->type))) &&
           (!categories || contains(categories, log->category)) &&
           log->type >= json_member_number(filter, "minLevel", 0);
}

void log_filter_apply(const json_t *filter, struct log_list *logs)
{
    size_t kept = 0;
    for (size_t i = 0; filter && i < logs->count; i++) {
        if (is_kept(filter, &logs->items[i])) {
            logs->items[kept++] = logs->items[i];
        } else {
            log_finish(&logs->items[i]);
        }
    }
    logs->count = filter ? kept : logs->count;
}
