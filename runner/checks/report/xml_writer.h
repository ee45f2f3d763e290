/*
 * Writes XML 1.0: closes elements in order, escapes every text, and replaces characters that XML
 * forbids.
 */
#ifndef RUNNER_CHECKS_REPORT_XML_WRITER_H
#define RUNNER_CHECKS_REPORT_XML_WRITER_H

#include "runner/base/strbuf.h"

struct xml_writer {
    struct strbuf text;
    const char *open[8]; /* names of the open elements, borrowed: literals */
    size_t depth;
    bool is_in_tag;   /* attributes may still be added */
    bool has_content; /* text was written last: the end tag must follow on the same line */
};

/* Begins with the XML declaration. */
void xml_writer_init(struct xml_writer *writer);
void xml_writer_finish(struct xml_writer *writer);

void xml_open(struct xml_writer *writer, const char *name);
void xml_attribute(struct xml_writer *writer, const char *name, const char *value);
void xml_attribute_count(struct xml_writer *writer, const char *name, size_t value);

/* Writes milliseconds as seconds with three decimals. */
void xml_attribute_seconds(struct xml_writer *writer, const char *name, double ms);
void xml_text(struct xml_writer *writer, const char *text);
void xml_close(struct xml_writer *writer);

#endif
