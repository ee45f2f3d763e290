#include "runner/snapshot/outline/print.h"

#include "runner/base/memory.h"

#include <stdint.h>
#include <string.h>

/*
 * Snapshots of a page usually differ in a few lines; then the shortest edit script is computed
 * (Myers, "An O(ND) Difference Algorithm"). With more edits than this it would take too long: lines
 * are then compared as sets.
 */
enum { MAX_EDITS = 500 };

struct line {
    const char *text; /* after the indentation */
    int length, indent;
    uint64_t hash;
    int match; /* the matching line of the other text; -1: none */
};

struct lines {
    struct line *items;
    int count;
    size_t capacity;
};

static uint64_t hash_of(const char *text, int length)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    }
    return hash;
}

/*
 * "(below the viewport)" and similar lines only reflect the scroll position, and are not changes.
 */
static bool is_place(const char *text, int length)
{
    return length > 0 && text[0] == '(' &&
           (memmem(text, (size_t)length, " the viewport)", 14) ||
            strncmp(text, "(in view)", 9) == 0);
}

static void split(const char *text, struct lines *lines)
{
    while (*text) {
        const char *end = strchrnul(text, '\n');
        int indent = (int)strspn(text, " ");
        const char *begin = text + indent;
        int length = (int)(end - begin);
        text = *end ? end + 1 : end;
        if (length <= 0 || is_place(begin, length)) {
            continue;
        }
        lines->items = array_reserve(lines->items, (size_t)lines->count, &lines->capacity,
                                     sizeof(*lines->items));
        lines->items[lines->count++] = (struct line){
            .text = begin,
            .length = length,
            .indent = indent,
            .hash = hash_of(begin, length),
            .match = -1,
        };
    }
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->hash == b->hash && a->length == b->length &&
           memcmp(a->text, b->text, (size_t)a->length) == 0;
}

/* Two ranges of lines to compare; the ends are exclusive. */
struct range {
    struct lines *before, *after;
    int before_begin, before_end, after_begin, after_end;
};

static void match(const struct range *range, int before, int after)
{
    range->before->items[before].match = after;
    range->after->items[after].match = before;
}

/* Skips equal lines at both ends. */
static struct range trim(struct lines *before, struct lines *after)
{
    struct range range = { before, after, 0, before->count, 0, after->count };
    while (range.before_begin < range.before_end && range.after_begin < range.after_end &&
           is_same(&before->items[range.before_begin], &after->items[range.after_begin])) {
        match(&range, range.before_begin++, range.after_begin++);
    }
    while (range.before_begin < range.before_end && range.after_begin < range.after_end &&
           is_same(&before->items[range.before_end - 1], &after->items[range.after_end - 1])) {
        match(&range, --range.before_end, --range.after_end);
    }
    return range;
}

/* Row d of the trace has 2d + 1 entries: the position in `before` reached on each diagonal. */
static int *row_of(int *trace, int edits)
{
    return trace + (size_t)edits * (size_t)edits + edits;
}

static int step_from(const int *row, int edits, int diagonal)
{
    bool is_down =
        diagonal == -edits || (diagonal != edits && row[diagonal - 1] < row[diagonal + 1]);
    return is_down ? row[diagonal + 1] : row[diagonal - 1] + 1;
}

/* Follows a diagonal while lines are equal. */
static int slide(const struct range *range, int x, int diagonal)
{
    int width = range->before_end - range->before_begin;
    int height = range->after_end - range->after_begin;
    while (x < width && x - diagonal < height && x - diagonal >= 0 &&
           is_same(&range->before->items[range->before_begin + x],
                   &range->after->items[range->after_begin + x - diagonal])) {
        x++;
    }
    return x;
}

/* Returns the minimum number of edits, and their trace; -1 if there are too many. */
static int find_edits(const struct range *range, int *trace)
{
    int width = range->before_end - range->before_begin;
    int height = range->after_end - range->after_begin;
    for (int edits = 0; edits <= MAX_EDITS; edits++) {
        int *row = row_of(trace, edits);
        const int *last = edits ? row_of(trace, edits - 1) : NULL;
        for (int diagonal = -edits; diagonal <= edits; diagonal += 2) {
            bool is_out = diagonal > width || -diagonal > height;
            int x = edits == 0 ? 0 : step_from(last, edits, diagonal);
            row[diagonal] = is_out ? x : slide(range, x, diagonal);
            if (row[diagonal] == width && diagonal == width - height) {
                return edits;
            }
        }
    }
    return -1;
}

static void match_back(const struct range *range, int *trace, int edits)
{
    int x = range->before_end - range->before_begin;
    int diagonal = x - (range->after_end - range->after_begin);
    for (; edits >= 0; edits--) {
        const int *last = edits ? row_of(trace, edits - 1) : NULL;
        bool is_down =
            edits > 0 &&
            (diagonal == -edits || (diagonal != edits && last[diagonal - 1] < last[diagonal + 1]));
        int begin = edits == 0 ? 0 : step_from(last, edits, diagonal);
        while (x > begin) {
            x--;
            match(range, range->before_begin + x, range->after_begin + x - diagonal);
        }
        if (edits > 0) {
            x = is_down ? begin : begin - 1;
            diagonal += is_down ? 1 : -1;
        }
    }
}

