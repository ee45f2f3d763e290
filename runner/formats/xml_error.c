#include "runner/formats/xml_error.h"

#include "runner/base/utf8.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* The source text around the error, as far as expat still has it. Not NUL-terminated. */
struct excerpt {
    const char *begin, *fault, *end;
};

static struct excerpt excerpt_of(XML_Parser parser)
{
    int offset = 0;
    int size = 0;
    const char *text = XML_GetInputContext(parser, &offset, &size);
    if (!text) {
        return (struct excerpt){ "", "", "" };
    }
    return (struct excerpt){ text, text + offset, text + size };
}

/* Returns how much of the text is part of a name; at most what fits into a message. */
static int name_length(const char *text, const char *end)
{
    enum { LONGEST = 64 };
    int length = 0;
    while (text + length < end && length < LONGEST && !strchr(" \t\r\n<>&;/='\"", text[length])) {
        length++;
    }
    return (int)utf8_cut(text, (size_t)length);
}

static int printable_length(const char *text, const char *end)
{
    enum { LONGEST = 20 };
    int length = 0;
    while (text + length < end && length < LONGEST && isprint((unsigned char)text[length])) {
        length++;
    }
    return length;
}

/* Returns the number of characters from a lone & to the error; 0 if the error is something else. */
static unsigned lone_ampersand(const struct excerpt *excerpt)
{
    enum { LONGEST = 64 };
    unsigned characters = 0;
    for (const char *c = excerpt->fault; c > excerpt->begin && excerpt->fault - c < LONGEST;) {
        c--;
        bool is_continuation = ((unsigned char)*c & 0xC0) == 0x80;
        characters += is_continuation ? 0 : 1;
        if (*c == '&') {
            return characters;
        }
        if (!isalnum((unsigned char)*c) && !strchr("_.:-#", *c) && (unsigned char)*c < 0x80) {
            return 0;
        }
    }
    return 0;
}

static bool is_behind(const struct excerpt *excerpt, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(excerpt->fault - excerpt->begin) >= length &&
           memcmp(excerpt->fault - length, text, length) == 0;
}

/* Control characters are invalid in all XML text, including CDATA and comments. */
static bool is_at_control_byte(const struct excerpt *excerpt)
{
    return excerpt->fault < excerpt->end && (unsigned char)*excerpt->fault < ' ' &&
           !isspace((unsigned char)*excerpt->fault);
}

/* An incomplete character at the end is not an error: expat waits for the rest. */
static bool is_at_broken_character(const struct excerpt *excerpt)
{
    size_t left = (size_t)(excerpt->end - excerpt->fault);
    bool is_unfinished = left < 4 && utf8_cut(excerpt->fault, left) == 0;
    return left > 0 && !is_unfinished && utf8_sequence(excerpt->fault, left) == 0;
}

static const char no_element[] = "write &lt; for a < that is meant as such, or use <![CDATA[...]]>";

/* Returns by how many characters the error precedes the parser's position. */
static unsigned describe_invalid_token(const struct excerpt *excerpt, bool is_in_value,
                                       struct br_error *err)
{
    if (is_behind(excerpt, "<!")) {
        size_t left = (size_t)(excerpt->end - excerpt->fault);
        bool is_doctype = left >= 7 && strncasecmp(excerpt->fault, "DOCTYPE", 7) == 0;
        error_set(err, BR_INVALID_ACTION, "%s",
                  is_doctype ? "a DOCTYPE is refused"
                             : "a <! that begins neither a comment nor CDATA");
        error_hint(err, "remove it; write &lt; for a literal <");
        return 2;
    }
    if (is_behind(excerpt, "<")) {
        error_set(err, BR_INVALID_ACTION, "a < that begins no element");
        error_hint(err, "%s", no_element);
        return 1;
    }
    unsigned characters = is_at_control_byte(excerpt) ? 0 : lone_ampersand(excerpt);
    if (characters) {
        error_set(err, BR_INVALID_ACTION, "a & that begins no entity");
        error_hint(err, "write &amp; for a & that is meant as such, or use <![CDATA[...]]>");
        return characters;
    }
    if (is_at_control_byte(excerpt) || is_at_broken_character(excerpt)) {
        error_set(err, BR_INVALID_ACTION, "byte 0x%02X is not allowed in XML",
                  (unsigned char)*excerpt->fault);
        error_hint(err, "the input is read as UTF-8 text");
        return 0;
    }
    error_set(err, BR_INVALID_ACTION, "not well-formed near \"%.*s\"",
              printable_length(excerpt->fault, excerpt->end), excerpt->fault);
    error_hint(err, "%s", is_in_value ? no_element : "quote the values of attributes");
    return 0;
}

static unsigned describe_mismatch(const struct excerpt *excerpt, const struct xml_element *open,
                                  struct br_error *err)
{
    int length = name_length(excerpt->fault, excerpt->end);
    if (!open) {
        error_set(err, BR_INVALID_ACTION, "</%.*s> closes nothing", length, excerpt->fault);
        error_hint(err, "remove it, or open it first");
    } else {
        error_set(err, BR_INVALID_ACTION,
                  "mismatched tag: </%.*s> where <%s>, opened at line %u, column %u, has to be "
                  "closed",
                  length, excerpt->fault, open->name, open->position.line, open->position.column);
        error_hint(err, "write </%s> before", open->name);
    }
    /* Expat points to the name. */
    return is_behind(excerpt, "</") ? 2 : 0;
}

bool xml_error_set(struct br_error *err, XML_Parser parser, struct source_position position,
                   const struct xml_element *open)
{
    const struct excerpt excerpt = excerpt_of(parser);
    const enum XML_Error code = XML_GetErrorCode(parser);
    const char *name = excerpt.fault;
    unsigned back = 0;
    switch (code) {
    case XML_ERROR_INVALID_TOKEN:
        back = describe_invalid_token(&excerpt, open && open->kind == XML_VALUE, err);
        break;
    case XML_ERROR_TAG_MISMATCH:
        back = describe_mismatch(&excerpt, open, err);
        break;
    case XML_ERROR_UNDEFINED_ENTITY:
        name += name < excerpt.end ? 1 : 0;
        error_set(err, BR_INVALID_ACTION, "unknown entity &%.*s;", name_length(name, excerpt.end),
                  name);
        error_hint(err, "known are &lt; &gt; &amp; &quot; &apos; and numbers such as &#233;");
        break;
    case XML_ERROR_DUPLICATE_ATTRIBUTE:
        error_set(err, BR_INVALID_ACTION, "\"%.*s\" is given twice", name_length(name, excerpt.end),
                  name);
        break;
    case XML_ERROR_MISPLACED_XML_PI:
        error_set(err, BR_INVALID_ACTION, "<?xml ...?> stands only at the beginning of the input");
        error_hint(err, "remove it: all instructions are one input");
        break;
    case XML_ERROR_UNCLOSED_TOKEN:
    case XML_ERROR_PARTIAL_CHAR:
        error_set(err, BR_INVALID_ACTION, "the input ends inside what begins here: \"%.*s\"",
                  printable_length(excerpt.fault, excerpt.end), excerpt.fault);
        break;
    default:
        error_set(err, BR_INVALID_ACTION, "%s", XML_ErrorString(code));
        break;
    }
    return error_context(err, "line %u, column %u", position.line,
                         position.column - (back < position.column ? back : 0));
}
