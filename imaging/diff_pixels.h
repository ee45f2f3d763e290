/* Which pixels of a row differ; see diff.h for where the rule comes from. */
#ifndef IMAGING_DIFF_PIXELS_H
#define IMAGING_DIFF_PIXELS_H

#include "imaging/diff_rule.h"

/* Pixels are read as whole numbers with red in the lowest byte. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "another order of bytes");

/*
 * Writes the state of each pixel of row y of the pair that is apart; the others stay as they are,
 * and so do those that are DIFF_LEFT_OUT. Returns whether any was apart.
 */
bool diff_row(const struct diff_rule *rule, const struct diff_pair *pair, int y, uint8_t *states);

#endif
