/* The entry of a check in results.json, and its pictures in the report. */
#ifndef RUNNER_CHECKS_ENTRY_H
#define RUNNER_CHECKS_ENTRY_H

#include "runner/checks/verdict.h"

/* Creates an entry with the check's data from the suite, and a status. Caller decrefs. */
json_t *entry_create(const struct suite_check *check, enum check_status status);

/* Adds the results of an attempt, and its verdict. */
void entry_add(json_t *entry, const struct attempt *attempt, const struct verdict *verdict);

/* Writes the pictures into the report, and adds their names to the entry. */
bool entry_write_pictures(json_t *entry, const char *report, const struct attempt *attempt,
                          const struct verdict *verdict, const struct baseline *baseline,
                          struct br_error *err);

/* Creates the report's folder for pictures. Removes results and pictures of an earlier report. */
bool entry_prepare_report(const char *report, struct br_error *err);

#endif
