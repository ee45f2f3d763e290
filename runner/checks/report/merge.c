#include "runner/base/file.h"
#include "runner/base/json.h"
#include "runner/base/memory.h"
#include "runner/checks/report/command.h"
#include "runner/checks/report/file_out.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_REPORTS = 1000, MAX_PICTURE = 256 * 1024 * 1024 };

/* The report of one shard. */
struct part {
    const char *directory;
    json_t *results;
    json_int_t index, total; /* of the shard; 0: the report is not of a shard */
};

struct parts {
    struct part *list;
    size_t count;
};

static void parts_finish(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        json_decref(parts->list[i].results);
    }
    free(parts->list);
}

static int compare_parts(const void *a, const void *b)
{
    const struct part *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

static bool load_parts(struct parts *parts, const char *const *directories, size_t count,
                       struct br_error *err)
{
    if (count == 0 || count > MAX_REPORTS) {
        return error_set(err, BR_INVALID_ACTION, "%zu reports to merge: from 1 to %d are allowed",
                         count, MAX_REPORTS);
    }
    parts->list = xcalloc(count, sizeof(*parts->list));
    for (size_t i = 0; i < count; i++) {
        json_t *results = report_load(directories[i], err);
        if (!results) {
            return false;
        }
        const json_t *shard = json_object_get(results, "shard");
        parts->list[parts->count++] = (struct part){
            .directory = directories[i],
            .results = results,
            .index = json_integer_value(json_object_get(shard, "index")),
            .total = json_integer_value(json_object_get(shard, "total")),
        };
    }
    qsort(parts->list, parts->count, sizeof(*parts->list), compare_parts);
    return true;
}

/*
 * Checks that the reports belong to one run: the same suite, the same number of shards, each shard
 * once.
 */
static bool check_parts(const struct parts *parts, struct br_error *err)
{
    for (size_t i = 1; i < parts->count; i++) {
        const struct part *before = &parts->list[i - 1], *part = &parts->list[i];
        const char *suite = results_text(part->results, "suite");
        const char *suite_before = results_text(before->results, "suite");
        if (strcmp(suite, suite_before) != 0) {
            return error_set(err, BR_INVALID_ACTION, "%s is of the suite %s, %s of %s",
                             before->directory, suite_before, part->directory, suite);
        }
        if (part->total != before->total) {
            return error_set(err, BR_INVALID_ACTION,
                             "%s is a shard of %" JSON_INTEGER_FORMAT
                             ", %s of %" JSON_INTEGER_FORMAT ": they do not belong to one run",
                             before->directory, before->total, part->directory, part->total);
        }
        if (part->index > 0 && part->index == before->index) {
            return error_set(err, BR_INVALID_ACTION,
                             "%s and %s are both shard %" JSON_INTEGER_FORMAT, before->directory,
                             part->directory, part->index);
        }
    }
    return true;
}

static bool copy_picture(const struct part *part, const char *output, const char *name,
                         struct br_error *err)
{
    static const char signature[] = "\x89PNG\r\n\x1A\n";
    CLEANUP_FREE char *from = xasprintf("%s/%s", part->directory, name);
    CLEANUP_FREE char *to = xasprintf("%s/%s", output, name);
    struct stat info;
    size_t size = 0;
    /* A link could lead out of the report, to a file that the reader must not see. */
    if (lstat(from, &info) == 0 && S_ISLNK(info.st_mode)) {
        return error_set(err, BR_INVALID_ACTION, "%s is a symbolic link", from);
    }
    CLEANUP_FREE char *bytes = file_read(from, MAX_PICTURE, &size, err);
    if (!bytes) {
        return false;
    }
    if (size < strlen(signature) || memcmp(bytes, signature, strlen(signature)) != 0) {
        return error_set(err, BR_INVALID_ACTION, "%s is no PNG", from);
    }
    return report_file_write(to, bytes, size, err);
}

/*
 * Replaces a shard's command: it names the shard's report, which will not exist any more, and it
 * comes from another machine.
 */
static void renew_command(const struct part *part, json_t *check, const char *output)
{
    if (json_object_get(check, "approve")) {
        CLEANUP_FREE char *command = approve_command(results_text(part->results, "suite"), output,
                                                     results_text(check, "id"));
        json_object_set_new(check, "approve", json_text(command));
    }
}

/* `taken` maps names of checks and pictures to the folders that they came from. */
static bool take_check(const struct part *part, json_t *check, const char *output, json_t *taken,
                       struct br_error *err)
{
    const char *id = results_text(check, "id");
    const char *other = json_member_string(taken, id);
    const char *kind;
    json_t *name;
    if (other) {
        return error_set(err, BR_INVALID_ACTION, "the check %s is in %s and in %s", id, other,
                         part->directory);
    }
    json_object_set_new(taken, id, json_text(part->directory));
    json_object_foreach (json_object_get(check, "images"), kind, name) {
        other = json_member_string(taken, json_string_value(name));
        if (other && strcmp(other, part->directory) != 0) {
            return error_set(err, BR_INVALID_ACTION, "the picture %s is in %s and in %s",
                             json_string_value(name), other, part->directory);
        }
        json_object_set_new(taken, json_string_value(name), json_text(part->directory));
        if (!copy_picture(part, output, json_string_value(name), err)) {
            return false;
        }
    }
    return true;
}

static bool take_checks(const struct parts *parts, const char *output, json_t *checks,
                        struct br_error *err)
{
    json_auto_t *taken = json_object();
    for (size_t i = 0; i < parts->count; i++) {
        size_t index;
        json_t *check;
        json_array_foreach (results_checks(parts->list[i].results), index, check) {
            if (!take_check(&parts->list[i], check, output, taken, err)) {
                return false;
            }
            renew_command(&parts->list[i], check, output);
            json_array_append(checks, check);
        }
    }
    return true;
}

static bool has_text(const json_t *texts, const char *text)
{
    size_t index;
    const json_t *one;
    json_array_foreach (texts, index, one) {
        if (strcmp(json_string_value(one), text) == 0) {
            return true;
        }
    }
    return false;
}

static void add_warning(json_t *warnings, const char *text)
{
    if (!has_text(warnings, text)) {
        json_array_append_new(warnings, json_text(text));
    }
}

/*
 * All shards must have run in the first shard's environment: otherwise pictures may differ for that
 * reason.
 */
static void warn_of_environment(const struct part *first, const struct part *part, json_t *warnings)
{
    static const char *const keys[] = { "browser", "fonts", "system", "runner" };
    const json_t *wanted = json_object_get(first->results, "environment");
    const json_t *found = json_object_get(part->results, "environment");
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const char *a = results_text(wanted, keys[i]), *b = results_text(found, keys[i]);
        /* A shard without checks did not start a browser. */
        if (*a && *b && strcmp(a, b) != 0) {
            CLEANUP_FREE char *text =
                xasprintf("the shards ran in different environments: %s is %s in %s, and %s in %s",
                          keys[i], a, first->directory, b, part->directory);
            add_warning(warnings, text);
        }
    }
}

