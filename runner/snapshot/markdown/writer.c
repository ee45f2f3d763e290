#include "runner/snapshot/markdown/writer.h"

#include "runner/base/unicode.h"

#include <ctype.h>
#include <string.h>

/* Deeper quotes and lists are not indented further; real pages are not that deep. */
enum { MAX_PREFIX = 160 };

static const char *const marks[] = {
    [MARK_STRONG] = "**",
    [MARK_EMPHASIS] = "*",
    [MARK_STRIKE] = "~~",
};

void markdown_writer_init(struct markdown_writer *writer, struct strbuf *out, int text_length)
{
    *writer = (struct markdown_writer){
        .out = out,
        .prefix = STRBUF_INIT(STRBUF_UNCAPPED),
        .code_text = STRBUF_INIT(STRBUF_UNCAPPED),
        .text_length = text_length,
        .is_fresh = true,
        .is_line_start = true,
    };
}

void markdown_writer_finish(struct markdown_writer *writer)
{
    strbuf_finish(&writer->prefix);
    strbuf_finish(&writer->code_text);
}

static size_t longest_run(const char *text, char character)
{
    size_t longest = 0;
    for (size_t run = 0; *text; text++) {
        run = *text == character ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void add_repeated(struct strbuf *out, char character, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, &character, 1);
    }
}

/* Writes the collected inline code between as many backticks as it needs. */
static void flush_code(struct markdown_writer *writer)
{
    struct strbuf *text = &writer->code_text;
    size_t length = text->length;
    while (length > 0 && text->data[length - 1] == ' ') {
        writer->has_space = true;
        text->data[--length] = '\0';
    }
    if (length > 0) {
        size_t ticks = longest_run(text->data, '`') + 1;
        bool is_padded = text->data[0] == '`' || text->data[length - 1] == '`';
        add_repeated(writer->out, '`', ticks);
        add_repeated(writer->out, ' ', is_padded);
        strbuf_add(writer->out, text->data, length);
        add_repeated(writer->out, ' ', is_padded);
        add_repeated(writer->out, '`', ticks);
    }
    strbuf_clear(text);
}

static void close_marks(struct markdown_writer *writer, int keep)
{
    while (writer->open_count > keep) {
        strbuf_add_string(writer->out, marks[writer->open[--writer->open_count]]);
    }
}

static bool is_open(const struct markdown_writer *writer, enum mark mark)
{
    for (int i = 0; i < writer->open_count; i++) {
        if (writer->open[i] == mark) {
            return true;
        }
    }
    return false;
}

static void add_newline(struct markdown_writer *writer, bool is_last)
{
    const struct strbuf *prefix = &writer->prefix;
    size_t length = prefix->length;
    while (!is_last && length > 0 && prefix->data[length - 1] == ' ') {
        length--;
    }
    strbuf_add(writer->out, "\n", 1);
    strbuf_add(writer->out, prefix->data, length);
}

/* Writes the pending separators before a word, and the requested marks. */
static void settle(struct markdown_writer *writer, bool has_marks)
{
    flush_code(writer);
    if (writer->newlines > 0 && !writer->is_fresh) {
        for (int i = writer->newlines; i > 0; i--) {
            add_newline(writer, i == 1);
        }
        writer->is_line_start = true;
    } else if (writer->has_space && !writer->is_fresh) {
        strbuf_add(writer->out, " ", 1);
    }
    writer->newlines = 0;
    writer->has_space = false;
    writer->is_fresh = false;
    for (int i = 0; has_marks && i < MARK_COUNT; i++) {
        enum mark mark = (enum mark)i;
        if (writer->wanted[mark] > 0 && !is_open(writer, mark)) {
            strbuf_add_string(writer->out, marks[mark]);
            writer->open[writer->open_count++] = mark;
            writer->is_line_start = false;
        }
    }
}

void markdown_block(struct markdown_writer *writer, int newlines)
{
    if (writer->one_line > 0) {
        markdown_space(writer);
        return;
    }
    flush_code(writer);
    close_marks(writer, 0);
    writer->has_space = false;
    writer->newlines = newlines > writer->newlines ? newlines : writer->newlines;
}

void markdown_break(struct markdown_writer *writer)
{
    if (writer->one_line > 0 || writer->code > 0 || writer->newlines > 0 || writer->is_fresh) {
        markdown_space(writer);
        return;
    }
    flush_code(writer);
    strbuf_add(writer->out, "  ", 2);
    writer->has_space = false;
    writer->newlines = 1;
}

void markdown_space(struct markdown_writer *writer)
{
    if (writer->code_text.length > 0) {
        strbuf_add(&writer->code_text, " ", 1);
    } else {
        writer->has_space = true;
    }
}

void markdown_raw(struct markdown_writer *writer, const char *text)
{
    settle(writer, false);
    strbuf_add_string(writer->out, text);
    writer->is_line_start = false;
}

void markdown_glue(struct markdown_writer *writer, const char *text)
{
    flush_code(writer);
    strbuf_add_string(writer->out, text);
    writer->is_line_start = writer->is_fresh = false;
}

void markdown_open(struct markdown_writer *writer, const char *text)
{
    settle(writer, true);
    strbuf_add_string(writer->out, text);
    writer->is_line_start = false;
    writer->is_fresh = true;
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) || (unsigned char)character >= 0x80;
}

