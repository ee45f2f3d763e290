#include "runner/checks/entry.h"

#include "runner/base/json.h"
#include "runner/checks/report/file_out.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static void set_text(json_t *object, const char *key, const char *value)
{
    if (value) {
        json_object_set_new(object, key, json_text(value));
    }
}

/* Sets the array unless it is empty. */
static void set_array(json_t *object, const char *key, json_t *array)
{
    if (json_array_size(array)) {
        json_object_set(object, key, array);
    }
}

json_t *entry_create(const struct suite_check *check, enum check_status status)
{
    const struct suite_viewport *viewport = check->viewport;
    json_t *shown =
        json_pack("{s:o, s:i, s:i, s:f}", "name", json_text(viewport->name), "width",
                  viewport->width, "height", viewport->height, "scale", viewport->scale);
    json_t *tags = json_array();
    for (size_t i = 0; check->tags[i]; i++) {
        json_array_append_new(tags, json_text(check->tags[i]));
    }
    json_t *entry = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "id", json_text(check->id), "name",
                              json_text(check->name), "viewport", shown, "url",
                              json_text(check->url), "tags", tags, "status", status_name(status));
    if (status == CHECK_SKIPPED) {
        set_text(entry, "reason", check->skip_reason);
    }
    return entry;
}

void entry_add(json_t *entry, const struct attempt *attempt, const struct verdict *verdict)
{
    set_text(entry, "status", status_name(verdict->status));
    set_text(entry, "reason", verdict->reason);
    if (verdict->status == CHECK_ERROR && attempt->error.code != BR_OK) {
        set_text(entry, "errorCode", br_code_name(attempt->error.code));
        set_text(entry, "hint", *attempt->error.hint ? attempt->error.hint : NULL);
    }
    set_array(entry, "unstable", attempt->unstable);
    set_array(entry, "warnings", attempt->warnings);
    set_array(entry, "problems", attempt->problems);
    set_array(entry, "logs", attempt->logs);
    set_array(entry, "networkFailures", attempt->failures);
    if (attempt->metrics) {
        json_object_set(entry, "metrics", attempt->metrics);
    }
    if (attempt->png) {
        json_object_set_new(entry, "width", json_integer(attempt->width));
        json_object_set_new(entry, "height", json_integer(attempt->height));
    }
    if (verdict->comparison) {
        json_object_set(entry, "comparison", verdict->comparison);
    }
}

static bool write_picture(json_t *images, const char *report, const char *id, const char *which,
                          const void *bytes, size_t size, struct br_error *err)
{
    CLEANUP_FREE char *name = xasprintf("images/%s.%s.png", id, which);
    CLEANUP_FREE char *path = xasprintf("%s/%s", report, name);
    set_text(images, which, name);
    return report_file_write(path, bytes, size, err);
}

bool entry_write_pictures(json_t *entry, const char *report, const struct attempt *attempt,
                          const struct verdict *verdict, const struct baseline *baseline,
                          struct br_error *err)
{
    const char *id = json_member_string(entry, "id");
    bool is_shown = verdict->status != CHECK_PASSED;
    json_t *images = json_object();
    bool is_done =
        (!attempt->png ||
         write_picture(images, report, id, "actual", attempt->png, attempt->size, err)) &&
        (!baseline->png || !is_shown ||
         write_picture(images, report, id, "expected", baseline->png, baseline->size, err)) &&
        (!verdict->picture || !is_shown ||
         write_picture(images, report, id, "diff", verdict->picture, verdict->picture_size, err));
    if (json_object_size(images)) {
        json_object_set(entry, "images", images);
    }
    json_decref(images);
    return is_done;
}

static bool is_picture(const char *name)
{
    static const char *const endings[] = { ".actual.png", ".expected.png", ".diff.png" };
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
        size_t tail = strlen(endings[i]);
        if (length > tail && strcmp(name + length - tail, endings[i]) == 0 && strchr(name, '@')) {
            return true;
        }
    }
    return false;
}

/*
 * Removes the old results together with the old pictures. Otherwise, after a run that was killed,
 * --approve would combine old results with new pictures that no one has reviewed. If they cannot be
 * removed, they could not be replaced either.
 */
static bool remove_results(const char *report, struct br_error *err)
{
    static const char *const names[] = { "results.json", "index.html" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", report, names[i]);
        if (!report_file_prepare(path, "--report DIR", err)) {
            return false;
        }
        if (unlink(path) != 0 && errno != ENOENT) {
            error_set_errno(err, BR_INVALID_ACTION, errno, "cannot replace %s", path);
            return error_hint(err, "name another folder with --report DIR");
        }
    }
    return true;
}

bool entry_prepare_report(const char *report, struct br_error *err)
{
    CLEANUP_FREE char *images = xasprintf("%s/images", report);
    CLEANUP_FREE char *picture = xasprintf("%s/picture.png", images);
    if (!report_file_prepare(picture, "--report DIR", err) || !remove_results(report, err)) {
        return false;
    }
    DIR *folder = opendir(images);
    for (struct dirent *file; folder && (file = readdir(folder));) {
        CLEANUP_FREE char *path = xasprintf("%s/%s", images, file->d_name);
        if (is_picture(file->d_name)) {
            unlink(path);
        }
    }
    return folder ? closedir(folder) == 0
                  : error_set_errno(err, BR_INVALID_ACTION, errno, "cannot read %s", images);
}
