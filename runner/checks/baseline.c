#include "runner/checks/baseline.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/checks/report/file_out.h"

#include <browser_runner/image.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_ORIGIN = 64 * 1024,
};

static char *path_of(const struct suite *suite, const char *id, const char *extension)
{
    return xasprintf("%s/%s.%s", suite->baselines, id, extension);
}

/* Reads the file beside the picture; without it the picture is still a baseline. */
static json_t *read_origin(const struct suite *suite, const char *id, const char **ret_fault)
{
    struct br_error ignored;
    size_t size = 0;
    CLEANUP_FREE char *path = path_of(suite, id, "json");
    CLEANUP_FREE char *text = file_read(path, MAX_ORIGIN, &size, &ignored);
    json_t *origin = text ? json_parse(text, size, path, &ignored) : NULL;
    if (json_is_object(origin)) {
        return origin;
    }
    *ret_fault = text || access(path, F_OK) == 0 ? "broken" : "missing";
    json_decref(origin);
    return NULL;
}

bool baseline_read(const struct suite *suite, const char *id, struct baseline *ret_baseline,
                   struct br_error *err)
{
    CLEANUP_FREE char *path = path_of(suite, id, "png");
    *ret_baseline = (struct baseline){ 0 };
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        return true;
    }
    ret_baseline->png = file_read(path, BASELINE_MAX_PNG, &ret_baseline->size, err);
    if (!ret_baseline->png) {
        return false;
    }
    ret_baseline->origin = read_origin(suite, id, &ret_baseline->origin_fault);
    return true;
}

void baseline_finish(struct baseline *baseline)
{
    free(baseline->png);
    json_decref(baseline->origin);
    *baseline = (struct baseline){ 0 };
}

json_t *baseline_origin(const json_t *environment, int width, int height, double scale)
{
    json_t *origin = json_copy((json_t *)environment);
    json_object_del(origin, "ci");
    json_object_del(origin, "runner");
    json_object_set_new(origin, "width", json_integer(width));
    json_object_set_new(origin, "height", json_integer(height));
    json_object_set_new(origin, "scale", json_real(scale));
    return origin;
}

/* Removes a file if there is one. */
static bool remove_if_there(const char *path, struct br_error *err)
{
    return unlink(path) == 0 || errno == ENOENT ||
           error_set_errno(err, BR_INVALID_ACTION, errno, "cannot remove %s", path);
}

bool baseline_write_origin(const struct suite *suite, const char *id, const json_t *origin,
                           struct br_error *err)
{
    CLEANUP_FREE char *beside = path_of(suite, id, "json");
    if (!origin) {
        return remove_if_there(beside, err);
    }
    CLEANUP_FREE char *text = json_dumps(origin, JSON_INDENT(2) | JSON_SORT_KEYS);
    CLEANUP_FREE char *line = xasprintf("%s\n", text);
    return report_file_write(beside, line, strlen(line), err);
}

bool baseline_write(const struct suite *suite, const char *id, const void *png, size_t size,
                    const json_t *origin, struct br_error *err)
{
    CLEANUP_FREE char *picture = path_of(suite, id, "png");
    if (mkdir(suite->baselines, 0777) != 0 && errno != EEXIST) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot create %s", suite->baselines);
    }
    return report_file_write(picture, png, size, err) &&
           baseline_write_origin(suite, id, origin, err);
}

bool baseline_remove(const struct suite *suite, const char *id, struct br_error *err)
{
    CLEANUP_FREE char *picture = path_of(suite, id, "png");
    CLEANUP_FREE char *beside = path_of(suite, id, "json");
    if (unlink(picture) != 0) {
        return error_set_errno(err, BR_INVALID_ACTION, errno, "cannot remove %s", picture);
    }
    return remove_if_there(beside, err);
}

/* Returns "home@desktop" for "home@desktop.png"; NULL for other names. Caller frees. */
static char *id_of(const char *name)
{
    size_t length = strlen(name);
    bool is_picture = length > 4 && strcmp(name + length - 4, ".png") == 0;
    return is_picture && name[0] != '.' && strchr(name, '@') ? xstrndup(name, length - 4) : NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

json_t *baseline_stale(const struct suite *suite)
{
    json_t *stale = json_array();
    char **names = NULL;
    size_t count = 0;
    size_t capacity = 0;
    DIR *folder = opendir(suite->baselines);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        CLEANUP_FREE char *id = id_of(entry->d_name);
        if (id && !suite_find_check(suite, id)) {
            names = array_reserve(names, count, &capacity, sizeof(*names));
            names[count++] = xstrdup(entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    if (count > 1) {
        qsort(names, count, sizeof(*names), compare_names);
    }
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(stale, json_text(names[i]));
        free(names[i]);
    }
    free(names);
    return stale;
}

bool baseline_prune(const struct suite *suite, const json_t *stale, struct br_error *err)
{
    size_t index;
    json_t *name;
    json_array_foreach (stale, index, name) {
        CLEANUP_FREE char *id = id_of(json_string_value(name));
        if (!baseline_remove(suite, id, err)) {
            return false;
        }
    }
    return true;
}
