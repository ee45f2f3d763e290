#include "runner/page/element/named.h"

bool page_target_is_element(const struct page_target *target)
{
    return target->selector || target->test_id || target->text || target->role || target->targets ||
           target->field || target->node.backend_id;
}
