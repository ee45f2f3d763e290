/* Finds the differing pixels of a row; see diff.h for the origin of the rule. */
#ifndef IMAGING_DIFF_PIXELS_H
#define IMAGING_DIFF_PIXELS_H

#include "imaging/diff_rule.h"

/* Pixels are read as integers with red in the lowest byte. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "another order of bytes");

/*
 * Writes the states of pixels of row y, from column `from` to before `to`, whose distance is too
 * large; leaves the others unchanged, as well as those that are DIFF_LEFT_OUT. Returns whether
 * there was any.
 */
bool diff_row(const struct diff_rule *rule, const struct diff_pair *pair, int y, int from, int to,
              uint8_t *states);

/* Returns whether the pixel is antialiased in one of the pictures. */
bool diff_is_antialiased(const struct diff_rule *rule, const struct diff_pair *pair, int x, int y);

#endif
