/* Pictures for terminals that draw sixels, as the VT340 did: bands of six rows of pixels. */
#ifndef RUNNER_FORMATS_SIXEL_H
#define RUNNER_FORMATS_SIXEL_H

#include "runner/base/strbuf.h"

#include <browser_runner/image.h>

/*
 * Adds the picture as one sequence with at most 256 colours. LIMIT_EXCEEDED if memory is exhausted.
 * Source: VT330/VT340 Programmer Reference Manual, chapter 14.
 */
bool sixel_add(const struct br_image *image, struct strbuf *text, struct br_error *err);

#endif
