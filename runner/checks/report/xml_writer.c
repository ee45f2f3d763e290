#include "runner/checks/report/xml_writer.h"

#include "runner/base/utf8.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void xml_writer_init(struct xml_writer *writer)
{
    *writer = (struct xml_writer){ .text = STRBUF_INIT(STRBUF_UNCAPPED) };
    strbuf_add_string(&writer->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
}

void xml_writer_finish(struct xml_writer *writer)
{
    strbuf_finish(&writer->text);
}

/* Special characters, and white space that an attribute's value would lose. */
static const char *entity(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    default:
        return NULL;
    }
}

/* XML 1.0, 2.2: no control characters but the three above, no U+FFFE and U+FFFF. */
static bool is_forbidden(const char *text, size_t length)
{
    unsigned char first = (unsigned char)text[0];
    bool is_noncharacter = length == 3 && (memcmp(text, "\xEF\xBF\xBE", 3) == 0 ||
                                           memcmp(text, "\xEF\xBF\xBF", 3) == 0);
    return length == 0 || (first < 0x20 && !entity(text[0])) || is_noncharacter;
}

static void add_escaped(struct strbuf *out, const char *text, bool keeps_lines)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = utf8_sequence(text, left);
        bool is_kept = keeps_lines && (text[0] == '\n' || text[0] == '\t');
        if (is_forbidden(text, length)) {
            strbuf_add_string(out, "\xEF\xBF\xBD");
        } else if (entity(text[0]) && !is_kept) {
            strbuf_add_string(out, entity(text[0]));
        } else {
            strbuf_add(out, text, length);
        }
        text += length ? length : 1;
        left -= length ? length : 1;
    }
}

static void end_tag_start(struct xml_writer *writer)
{
    if (writer->is_in_tag) {
        strbuf_add_string(&writer->text, ">");
        writer->is_in_tag = false;
    }
}

static void indent(struct xml_writer *writer)
{
    strbuf_add_format(&writer->text, "%*s", (int)(2 * writer->depth), "");
}

void xml_open(struct xml_writer *writer, const char *name)
{
    assert(writer->depth < sizeof(writer->open) / sizeof(writer->open[0]));
    if (writer->is_in_tag) {
        strbuf_add_string(&writer->text, ">\n");
    }
    indent(writer);
    strbuf_add_string(&writer->text, "<");
    strbuf_add_string(&writer->text, name);
    writer->open[writer->depth++] = name;
    writer->is_in_tag = true;
    writer->has_content = false;
}

void xml_attribute(struct xml_writer *writer, const char *name, const char *value)
{
    assert(writer->is_in_tag);
    strbuf_add_string(&writer->text, " ");
    strbuf_add_string(&writer->text, name);
    strbuf_add_string(&writer->text, "=\"");
    add_escaped(&writer->text, value, false);
    strbuf_add_string(&writer->text, "\"");
}

void xml_attribute_count(struct xml_writer *writer, const char *name, size_t value)
{
    char text[32];
    snprintf(text, sizeof(text), "%zu", value);
    xml_attribute(writer, name, text);
}

void xml_attribute_seconds(struct xml_writer *writer, const char *name, double ms)
{
    char text[64];
    snprintf(text, sizeof(text), "%.3f", ms >= 0 && ms < 1e12 ? ms / 1000 : 0);
    xml_attribute(writer, name, text);
}

void xml_text(struct xml_writer *writer, const char *text)
{
    end_tag_start(writer);
    add_escaped(&writer->text, text, true);
    writer->has_content = true;
}

void xml_close(struct xml_writer *writer)
{
    assert(writer->depth > 0);
    const char *name = writer->open[--writer->depth];
    if (writer->is_in_tag) {
        strbuf_add_string(&writer->text, "/>\n");
    } else {
        if (!writer->has_content) {
            indent(writer);
        }
        strbuf_add_string(&writer->text, "</");
        strbuf_add_string(&writer->text, name);
        strbuf_add_string(&writer->text, ">\n");
    }
    writer->is_in_tag = false;
    writer->has_content = false;
}