/* Returns whether a number at the beginning of a line would start a list. */
static bool is_list_number(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits < 10 && (text[digits] == '.' || text[digits] == ')');
}

/* Adds the letter at `at` of a word, escaped if it could be markup. */
static void add_letter(struct strbuf *out, const char *word, size_t at, size_t length,
                       bool is_first)
{
    char character = word[at];
    char before = at > 0 ? word[at - 1] : ' ';
    char after = at + 1 < length ? word[at + 1] : ' ';
    bool is_mark = strchr("\\`*[]|", character) ||
                   (character == '_' && !(is_word(before) && is_word(after))) ||
                   (character == '~' && (after == '~' || before == '~' || is_first)) ||
                   (is_first && strchr("#+-=:>", character));
    if (character == '<') {
        strbuf_add_string(out, "&lt;");
    } else if (character == '&' && (after == '#' || isalpha((unsigned char)after))) {
        strbuf_add_string(out, "&amp;");
    } else {
        strbuf_add(out, "\\", is_mark ? 1 : 0);
        strbuf_add(out, &character, 1);
    }
}

static void add_word(struct markdown_writer *writer, const char *word, size_t length)
{
    if (writer->code > 0) {
        if (writer->code_text.length == 0) {
            settle(writer, true);
            writer->is_line_start = false;
        }
        for (size_t i = 0; i < length; i++) {
            /* In a table, a pipe ends the cell even in code. */
            strbuf_add(&writer->code_text, "\\", word[i] == '|' && writer->cell > 0 ? 1 : 0);
            strbuf_add(&writer->code_text, word + i, 1);
        }
        return;
    }
    settle(writer, true);
    size_t number = writer->is_line_start && is_list_number(word) ? strspn(word, "0123456789") : 0;
    for (size_t i = 0; i < length; i++) {
        if (number > 0 && i == number) {
            strbuf_add(writer->out, "\\", 1);
        }
        add_letter(writer->out, word, i, length, i == 0 && writer->is_line_start);
    }
    writer->is_line_start = false;
}

/* Returns how many bytes of the text contain `characters`. */
static size_t cut_length(const char *text, int characters)
{
    size_t length = 0;
    while (text[length] && characters >= 0) {
        characters -= ((unsigned char)text[length] & 0xC0) != 0x80;
        length += characters >= 0;
    }
    return length;
}

static bool is_blank(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

void markdown_text(struct markdown_writer *writer, const char *page_text)
{
    CLEANUP_STRBUF struct strbuf seen = STRBUF_INIT(STRBUF_UNCAPPED);
    unicode_add_visible(&seen, page_text);
    const char *text = seen.data;
    size_t end = writer->text_length > 0 ? cut_length(text, writer->text_length) : strlen(text);
    size_t at = 0;
    while (at < end) {
        size_t begin = at;
        while (at < end && !is_blank(text[at])) {
            at++;
        }
        if (at > begin) {
            add_word(writer, text + begin, at - begin);
        }
        if (at < end) {
            markdown_space(writer);
            at++;
        }
    }
    if (text[end]) {
        add_word(writer, "…", strlen("…"));
    }
}

void markdown_fence(struct markdown_writer *writer, const char *language, const char *page_text)
{
    CLEANUP_STRBUF struct strbuf seen = STRBUF_INIT(STRBUF_UNCAPPED);
    unicode_add_visible(&seen, page_text);
    const char *text = seen.data;
    size_t ticks = longest_run(text, '`') + 1;
    ticks = ticks < 3 ? 3 : ticks;
    settle(writer, false);
    add_repeated(writer->out, '`', ticks);
    strbuf_add_string(writer->out, language);
    while (*text) {
        size_t length = strcspn(text, "\n");
        add_newline(writer, length > 0);
        strbuf_add(writer->out, text, length);
        text += length + (text[length] == '\n');
    }
    add_newline(writer, true);
    add_repeated(writer->out, '`', ticks);
    writer->is_line_start = false;
}

void markdown_mark(struct markdown_writer *writer, enum mark mark, bool is_begun)
{
    writer->wanted[mark] += is_begun ? 1 : -1;
    if (writer->wanted[mark] > 0) {
        return;
    }
    for (int i = 0; i < writer->open_count; i++) {
        if (writer->open[i] == mark) {
            flush_code(writer);
            close_marks(writer, i);
        }
    }
}

void markdown_code(struct markdown_writer *writer, bool is_begun)
{
    writer->code += is_begun ? 1 : -1;
    if (writer->code == 0) {
        flush_code(writer);
    }
}

size_t markdown_push(struct markdown_writer *writer, const char *first, const char *rest)
{
    markdown_block(writer, 1);
    settle(writer, false);
    strbuf_add_string(writer->out, first);
    writer->is_fresh = writer->is_line_start = true;
    size_t length = writer->prefix.length + strlen(rest) > MAX_PREFIX ? 0 : strlen(rest);
    strbuf_add(&writer->prefix, rest, length);
    return length;
}

void markdown_pop(struct markdown_writer *writer, size_t pushed)
{
    /* Ends a line that contains only the marker. */
    writer->is_fresh = false;
    if (pushed > 0) {
        writer->prefix.length -= pushed;
        writer->prefix.data[writer->prefix.length] = '\0';
    }
}
