#include "runner/actions/actions.h"

#include "runner/base/error.h"
#include "runner/base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const struct param params[] = {
    { .name = "files", .kind = PARAM_NAMES, .is_required = true, .min = 1 },
    { 0 },
};

/* Absolute paths of files that can be read: Chrome would take any path without a word. */
static json_t *resolve(const struct br_action *action, struct br_error *err)
{
    json_t *paths = json_array();
    size_t index;
    json_t *name;
    json_array_foreach (json_object_get(action->params, "files"), index, name) {
        CLEANUP_FREE char *path = realpath(json_string_value(name), NULL);
        int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        if (fd < 0) {
            error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s",
                            json_string_value(name));
            json_decref(paths);
            return NULL;
        }
        close(fd);
        json_array_append_new(paths, json_text(path));
    }
    return paths;
}

static bool run_upload(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    json_auto_t *paths = resolve(run->action, err);
    struct page_mark before = page_mark(run->page);
    return paths && action_find_target(run, run->action, &target, err) &&
           page_upload(run->page, &target, paths, err) && action_settle(run, before, false, err);
}

const struct action_type action_upload = {
    .name = "upload",
    .params = params,
    .names = NAMES_ELEMENT,
    .run = run_upload,
};
