#include "runner/actions/common.h"
#include "runner/actions/naming.h"
#include "runner/base/error.h"
#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/page/core/navigation.h"
#include "runner/page/element/form.h"
#include "runner/page/element/named.h"

#include <stdlib.h>
#include <sys/stat.h>

/* A larger file is more likely a mistake than meant for a web page. */
static const uint64_t max_size = UINT64_C(4) << 30;

static const struct param params[] = {
    PARAM("files", NAMES,
          "Paths of readable files, each of at most 4 GiB; for an input that accepts a directory, "
          "the path of one.",
          .is_required = true, .min = 1, .use = USE_FILE,
          .example = "[\"fixtures/images/photo.png\"]"),
    { 0 },
};

static bool is_a_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/*
 * Returns absolute paths of readable files, or of one directory: Chrome would accept any path
 * silently.
 */
static json_t *resolve(const struct action_run *run, bool *ret_is_directory, struct br_error *err)
{
    const struct file_root *root = policy_files(run->policy);
    json_auto_t *paths = json_array();
    size_t index;
    json_t *name;
    const json_t *names = json_object_get(run->action->params, "files");
    *ret_is_directory = false;
    json_array_foreach (names, index, name) {
        const char *path = json_string_value(name);
        *ret_is_directory = json_array_size(names) == 1 && is_a_directory(path);
        if (!*ret_is_directory && !file_check_in(root, path, max_size, err)) {
            return NULL;
        }
        CLEANUP_FREE char *whole = root ? file_root_resolve(root, path, err) : realpath(path, NULL);
        if (root && (!whole || (*ret_is_directory && !file_root_holds_all(root, whole, err)))) {
            return NULL;
        }
        json_array_append_new(paths, json_text(whole ? whole : path));
    }
    return json_incref(paths);
}

static bool run_upload(struct action_run *run, struct br_error *err)
{
    struct page_target target;
    bool is_directory;
    json_auto_t *paths = resolve(run, &is_directory, err);
    struct page_mark before = page_mark(run->page);
    return paths && action_find_target(run, run->action, &target, err) &&
           page_upload(run->page, &target, paths, is_directory, err) &&
           action_settle(run, before, false, err);
}

const struct action_type action_upload = {
    .name = "upload",
    .text = "Sets the files of a file input, which may be hidden behind a button, or of the open "
            "file chooser; on any other element drops them.",
    .params = params,
    .names = NAMES_ELEMENT_OR_NOTHING,
    .run = run_upload,
};
