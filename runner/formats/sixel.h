/* Pictures for terminals of the VT340's kind, which draw six rows of pixels at once. */
#ifndef RUNNER_FORMATS_SIXEL_H
#define RUNNER_FORMATS_SIXEL_H

#include "runner/base/strbuf.h"

#include <browser_runner/image.h>

/*
 * Adds the picture as one sequence, of 256 colours at most ("DEC sixel graphics" of the VT330/VT340
 * programmer reference). LIMIT_EXCEEDED when there is no memory.
 */
bool sixel_add(const struct br_image *image, struct strbuf *text, struct br_error *err);

#endif
