#include "runner/checks/report/command.h"

#include "runner/base/strbuf.h"

#include <string.h>

static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@:+,=-";

/* POSIX shells: within single quotes only the single quote is special. */
static void add_word(struct strbuf *out, const char *word)
{
    if (*word && strspn(word, plain) == strlen(word)) {
        strbuf_add_string(out, word);
        return;
    }
    strbuf_add_string(out, "'");
    for (; *word; word++) {
        if (*word == '\'') {
            strbuf_add_string(out, "'\\''");
        } else {
            strbuf_add(out, word, 1);
        }
    }
    strbuf_add_string(out, "'");
}

static void add_option(struct strbuf *out, const char *option, const char *value)
{
    if (value) {
        strbuf_add_string(out, option);
        add_word(out, value);
    }
}

char *approve_command(const char *suite, const char *report, const char *id)
{
    struct strbuf command = STRBUF_INIT(STRBUF_UNCAPPED);
    strbuf_add_string(&command, "browser-runner check ");
    add_word(&command, suite);
    add_option(&command, " --report ", report);
    add_option(&command, " --approve ", id);
    return strbuf_take(&command);
}
