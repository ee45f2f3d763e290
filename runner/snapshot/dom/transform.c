#include "runner/snapshot/dom/transform.h"

#include "runner/base/unicode.h"

enum { SHARP_S = 0xDF }; /* the one letter of Latin that has no capital but two */

static void add(struct strbuf *out, uint32_t letter, enum snapshot_transform transform,
                bool begins_word)
{
    bool is_capital =
        transform == TRANSFORM_UPPER || (transform == TRANSFORM_CAPITALIZE && begins_word);
    if (is_capital && letter == SHARP_S) {
        strbuf_add_string(out, transform == TRANSFORM_UPPER ? "SS" : "Ss");
    } else {
        letter_put(out, is_capital                     ? letter_upper(letter)
                        : transform == TRANSFORM_LOWER ? letter_lower(letter)
                                                       : letter);
    }
}

void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word)
{
    for (const char *at = text; at < text + length;) {
        uint32_t letter = letter_next(&at);
        add(out, letter, transform, begins_word);
        begins_word = !letter_is_word(letter) && letter != '\'';
    }
}
