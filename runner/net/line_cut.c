#include "runner/net/line_cut.h"

#include <string.h>

/* A buffer that is larger is given back when it is empty. */
enum { KEPT_BUFFER = 256 * 1024 };

size_t line_cut_rest(const struct line_cut *cut, const struct strbuf *text)
{
    return text->length - cut->start;
}

char *line_cut_next(struct line_cut *cut, struct strbuf *text, bool has_ended, size_t *ret_length)
{
    char *line = text->data + cut->start;
    size_t rest = line_cut_rest(cut, text);
    char *newline = memchr(line + cut->looked, '\n', rest - cut->looked);
    if (newline) {
        *newline = '\0';
        *ret_length = (size_t)(newline - line);
        cut->start += *ret_length + 1;
        cut->looked = 0;
        return line;
    }
    if (has_ended && rest > 0) {
        *ret_length = rest;
        cut->start += rest;
        cut->looked = 0;
        return line;
    }
    cut->looked = rest;
    return NULL;
}

void line_cut_forget(struct line_cut *cut, struct strbuf *text)
{
    size_t rest = line_cut_rest(cut, text);
    if (rest == 0 && text->capacity > KEPT_BUFFER) {
        strbuf_finish(text);
    } else if (cut->start > 0) {
        memmove(text->data, text->data + cut->start, rest);
        strbuf_truncate(text, rest);
    }
    cut->start = 0;
}
