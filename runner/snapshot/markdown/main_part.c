#include "runner/snapshot/markdown/markdown.h"

#include "runner/base/memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum {
    LEAST_PARAGRAPH = 25, /* characters; shorter ones are captions, labels, dates */
    FULL_PARAGRAPH = 300, /* characters; more length does not add weight */
    LEAST_PARAGRAPHS = 3, /* paragraphs in a part to descend into */
    WORD_MAX = 24,        /* bytes of a meaningful word in a class */
};

static const double share_of_main = 0.33; /* of the page's weight, required for its <main> */
static const double share_of_inner = 0.9; /* of the weight, required for the innermost part */
static const double share_kept = 0.5;     /* of the page's text; a larger part is never omitted
                                             because of its class */
static const double link_share = 0.5;     /* of a block's text: with more of it in links, the
                                             block is navigation */

/* Words in classes and ids of parts around the main text. */
static const char *const words[] = {
    "ad",        "ads",       "advert",     "advertisement", "banner",       "breadcrumb",
    "comment",   "comments",  "consent",    "cookie",        "cookies",      "breadcrumbs",
    "disqus",    "foot",      "footer",     "masthead",      "menu",         "modal",
    "nav",       "navbar",    "newsletter", "navigation",    "pager",        "pagination",
    "popup",     "promo",     "related",    "recommended",   "replies",      "rss",
    "share",     "sharing",   "sidebar",    "skip",          "social",       "sponsor",
    "sponsored", "subscribe", "toolbar",    "widget",        "supplemental", NULL
};

/* Numbers of visible characters and other measures for each node. */
struct measures {
    const struct snapshot_tree *tree;
    const struct node_semantics *semantics;
    int *block;      /* the nearest enclosing block, or the node itself */
    int *text;       /* characters in it */
    int *links;      /* characters in its links */
    int *own;        /* of a block: characters outside of nested blocks */
    int *own_links;  /* of these, in links */
    int *commas;     /* in its own text */
    double *weight;  /* of its paragraphs that are not omitted */
    int *paragraphs; /* their number */
};

static bool is_block(const struct snapshot_tree *tree, int node)
{
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    enum snapshot_kind kind = tree->nodes[node].kind;
    return kind == SNAPSHOT_DOCUMENT ||
           (kind == SNAPSHOT_ELEMENT && layout &&
            (layout->display == DISPLAY_BLOCK || layout->display == DISPLAY_TABLE_CELL));
}

static bool is_link(const struct snapshot_node *node)
{
    return node->kind == SNAPSHOT_ELEMENT && node->tag == TAG_A;
}

/*
 * Counts characters, without white space around words; *ret_commas is the number of commas between
 * clauses.
 */
static int count_text(const char *text, int *ret_commas)
{
    int count = 0;
    for (; text && *text; text++) {
        unsigned char byte = (unsigned char)*text;
        bool is_second_space = isspace(byte) && isspace((unsigned char)text[1]);
        count += (byte & 0xC0) != 0x80 && !is_second_space;
        *ret_commas += byte == ',';
    }
    return count;
}

static void measure_text(struct measures *measures, int node, bool is_in_link)
{
    const struct snapshot_tree *tree = measures->tree;
    const struct snapshot_layout *layout = snapshot_layout(tree, node);
    int parent = tree->nodes[node].parent;
    int commas = 0;
    if (!layout || layout->is_invisible || measures->semantics[node].is_hidden ||
        parent == SNAPSHOT_NONE) {
        return;
    }
    int count = count_text(layout->text ? layout->text : tree->nodes[node].text, &commas);
    int block = measures->block[parent];
    measures->text[node] = count;
    measures->links[node] = is_in_link ? count : 0;
    if (block != SNAPSHOT_NONE) {
        measures->own[block] += count;
        measures->own_links[block] += is_in_link ? count : 0;
        measures->commas[block] += commas;
    }
}