static int by_hash(const void *a, const void *b)
{
    const struct line *left = *(struct line *const *)a;
    const struct line *right = *(struct line *const *)b;
    if (left->hash != right->hash) {
        return left->hash < right->hash ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

static struct line **sorted(struct lines *lines, int begin, int end)
{
    struct line **sorted = xcalloc((size_t)(end - begin) + 1, sizeof(struct line *));
    for (int i = begin; i < end; i++) {
        sorted[i - begin] = &lines->items[i];
    }
    qsort(sorted, (size_t)(end - begin), sizeof(struct line *), by_hash);
    return sorted;
}

/* Pairs equal lines regardless of position. */
static void match_anywhere(const struct range *range)
{
    int before_count = range->before_end - range->before_begin;
    int after_count = range->after_end - range->after_begin;
    CLEANUP_FREE struct line **before =
        sorted(range->before, range->before_begin, range->before_end);
    CLEANUP_FREE struct line **after = sorted(range->after, range->after_begin, range->after_end);
    for (int i = 0, k = 0; i < before_count && k < after_count;) {
        if (before[i]->hash != after[k]->hash) {
            *(before[i]->hash < after[k]->hash ? &i : &k) += 1;
            continue;
        }
        match(range, (int)(before[i++] - range->before->items),
              (int)(after[k++] - range->after->items));
    }
}

/* Finds each line's parent: the last preceding line with less indentation. */
static int *parents_of(const struct lines *lines)
{
    int *parents = xcalloc((size_t)lines->count + 1, sizeof(*parents));
    for (int i = 0; i < lines->count; i++) {
        int parent = i - 1;
        while (parent >= 0 && lines->items[parent].indent >= lines->items[i].indent) {
            parent = parents[parent];
        }
        parents[i] = parent;
    }
    return parents;
}

struct printing {
    const struct lines *before, *after;
    int *before_parents, *after_parents;
    bool *is_printed; /* for each line of `after` */
    int *path;        /* ancestors still to be printed */
    struct strbuf *text;
};

static void add_line(struct strbuf *text, const char *sign, const struct line *line)
{
    strbuf_add_string(text, sign);
    for (int i = 0; i < line->indent; i++) {
        strbuf_add(text, " ", 1);
    }
    strbuf_add(text, line->text, (size_t)line->length);
    strbuf_add(text, "\n", 1);
}

/* Prints the ancestors of a line of `after`, from `line` up, that were not printed yet. */
static void add_ancestors(struct printing *printing, int line)
{
    int count = 0;
    for (; line >= 0 && !printing->is_printed[line]; line = printing->after_parents[line]) {
        printing->is_printed[line] = true;
        printing->path[count++] = line;
    }
    while (count > 0) {
        const struct line *ancestor = &printing->after->items[printing->path[--count]];
        add_line(printing->text, ancestor->match < 0 ? "+ " : "  ", ancestor);
    }
}

/* Returns the nearest ancestor of a removed line that still exists. */
static int ancestor_of_gone(const struct printing *printing, int line)
{
    do {
        line = printing->before_parents[line];
    } while (line >= 0 && printing->before->items[line].match < 0);
    return line < 0 ? -1 : printing->before->items[line].match;
}

/* Prints the changes in the order of `after`; removed lines at their former place. */
static void add_changes(struct printing *printing)
{
    int gone = 0;
    for (int i = 0; i <= printing->after->count; i++) {
        int match =
            i < printing->after->count ? printing->after->items[i].match : printing->before->count;
        const struct lines *before = printing->before;
        while (gone < before->count && (gone <= match || before->items[gone].match < 0)) {
            if (before->items[gone].match < 0) {
                add_ancestors(printing, ancestor_of_gone(printing, gone));
                add_line(printing->text, "- ", &before->items[gone]);
            }
            gone++;
        }
        if (match < 0 && !printing->is_printed[i]) {
            add_ancestors(printing, i);
        }
    }
}

void print_difference(const char *before, const char *after, struct strbuf *text)
{
    struct lines old = { 0 };
    struct lines new = { 0 };
    split(before, &old);
    split(after, &new);
    struct range range = trim(&old, &new);
    CLEANUP_FREE int *trace = xcalloc((MAX_EDITS + 2) * (MAX_EDITS + 2), sizeof(*trace));
    int edits = find_edits(&range, trace);
    if (edits >= 0) {
        match_back(&range, trace, edits);
    } else {
        match_anywhere(&range);
    }
    CLEANUP_FREE int *old_parents = parents_of(&old);
    CLEANUP_FREE int *new_parents = parents_of(&new);
    CLEANUP_FREE bool *is_printed = xcalloc((size_t) new.count + 1, sizeof(bool));
    CLEANUP_FREE int *path = xcalloc((size_t) new.count + 1, sizeof(*path));
    struct printing printing = { &old, &new, old_parents, new_parents, is_printed, path, text };
    add_changes(&printing);
    free(old.items);
    free(new.items);
}
