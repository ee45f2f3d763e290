/* Explains errors of expat to the person who wrote the text. */
#ifndef RUNNER_FORMATS_XML_ERROR_H
#define RUNNER_FORMATS_XML_ERROR_H

#include "runner/formats/xml_batch.h"

#include <expat.h>

/*
 * Describes the parser's present error, with BR_INVALID_ACTION and a position. `position` is the
 * parser's; `open` is the innermost open element, or NULL. Returns false.
 */
bool xml_error_set(struct br_error *err, XML_Parser parser, struct source_position position,
                   const struct xml_element *open);

#endif
