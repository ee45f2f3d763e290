#include "imaging/diff.h"

#include "imaging/diff_run.h"

#include <stdlib.h>

bool image_diff(const struct br_image *a, const struct br_image *b,
                const struct image_diff_options *options, struct image_diff *ret_diff,
                struct br_error *err)
{
    struct diff_view first = diff_view_of(a);
    struct diff_view second = diff_view_of(b);
    return diff_run(&first, &second, NULL, options, ret_diff, err);
}

void image_diff_finish(struct image_diff *diff)
{
    free(diff->regions);
    diff_picture_finish(&diff->picture);
    *diff = (struct image_diff){ 0 };
}
