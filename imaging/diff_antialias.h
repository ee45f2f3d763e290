/*
 * Detects antialiased pixels after Vysniauskas, as in pixelmatch: the pixel has a darker and a
 * brighter neighbour and hardly an equal one, and the darkest or the brightest of them is in a
 * uniform area of both pictures.
 */
#ifndef IMAGING_DIFF_ANTIALIAS_H
#define IMAGING_DIFF_ANTIALIAS_H

#include "imaging/diff_rule.h"

/* Returns whether the pixel is antialiased in one of the pictures. */
bool diff_is_antialiased(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y);

#endif
