/* What a user types to approve pictures: copied from reports into shells, so it is quoted. */
#ifndef RUNNER_CHECKS_REPORT_COMMAND_H
#define RUNNER_CHECKS_REPORT_COMMAND_H

/*
 * "browser-runner check SUITE --report REPORT --approve ID", with what a shell would not take as it
 * is in quotes. `report` NULL: the suite's own; `id` NULL: the part before " --approve". Caller
 * frees.
 */
char *approve_command(const char *suite, const char *report, const char *id);

#endif
