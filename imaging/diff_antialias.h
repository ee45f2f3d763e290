/*
 * Smoothing of edges after Vysniauskas, as pixelmatch has it: the pixel has a darker and a brighter
 * neighbour and hardly an equal one, and the darkest or the brightest of them lies in an even area
 * of both pictures.
 */
#ifndef IMAGING_DIFF_ANTIALIAS_H
#define IMAGING_DIFF_ANTIALIAS_H

#include "imaging/diff_rule.h"

/* Whether the pixel smooths an edge, in the one picture or in the other. */
bool diff_is_antialiased(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y);

#endif