static json_t *merged_warnings(const struct parts *parts)
{
    json_t *warnings = json_array();
    for (size_t i = 0; i < parts->count; i++) {
        size_t index;
        const json_t *warning;
        json_array_foreach (json_object_get(parts->list[i].results, "warnings"), index, warning) {
            add_warning(warnings, json_string_value(warning));
        }
        warn_of_environment(&parts->list[0], &parts->list[i], warnings);
    }
    return warnings;
}

static const char *deal_of(const struct part *part)
{
    return results_text(json_object_get(part->results, "shard"), "deal");
}

/* Warns unless every check is in one of the shards, which means that they were dealt alike. */
static bool warn_of_deal(const struct parts *parts, json_t *warnings)
{
    bool is_alike = true;
    for (size_t i = 1; i < parts->count; i++) {
        const struct part *first = &parts->list[0], *part = &parts->list[i];
        if (strcmp(deal_of(first), deal_of(part)) != 0) {
            CLEANUP_FREE char *text = xasprintf(
                "%s and %s were dealt differently, so that checks may be in no shard: give "
                "all shards the same suite, --filter, --tag and --timings",
                first->directory, part->directory);
            add_warning(warnings, text);
            is_alike = false;
        }
    }
    return is_alike;
}

/* Warns of missing shards. Returns their number. */
static size_t warn_of_missing(const struct parts *parts, json_t *warnings)
{
    json_int_t total = parts->list[0].total;
    size_t missing = 0, at = 0;
    for (json_int_t index = 1; index <= total && index <= MAX_REPORTS; index++) {
        while (at < parts->count && parts->list[at].index < index) {
            at++;
        }
        if (at == parts->count || parts->list[at].index != index) {
            CLEANUP_FREE char *text =
                xasprintf("shard %" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
                          " is missing: its checks are not in this report",
                          index, total);
            add_warning(warnings, text);
            missing++;
        }
    }
    return missing;
}

