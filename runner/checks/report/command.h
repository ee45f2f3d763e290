/*
 * The commands with which users approve pictures. They are copied from reports into shells, so they
 * are quoted.
 */
#ifndef RUNNER_CHECKS_REPORT_COMMAND_H
#define RUNNER_CHECKS_REPORT_COMMAND_H

/*
 * Returns "browser-runner check SUITE --report REPORT --approve ID", quoted where a shell requires
 * it. `report` NULL: the suite's default; `id` NULL: only the part before " --approve". Caller
 * frees.
 */
char *approve_command(const char *suite, const char *report, const char *id);

#endif
