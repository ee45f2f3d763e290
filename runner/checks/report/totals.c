/* Members that are computed from the checks alone. */
#include "runner/base/json.h"
#include "runner/checks/report/report.h"
#include "runner/checks/report/results.h"

json_t *report_totals(const json_t *checks)
{
    json_int_t counts[CHECK_STATUS_COUNT + 1] = { 0 };
    size_t index;
    const json_t *check;
    json_array_foreach (checks, index, check) {
        counts[check_status(check)]++;
    }
    json_t *totals = json_pack("{s:I}", "checks", (json_int_t)json_array_size(checks));
    for (enum check_status status = 0; status < CHECK_STATUS_COUNT; status++) {
        json_object_set_new(totals, status_name(status), json_integer(counts[status]));
    }
    return totals;
}

json_t *report_groups(const json_t *checks)
{
    json_auto_t *by_fingerprint = json_object(); /* keeps the order of insertion */
    json_t *groups = json_array();
    size_t index;
    const json_t *check;
    const char *fingerprint;
    json_t *ids;
    json_array_foreach (checks, index, check) {
        fingerprint = json_member_string(json_object_get(check, "comparison"), "fingerprint");
        if (!fingerprint || !*fingerprint || check_status(check) != CHECK_FAILED) {
            continue;
        }
        if (!json_object_get(by_fingerprint, fingerprint)) {
            json_object_set_new(by_fingerprint, fingerprint, json_array());
        }
        json_array_append(json_object_get(by_fingerprint, fingerprint),
                          json_object_get(check, "id"));
    }
    json_object_foreach (by_fingerprint, fingerprint, ids) {
        if (json_array_size(ids) > 1) {
            json_array_append_new(
                groups, json_pack("{s:s, s:O}", "fingerprint", fingerprint, "checks", ids));
        }
    }
    return groups;
}
