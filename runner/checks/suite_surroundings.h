/*
 * What a suite says beside its checks: where it lies, its site, its server, its viewports, its
 * baselines. Each reads one member of the root, if it is there, into the suite.
 */
#ifndef RUNNER_CHECKS_SUITE_SURROUNDINGS_H
#define RUNNER_CHECKS_SUITE_SURROUNDINGS_H

#include "runner/checks/suite_reader.h"

/* The suite's own folder; the other functions need it. False with the problem told. */
bool suite_find_directory(struct suite_reader *reader);

void suite_read_base_url(struct suite_reader *reader, const struct suite_place *root);
void suite_read_baselines(struct suite_reader *reader, const struct suite_place *root);
void suite_read_viewports(struct suite_reader *reader, const struct suite_place *root);

/* After the baseUrl. */
void suite_read_server(struct suite_reader *reader, const struct suite_place *root);

#endif
