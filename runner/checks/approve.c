#include "runner/checks/approve.h"

#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/checks/baseline.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"
#include "runner/checks/select.h"

#include <browser_runner/image.h>
#include <stdlib.h>
#include <string.h>

bool approve_allows(const json_t *results, const char *report, struct br_error *err)
{
    const char *against = results_text(results, "against");
    if (!*against) {
        return true;
    }
    error_set(err, BR_INVALID_ACTION, "%s compares with %s, not with baselines", report, against);
    return error_hint(err, "run the suite without --against first");
}

bool approve_is_open(const json_t *check)
{
    const json_t *images = json_object_get(check, "images");
    bool has_fault = json_array_size(json_object_get(check, "problems")) &&
                     !json_object_get(check, "comparison");
    return check_status(check) == CHECK_FAILED && json_member_string(images, "actual") &&
           !has_fault;
}

/* Several names may match the same check. */
static void add_once(json_t *chosen, json_t *check)
{
    size_t index;
    json_t *other;
    json_array_foreach (chosen, index, other) {
        if (other == check) {
            return;
        }
    }
    json_array_append(chosen, check);
}

/* Adds the checks that the name matches. */
static bool choose(const struct suite *suite, const json_t *checks, const char *name,
                   const char *report, json_t *chosen, struct br_error *err)
{
    size_t index;
    json_t *check;
    const json_t *other = NULL;
    bool is_any = false;
    json_array_foreach (checks, index, check) {
        const char *id = results_text(check, "id");
        if (!select_matches(name, id, results_text(check, "name"))) {
            continue;
        }
        if (!suite_find_check(suite, id)) {
            return error_set(err, BR_INVALID_ACTION, "%s has no check %s, to which %s belongs",
                             suite->file, id, report);
        }
        if (approve_is_open(check)) {
            add_once(chosen, check);
            is_any = true;
        } else {
            other = check;
        }
    }
    if (is_any) {
        return true;
    }
    if (other) {
        return error_set(err, BR_INVALID_ACTION, "nothing to approve: %s is \"%s\" in %s",
                         results_text(other, "id"), status_label(check_status(other)), report);
    }
    error_set(err, BR_INVALID_ACTION, "no check \"%s\" in %s", name, report);
    return error_hint(err, "run the suite first, or name its report with --report DIR");
}

char *approve_picture(const char *report, const json_t *check, size_t *ret_size,
                      struct br_error *err)
{
    const char *name = results_text(json_object_get(check, "images"), "actual");
    CLEANUP_FREE char *path = xasprintf("%s/%s", report, name);
    struct file_root *root = file_root_open(report, err);
    char *png = root ? file_read_in(root, path, BASELINE_MAX_PNG, ret_size, err) : NULL;
    struct br_image image = { 0 };
    file_root_close(root);
    if (!png) {
        if (err->code == BR_POLICY_DENIED) {
            error_set(err, BR_INVALID_ACTION, "%s leads outside the report", path);
            error_hint(err, "run the suite again, which rewrites the report");
        }
        return NULL;
    }
    if (!br_png_decode(png, *ret_size, &image, err)) {
        err->code = BR_INVALID_ACTION;
        error_context(err, "%s is no picture", path);
        free(png);
        return NULL;
    }
    br_image_finish(&image);
    return png;
}

static bool has_picture(const char *report, const json_t *check, struct br_error *err)
{
    size_t size = 0;
    CLEANUP_FREE char *png = approve_picture(report, check, &size, err);
    return png;
}

bool approve_check(const struct suite *suite, const char *report, const json_t *environment,
                   const json_t *check, struct br_error *err)
{
    size_t size = 0;
    CLEANUP_FREE char *png = approve_picture(report, check, &size, err);
    const json_t *viewport = json_object_get(check, "viewport");
    if (!png) {
        return false;
    }
    json_auto_t *origin = baseline_origin(environment, (int)json_member_number(check, "width", 0),
                                          (int)json_member_number(check, "height", 0),
                                          json_member_number(viewport, "scale", 1));
    return baseline_write(suite, results_text(check, "id"), png, size, origin, err);
}

json_t *approve(const struct suite *suite, const char *report, const char *const *names,
                struct br_error *err)
{
    json_auto_t *results = report_load(report, err);
    json_auto_t *chosen = json_array();
    json_auto_t *ids = json_array();
    size_t index;
    json_t *check;
    if (!results || !approve_allows(results, report, err)) {
        return NULL;
    }
    for (size_t i = 0; names[i]; i++) {
        if (!choose(suite, results_checks(results), names[i], report, chosen, err)) {
            return NULL;
        }
    }
    json_array_foreach (chosen, index, check) {
        if (!has_picture(report, check, err)) {
            return NULL;
        }
    }
    json_array_foreach (chosen, index, check) {
        if (!approve_check(suite, report, json_object_get(results, "environment"), check, err)) {
            return NULL;
        }
        json_array_append(ids, json_object_get(check, "id"));
    }
    return json_incref(ids);
}
