/*
 * The parts of a suite besides its checks: its folder, site, server, viewports and baselines. Each
 * function reads one member of the root, if present, into the suite.
 */
#ifndef RUNNER_CHECKS_SUITE_SURROUNDINGS_H
#define RUNNER_CHECKS_SUITE_SURROUNDINGS_H

#include "runner/checks/suite_reader.h"

/*
 * Finds the suite's own folder, which the other functions need. Returns false after reporting a
 * problem.
 */
bool suite_find_directory(struct suite_reader *reader);

void suite_read_base_url(struct suite_reader *reader, const struct suite_place *root);
void suite_read_baselines(struct suite_reader *reader, const struct suite_place *root);
void suite_read_viewports(struct suite_reader *reader, const struct suite_place *root);

/* Call after reading baseUrl. */
void suite_read_server(struct suite_reader *reader, const struct suite_place *root);

#endif
