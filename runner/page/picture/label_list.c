#include "runner/page/picture/label_list.h"

#include "runner/base/memory.h"

void picture_labels_finish(struct picture_labels *labels)
{
    free(labels->labels);
    free(labels->content);
    *labels = (struct picture_labels){ 0 };
}
