#include "runner/snapshot/dom/transform.h"

#include "runner/base/unicode.h"

enum { SHARP_S = 0xDF }; /* the only Latin letter whose upper case is two letters */

static void add(struct strbuf *out, uint32_t character, enum snapshot_transform transform,
                bool begins_word)
{
    bool is_capital =
        transform == TRANSFORM_UPPER || (transform == TRANSFORM_CAPITALIZE && begins_word);
    if (is_capital && character == SHARP_S) {
        strbuf_add_string(out, transform == TRANSFORM_UPPER ? "SS" : "Ss");
    } else {
        unicode_encode(out, is_capital                     ? unicode_upper(character)
                            : transform == TRANSFORM_LOWER ? unicode_lower(character)
                                                           : character);
    }
}

void snapshot_transform(struct strbuf *out, const char *text, size_t length,
                        enum snapshot_transform transform, bool begins_word)
{
    for (const char *at = text; at < text + length;) {
        uint32_t character = unicode_decode(&at);
        add(out, character, transform, begins_word);
        begins_word = !unicode_is_word(character) && character != '\'';
    }
}