/*
 * Returns the baselines that are stale in every shard, because each shard may count the baselines
 * of the others as stale.
 */
static json_t *merged_stale(const struct parts *parts)
{
    json_t *stale = json_array();
    size_t index;
    const json_t *name;
    json_array_foreach (json_object_get(parts->list[0].results, "stale"), index, name) {
        size_t count = 1;
        while (count < parts->count &&
               has_text(json_object_get(parts->list[count].results, "stale"),
                        json_string_value(name))) {
            count++;
        }
        if (count == parts->count) {
            json_array_append_new(stale, json_text(json_string_value(name)));
        }
    }
    return stale;
}

/* Sets the time from the start of the first to the end of the last. */
static void merge_times(const struct parts *parts, json_t *merged)
{
    double start = 0, end = 0;
    for (size_t i = 0; i < parts->count; i++) {
        double one = json_member_number(parts->list[i].results, "startedAt", 0);
        double one_end = one + json_member_number(parts->list[i].results, "durationMs", 0);
        start = i == 0 || one < start ? one : start;
        end = i == 0 || one_end > end ? one_end : end;
    }
    json_object_set_new(merged, "startedAt", json_number(start, 1));
    json_object_set_new(merged, "durationMs", json_number(end - start, 1));
}

/* Returns everything but the checks; does not take ownership of them. */
static json_t *merged_document(const struct parts *parts, json_t *checks)
{
    json_t *first = parts->list[0].results;
    json_t *warnings = merged_warnings(parts);
    size_t missing = warn_of_missing(parts, warnings);
    bool is_complete = warn_of_deal(parts, warnings) && missing == 0;
    for (size_t i = 0; i < parts->count; i++) {
        is_complete = is_complete && json_member_bool(parts->list[i].results, "complete", false);
    }
    json_t *merged = json_pack(
        "{s:i, s:O, s:O*, s:O*, s:o, s:o, s:b, s:o, s:o, s:O}", "version", 1, "suite",
        json_object_get(first, "suite"), "baselines", json_object_get(first, "baselines"),
        "environment", json_object_get(first, "environment"), "warnings", warnings, "stale",
        missing == 0 ? merged_stale(parts) : json_array(), "complete", is_complete, "totals",
        report_totals(checks), "groups", report_groups(checks), "checks", checks);
    merge_times(parts, merged);
    return merged;
}

json_t *report_merge(const char *const *directories, size_t count, const char *output,
                     struct br_error *err)
{
    CLEANUP(parts_finish) struct parts parts = { 0 };
    json_auto_t *checks = json_array();
    CLEANUP_FREE char *images = xasprintf("%s/images", output);
    if (!load_parts(&parts, directories, count, err) || !check_parts(&parts, err) ||
        !report_folder_make(images, err) || !take_checks(&parts, output, checks, err)) {
        return NULL;
    }
    json_auto_t *merged = merged_document(&parts, checks);
    return report_write(merged, output, err) ? TAKE(merged) : NULL;
}