static void measure(struct measures *measures)
{
    const struct snapshot_tree *tree = measures->tree;
    CLEANUP_FREE bool *in_link = xcalloc((size_t)tree->node_count + 1, sizeof(*in_link));
    for (int i = 0; i < tree->order_count; i++) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        measures->block[node] = is_block(tree, node)      ? node
                                : parent == SNAPSHOT_NONE ? SNAPSHOT_NONE
                                                          : measures->block[parent];
        in_link[node] = is_link(&tree->nodes[node]) || (parent != SNAPSHOT_NONE && in_link[parent]);
        if (tree->nodes[node].kind == SNAPSHOT_TEXT) {
            measure_text(measures, node, in_link[node]);
        }
    }
    for (int i = tree->order_count; i-- > 0;) {
        int node = tree->order[i];
        int parent = tree->nodes[node].parent;
        if (parent != SNAPSHOT_NONE) {
            measures->text[parent] += measures->text[node];
            measures->links[parent] += measures->links[node];
        }
    }
}

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; words[i]; i++) {
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether a word of the attribute marks a part around the main text. */
static bool has_side_word(const char *text)
{
    static const char separators[] = " \t\n\f\r-_";
    while (text && *text) {
        size_t length = strcspn(text, separators);
        if (length > 0 && length < WORD_MAX && is_word(text, length)) {
            return true;
        }
        text += length + strspn(text + length, separators);
    }
    return false;
}

/* Returns whether it is a part around the main text by tag or role, regardless of its content. */
static bool is_around(const struct snapshot_node *node, enum snapshot_role role)
{
    switch (role) {
    case ROLE_NAVIGATION:
    case ROLE_BANNER:
    case ROLE_CONTENTINFO:
    case ROLE_COMPLEMENTARY:
    case ROLE_SEARCH:
    case ROLE_MENU:
    case ROLE_MENUBAR:
    case ROLE_TOOLBAR:
    case ROLE_TABLIST:
    case ROLE_DIALOG:
    case ROLE_ALERTDIALOG:
    case ROLE_BUTTON:
        return true;
    default:
        break;
    }
    return node->tag == TAG_NAV || node->tag == TAG_ASIDE || node->tag == TAG_FOOTER ||
           node->tag == TAG_BUTTON || node->tag == TAG_INPUT || node->tag == TAG_SELECT ||
           node->tag == TAG_TEXTAREA;
}

static bool is_list_or_box(enum snapshot_tag tag)
{
    return tag == TAG_DIV || tag == TAG_SECTION || tag == TAG_UL || tag == TAG_OL ||
           tag == TAG_TABLE || tag == TAG_FORM || tag == TAG_HEADER;
}

static bool is_omitted(const struct measures *measures, int node, int page_text)
{
    const struct snapshot_tree *tree = measures->tree;
    const struct snapshot_node *self = &tree->nodes[node];
    enum snapshot_role role = measures->semantics[node].role;
    bool is_large = measures->text[node] > share_kept * page_text;
    bool is_whole = self->tag == TAG_HTML || self->tag == TAG_BODY || self->tag == TAG_MAIN ||
                    self->tag == TAG_ARTICLE || role == ROLE_MAIN || role == ROLE_ARTICLE;
    if (self->kind != SNAPSHOT_ELEMENT || is_whole) {
        return false;
    }
    if (is_around(self, role)) {
        return true;
    }
    if (is_large || !is_block(tree, node)) {
        return false;
    }
    bool leads_on = is_list_or_box(self->tag) && measures->text[node] > 0 &&
                    measures->links[node] > link_share * measures->text[node];
    return leads_on || has_side_word(snapshot_attribute(tree, node, "class")) ||
           has_side_word(snapshot_attribute(tree, node, "id"));
}

static void find_omitted(const struct measures *measures, int root, bool *is_dropped)
{
    const struct snapshot_tree *tree = measures->tree;
    int page_text = measures->text[root];
    int node = root;
    while (node != SNAPSHOT_NONE) {
        is_dropped[node] = node != root && is_omitted(measures, node, page_text);
        node = is_dropped[node] ? snapshot_skip(tree, node, root) : snapshot_next(tree, node, root);
    }
}

/* Weighs a block: long sentences count, links do not. */
static double weigh(const struct measures *measures, int block)
{
    int length = measures->own[block];
    double full = length < FULL_PARAGRAPH ? length : FULL_PARAGRAPH;
    return length < LEAST_PARAGRAPH ? 0
                                    : (1 + measures->commas[block] + full / 100) *
                                          (1 - (double)measures->own_links[block] / length);
}

/* Adds up the weights of what is below the root and not omitted. */
static void add_weights(struct measures *measures, int root, const bool *is_dropped)
{
    const struct snapshot_tree *tree = measures->tree;
    CLEANUP_FREE bool *is_kept = xcalloc((size_t)tree->node_count + 1, sizeof(*is_kept));
    int node = root;
    while (node != SNAPSHOT_NONE) {
        is_kept[node] = !is_dropped[node];
        node = is_dropped[node] ? snapshot_skip(tree, node, root) : snapshot_next(tree, node, root);
    }
    for (int i = tree->order_count; i-- > 0;) {
        node = tree->order[i];
        if (!is_kept[node]) {
            continue;
        }
        double own = weigh(measures, node);
        measures->weight[node] += own;
        measures->paragraphs[node] += own > 0;
        int parent = tree->nodes[node].parent;
        if (node != root && parent != SNAPSHOT_NONE) {
            measures->weight[parent] += measures->weight[node];
            measures->paragraphs[parent] += measures->paragraphs[node];
        }
    }
}

/* Returns the first one with enough of the page; NONE: there is none. */
static int find_main(const struct measures *measures, int root, const bool *is_dropped)
{
    const struct snapshot_tree *tree = measures->tree;
    int node = root;
    while (node != SNAPSHOT_NONE) {
        if (measures->semantics[node].role == ROLE_MAIN && !is_dropped[node] &&
            measures->weight[node] > 0 &&
            measures->weight[node] >= share_of_main * measures->weight[root]) {
            return node;
        }
        node = is_dropped[node] ? snapshot_skip(tree, node, root) : snapshot_next(tree, node, root);
    }
    return SNAPSHOT_NONE;
}

/* Returns whether it is text, or parts that belong together: not descended into. */
static bool is_text_block(enum snapshot_tag tag)
{
    return tag == TAG_P || tag == TAG_PRE || tag == TAG_UL || tag == TAG_OL || tag == TAG_DL ||
           tag == TAG_TABLE || tag == TAG_BLOCKQUOTE;
}

/* Returns the innermost part that contains nearly all of the content. */
static int go_down(const struct measures *measures, int root, const bool *is_dropped)
{
    const struct snapshot_node *nodes = measures->tree->nodes;
    int part = root;
    int child = nodes[part].first_child;
    while (child != SNAPSHOT_NONE) {
        bool is_inner = nodes[child].kind != SNAPSHOT_TEXT && !is_dropped[child] &&
                        !is_text_block(nodes[child].tag) &&
                        measures->paragraphs[child] >= LEAST_PARAGRAPHS &&
                        measures->weight[child] >= share_of_inner * measures->weight[root];
        part = is_inner ? child : part;
        child = is_inner ? nodes[child].first_child : nodes[child].next;
    }
    return part;
}

static void measures_init(struct measures *measures, const struct snapshot_tree *tree,
                          const struct snapshot_semantics *semantics)
{
    size_t count = (size_t)tree->node_count + 1;
    *measures = (struct measures){
        .tree = tree,
        .semantics = semantics->nodes,
        .block = xcalloc(count, sizeof(int)),
        .text = xcalloc(count, sizeof(int)),
        .links = xcalloc(count, sizeof(int)),
        .own = xcalloc(count, sizeof(int)),
        .own_links = xcalloc(count, sizeof(int)),
        .commas = xcalloc(count, sizeof(int)),
        .weight = xcalloc(count, sizeof(double)),
        .paragraphs = xcalloc(count, sizeof(int)),
    };
    measure(measures);
}

static void measures_finish(struct measures *measures)
{
    free(measures->block);
    free(measures->text);
    free(measures->links);
    free(measures->own);
    free(measures->own_links);
    free(measures->commas);
    free(measures->weight);
    free(measures->paragraphs);
}

static const char *reason_of(const struct snapshot_tree *tree,
                             const struct snapshot_semantics *semantics, int inner, int main)
{
    const struct snapshot_node *node = &tree->nodes[inner];
    bool is_page =
        node->kind == SNAPSHOT_DOCUMENT || node->tag == TAG_HTML || node->tag == TAG_BODY;
    bool is_article = node->tag == TAG_ARTICLE || semantics->nodes[inner].role == ROLE_ARTICLE;
    return is_article ? "article" : inner == main ? "main" : is_page ? "page" : "text";
}

struct main_part main_part_find(const struct snapshot_tree *tree,
                                const struct snapshot_semantics *semantics, int root)
{
    struct measures measures;
    struct main_part part = {
        .root = root == SNAPSHOT_NONE && tree->order_count > 0 ? tree->order[0] : root,
        .reason = "page",
        .is_dropped = xcalloc((size_t)tree->node_count + 1, sizeof(*part.is_dropped)),
    };
    if (part.root == SNAPSHOT_NONE) {
        return part;
    }
    measures_init(&measures, tree, semantics);
    find_omitted(&measures, part.root, part.is_dropped);
    add_weights(&measures, part.root, part.is_dropped);
    int main = find_main(&measures, part.root, part.is_dropped);
    int inner = go_down(&measures, main == SNAPSHOT_NONE ? part.root : main, part.is_dropped);
    part.reason = reason_of(tree, semantics, inner, main);
    part.root = inner;
    measures_finish(&measures);
    return part;
}

void main_part_finish(struct main_part *part)
{
    free(part->is_dropped);
    *part = (struct main_part){ .root = SNAPSHOT_NONE };
}
