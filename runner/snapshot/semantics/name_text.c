#include "runner/snapshot/semantics/name_text.h"

#include "runner/base/unicode.h"
#include "runner/base/utf8.h"
#include "runner/snapshot/dom/style.h"

#include <string.h>

enum { LONGEST_PIECE = 64 << 10 }; /* longest piece that is examined */

static bool is_space(char character)
{
    return character == ' ' || (character >= '\t' && character <= '\r' && character != '\v');
}

/* Returns false when the space is used up. */
static bool add_word(struct name_text *text, const char *word, size_t length)
{
    struct strbuf *whole = &text->whole;
    bool has_gap = text->needs_space && whole->length > 0;
    size_t room = whole->max - whole->length;
    if (room <= has_gap) {
        return false;
    }
    strbuf_add(whole, " ", has_gap);
    strbuf_add(whole, word, length + has_gap > room ? utf8_cut(word, room - has_gap) : length);
    text->needs_space = false;
    return length + has_gap <= room;
}

/* Adds a word without the glyphs of icon fonts in it; nothing if it is only a glyph. */
static bool add_seen(struct name_text *text, const char *word, size_t length)
{
    CLEANUP_STRBUF struct strbuf seen = STRBUF_INIT(STRBUF_UNCAPPED);
    for (const char *end = word + length; word < end;) {
        uint32_t character = unicode_decode(&word);
        if (!unicode_is_private_use(character)) {
            unicode_encode(&seen, character);
        }
    }
    return seen.length == 0 || add_word(text, seen.data, seen.length);
}

static void add(struct name_text *text, const char *piece, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t begin = i;
        while (i < length && !is_space(piece[i])) {
            i++;
        }
        if (i == begin) {
            text->needs_space = true;
            i++;
        } else if (unicode_has_private_use(piece + begin, i - begin)
                       ? !add_seen(text, piece + begin, i - begin)
                       : !add_word(text, piece + begin, i - begin)) {
            return;
        }
    }
}

static size_t length_of(struct name_text *text, const char *piece)
{
    size_t most = text->left < LONGEST_PIECE ? text->left : LONGEST_PIECE;
    size_t length = strnlen(piece, most);
    text->left -= length;
    return length == most ? utf8_cut(piece, length) : length;
}

void name_text_add_apart(struct name_text *text, const char *piece)
{
    if (piece) {
        text->needs_space = true;
        add(text, piece, length_of(text, piece));
        text->needs_space = true;
    }
}

static void add_rows(struct name_text *text, const struct snapshot_tree *tree,
                     const struct snapshot_node *node)
{
    for (int i = node->layout; i < node->layout + node->layout_count; i++) {
        const struct snapshot_layout *row = &tree->layouts[i];
        if (row->text && row->transform == TRANSFORM_NONE) {
            add(text, row->text, length_of(text, row->text));
        } else if (row->text) {
            strbuf_clear(&text->piece);
            snapshot_transform(&text->piece, row->text, length_of(text, row->text), row->transform,
                               true);
            add(text, text->piece.data, text->piece.length);
        }
    }
}

void name_text_add_node(struct name_text *text, const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *it = &tree->nodes[node];
    if (it->layout != SNAPSHOT_NONE) {
        add_rows(text, tree, it);
    } else if (it->text) {
        add(text, it->text, length_of(text, it->text));
    }
}

/* Returns the text after the slash of `content: "★" / "star"`; NULL: none. */
static const char *alternative(const char *content)
{
    bool is_quoted = false;
    for (const char *at = content; at && *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (*at == '/' && !is_quoted) {
            return at + 1;
        }
    }
    return NULL;
}

static void add_quoted(struct name_text *text, const char *quoted)
{
    bool is_quoted = false;
    strbuf_clear(&text->piece);
    for (const char *at = quoted; *at != '\0'; at++) {
        if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (is_quoted) {
            at += *at == '\\' && at[1] != '\0';
            strbuf_add(&text->piece, at, 1);
        }
    }
    add(text, text->piece.data, text->piece.length);
}

void name_text_add_pseudo(struct name_text *text, const struct snapshot_tree *tree, int node)
{
    const struct snapshot_node *it = &tree->nodes[node];
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    if (!layout || layout->is_invisible || !it->name ||
        (strcmp(it->name, "::before") != 0 && strcmp(it->name, "::after") != 0)) {
        return;
    }
    const char *instead = alternative(layout->content);
    bool stands_alone = name_text_is_apart(layout) || instead;
    text->needs_space = text->needs_space || stands_alone;
    if (instead) {
        add_quoted(text, instead);
    } else {
        add_rows(text, tree, it);
    }
    text->needs_space = text->needs_space || stands_alone;
}
