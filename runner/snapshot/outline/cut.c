#include "runner/snapshot/outline/print.h"

#include "runner/base/memory.h"
#include "runner/snapshot/outline/words.h"

#include <string.h>

/* From the least to the most useful. */
enum usefulness {
    USE_INERT,          /* behind a modal dialog: cannot be used now */
    USE_TEXT_ELSEWHERE, /* text outside the viewport, or covered */
    USE_PICTURE,
    USE_HEADING_ELSEWHERE,
    USE_CONTROL_ELSEWHERE, /* also regions */
    USE_TEXT,
    USE_CONTROL,
    USE_HEADING,
    USE_REGION,
    USE_COUNT,
};

static enum usefulness own_usefulness(const struct outline *outline, int item)
{
    int node = outline->items[item].node;
    const struct node_semantics *semantics = &outline->semantics->nodes[node];
    const struct snapshot_placement *placement = &outline->visibility->placements[node];
    bool is_elsewhere = placement->place != PLACE_IN_VIEW || placement->is_occluded;
    if (semantics->is_inert) {
        return USE_INERT;
    }
    if (outline_is_text(outline, item)) {
        return is_elsewhere ? USE_TEXT_ELSEWHERE : USE_TEXT;
    }
    if (semantics->role == ROLE_HEADING) {
        return is_elsewhere ? USE_HEADING_ELSEWHERE : USE_HEADING;
    }
    if (snapshot_role_is(semantics->role, IS_REGION) ||
        snapshot_tag_is_frame(outline->tree->nodes[node].tag) || outline->items[item].is_left_out) {
        return placement->place == PLACE_ABOVE || placement->place == PLACE_BELOW
                   ? USE_CONTROL_ELSEWHERE
                   : USE_REGION;
    }
    if (outline->items[item].is_operable) {
        return is_elsewhere ? USE_CONTROL_ELSEWHERE : USE_CONTROL;
    }
    if (semantics->role == ROLE_IMAGE || semantics->role == ROLE_SVG_ROOT) {
        return USE_PICTURE;
    }
    return is_elsewhere ? USE_TEXT_ELSEWHERE : USE_TEXT;
}

/* Content of a control or a heading is as useful as that. */
static void find_usefulness(const struct outline *outline, enum usefulness *use)
{
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        enum usefulness around = parent == SNAPSHOT_NONE ? USE_REGION : use[parent];
        bool is_part = parent != SNAPSHOT_NONE &&
                       (around == USE_CONTROL || around == USE_HEADING ||
                        around == USE_HEADING_ELSEWHERE || around == USE_CONTROL_ELSEWHERE);
        use[i] = own_usefulness(outline, i);
        use[i] = is_part && use[i] < around ? around : use[i];
    }
}

struct cutting {
    const struct outline *outline;
    const int *costs;
    bool *is_cut;
    int *children; /* for each item: number of remaining children */
    int64_t total;
    int count;
};

/* Cuts an item, and ancestors that contained only it; its descendants are already cut. */
static void cut_item(struct cutting *cutting, int item, const enum usefulness *use,
                     enum usefulness limit)
{
    while (item != SNAPSHOT_NONE && !cutting->is_cut[item] && cutting->children[item] == 0 &&
           use[item] <= limit) {
        cutting->is_cut[item] = true;
        cutting->total -= cutting->costs[item];
        cutting->count++;
        item = cutting->outline->items[item].parent;
        if (item != SNAPSHOT_NONE) {
            cutting->children[item]--;
        }
    }
}

bool *print_cut(const struct outline *outline, const int *costs, int64_t max_tokens, int *ret_cut)
{
    size_t count = (size_t)outline->count + 1;
    CLEANUP_FREE enum usefulness *use = xcalloc(count, sizeof(*use));
    CLEANUP_FREE int *children = xcalloc(count, sizeof(*children));
    struct cutting cutting = {
        .outline = outline,
        .costs = costs,
        .is_cut = xcalloc(count, sizeof(bool)),
        .children = children,
    };
    find_usefulness(outline, use);
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        cutting.total += costs[i];
        if (parent != SNAPSHOT_NONE) {
            children[parent]++;
        }
    }
    for (int limit = 0; limit < USE_COUNT && cutting.total > max_tokens; limit++) {
        for (int i = outline->count; i-- > 0 && cutting.total > max_tokens;) {
            cut_item(&cutting, i, use, (enum usefulness)limit);
        }
    }
    *ret_cut = cutting.count;
    return cutting.is_cut;
}

/* The kinds of cut items, the most frequent first. */
struct tally {
    const char *kind; /* word of a role, or "text"; static */
    bool is_elsewhere;
    int count;
};

enum { MAX_KINDS = 64, MAX_SAID = 5 };

static void count_kind(struct tally *tallies, int *used, const char *kind, bool is_elsewhere)
{
    for (int i = 0; i < *used; i++) {
        if (tallies[i].is_elsewhere == is_elsewhere && strcmp(tallies[i].kind, kind) == 0) {
            tallies[i].count++;
            return;
        }
    }
    if (*used < MAX_KINDS) {
        tallies[(*used)++] =
            (struct tally){ .kind = kind, .is_elsewhere = is_elsewhere, .count = 1 };
    }
}

static int by_count(const void *a, const void *b)
{
    return ((const struct tally *)b)->count - ((const struct tally *)a)->count;
}

/* Writes a plural such as "boxes", "entries", "texts". */
static void add_plural(struct strbuf *line, const char *kind)
{
    size_t length = strlen(kind);
    if (length > 2 && kind[length - 1] == 'y' && !strchr("aeiou", kind[length - 2])) {
        strbuf_add(line, kind, length - 1);
        strbuf_add_string(line, "ies");
    } else {
        strbuf_add_string(line, kind);
        strbuf_add_string(line, length > 0 && strchr("xhs", kind[length - 1]) ? "es" : "s");
    }
}

void print_cut_line(const struct outline *outline, const bool *is_cut, int64_t max_tokens,
                    struct strbuf *line)
{
    struct tally tallies[MAX_KINDS];
    int used = 0;
    for (int i = 0; i < outline->count; i++) {
        bool has_text =
            outline_is_text(outline, i) || (outline->items[i].text && words_are_none(outline, i));
        if (!is_cut[i] || (!has_text && words_are_none(outline, i))) {
            continue;
        }
        enum snapshot_place place = outline->visibility->placements[outline->items[i].node].place;
        count_kind(tallies, &used, has_text ? "text" : words_role(outline, i),
                   place == PLACE_ABOVE || place == PLACE_BELOW);
    }
    qsort(tallies, (size_t)used, sizeof(tallies[0]), by_count);
    strbuf_add_format(line, "(left out for %lld tokens:", (long long)max_tokens);
    for (int i = 0; i < used && i < MAX_SAID; i++) {
        strbuf_add_format(line, "%s %d ", i ? "," : "", tallies[i].count);
        if (tallies[i].count == 1) {
            strbuf_add_string(line, tallies[i].kind);
        } else {
            add_plural(line, tallies[i].kind);
        }
        strbuf_add_string(line, tallies[i].is_elsewhere ? " out of view" : "");
    }
    strbuf_add_string(line, used > MAX_SAID ? " and more)" : ")");
}
