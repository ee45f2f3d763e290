#include "runner/snapshot/outline/print.h"

#include "runner/base/memory.h"
#include "runner/snapshot/outline/words.h"

#include <string.h>

enum {
    MAX_INDENT = 64,      /* levels; deeper items are not indented further */
    MAX_ON_LINE = 8,      /* children after the colon of a control */
    MAX_LINE = 400,       /* approximate bytes of one line, for one or several items */
    MAX_ROW = 4000,       /* the same for a table row */
    MAX_LIST_LINE = 160,  /* the same for a list item whose parts are blocks */
    MIN_ELSEWHERE = 3,    /* consecutive items in another place, before the place is printed */
    LINE_TOKENS = 2,      /* for a line's end and indentation */
    CUT_LINE_TOKENS = 40, /* for the report of what was cut */
};

/* How much of a line an item needs. */
enum form {
    FORM_LINES, /* several lines */
    FORM_END,   /* the rest of a line: a colon and other items follow */
    FORM_WORDS, /* a few words; others may follow */
};

struct printer {
    const struct outline *outline;
    const struct print_options *options;
    const bool *is_cut; /* for each item; NULL: nothing is cut */
    struct strbuf *text;
    enum form *forms;           /* for each item */
    int *lasts;                 /* for each item: its last descendant */
    int *levels;                /* for each item: the indentation of its children's lines */
    bool *has_begun;            /* for each item: one of its children was written */
    enum snapshot_place *marks; /* for each item: the place from here on; NOWHERE: unchanged */
    enum snapshot_place place;  /* last printed */
    enum snapshot_place mark;   /* to be printed with the next line */
    enum snapshot_place later;  /* to be printed with the line after that; NOWHERE: none */
    int line_end;               /* item whose line others may continue; NONE */
    size_t line_begin;          /* where that line begins in text */
    struct strbuf prefix;       /* "- ", "| " of items that have begun, for the next line */
    int prefix_level;
    int prefix_item; /* the last item in prefix */
};

static enum snapshot_role role_of(const struct printer *printer, int item)
{
    return printer->outline->semantics->nodes[printer->outline->items[item].node].role;
}

static bool is_omitted(const struct printer *printer, int item)
{
    return printer->is_cut && printer->is_cut[item];
}

/* Returns the prefix of the first line of an item without words of its own; "": none. */
static const char *prefix_of(const struct printer *printer, int item)
{
    enum snapshot_role role = role_of(printer, item);
    if (role == ROLE_LISTITEM || (role == ROLE_ROW && printer->forms[item] == FORM_LINES)) {
        return "- ";
    }
    return role == ROLE_DEFINITION ? ": " : snapshot_role_is(role, IS_CELL) ? "| " : "";
}

/* Returns the approximate bytes of the item itself. */
static int own_width(const struct printer *printer, int item)
{
    const struct outline_item *shown = &printer->outline->items[item];
    const char *name = words_name(printer->outline, item);
    size_t width = 12;
    width += name ? strnlen(name, MAX_ROW) : 0;
    width += shown->text ? strnlen(shown->text, MAX_ROW) : 0;
    return (int)width;
}

/* The sum of an item's children, added from the first to the last; these are already computed. */
struct sum {
    int count, width;
    bool is_flat; /* each fits into a line, and only the last may be other than FORM_WORDS */
    bool ends_line;
};

static struct sum sum_of_children(const struct printer *printer, int item, const int *widths)
{
    const struct outline *outline = printer->outline;
    struct sum sum = { .is_flat = true };
    bool are_cells = role_of(printer, item) == ROLE_ROW;
    for (int i = outline->items[item].first_child; i != SNAPSHOT_NONE; i = outline->items[i].next) {
        if (is_omitted(printer, i)) {
            continue;
        }
        enum form form = printer->forms[i];
        bool is_fine = are_cells ? snapshot_role_is(role_of(printer, i), IS_CELL) : !sum.ends_line;
        sum.is_flat &= is_fine && form != FORM_LINES;
        sum.ends_line |= form == FORM_END;
        sum.count++;
        sum.width += widths[i];
        sum.width = sum.width < MAX_ROW ? sum.width : MAX_ROW;
    }
    return sum;
}

static enum form form_of(const struct printer *printer, int item, const struct sum *sum)
{
    const struct outline *outline = printer->outline;
    enum snapshot_role role = role_of(printer, item);
    bool has_choices = words_tell_children(outline, item); /* the last choice ends the line */
    if (sum->count == 0 || has_choices) {
        return role == ROLE_ROW || has_choices ? FORM_END : FORM_WORDS;
    }
    if (outline->items[item].is_left_out || !sum->is_flat) {
        return FORM_LINES;
    }
    if (role == ROLE_ROW) {
        return sum->width < MAX_ROW ? FORM_END : FORM_LINES;
    }
    if (sum->count > MAX_ON_LINE || sum->width > MAX_LINE) {
        return FORM_LINES;
    }
    if (snapshot_role_is(role, IS_CELL) || role == ROLE_PARAGRAPH || role == ROLE_TERM) {
        return words_are_none(outline, item) && !sum->ends_line ? FORM_WORDS : FORM_END;
    }
    bool may_hold = outline->items[item].is_operable || role == ROLE_HEADING || role == ROLE_FIGURE;
    return may_hold ? FORM_END : FORM_LINES;
}

/* Returns whether the list item fits into a line, wherever that line begins. */
static bool is_short_list_item(const struct printer *printer, int item, const struct sum *sum)
{
    return role_of(printer, item) == ROLE_LISTITEM && sum->is_flat && sum->count <= MAX_ON_LINE &&
           sum->width <= MAX_LIST_LINE;
}

static void find_forms(struct printer *printer)
{
    int count = printer->outline->count;
    CLEANUP_FREE int *widths = xcalloc((size_t)count + 1, sizeof(*widths));
    for (int i = count; i-- > 0;) {
        int last = printer->outline->items[i].last_child;
        printer->lasts[i] = last == SNAPSHOT_NONE ? i : printer->lasts[last];
        struct sum sum = sum_of_children(printer, i, widths);
        widths[i] = own_width(printer, i) + sum.width;
        printer->forms[i] = is_short_list_item(printer, i, &sum) && sum.count > 0
                                ? FORM_END
                                : form_of(printer, i, &sum);
    }
}

/* Returns the place of an item that does not span others; NOWHERE if it has none. */
static enum snapshot_place leaf_place(const struct printer *printer, int item)
{
    const struct outline_item *shown = &printer->outline->items[item];
    enum snapshot_place place = printer->outline->visibility->placements[shown->node].place;
    bool is_leaf = shown->first_child == SNAPSHOT_NONE;
    bool is_told = place == PLACE_ABOVE || place == PLACE_IN_VIEW || place == PLACE_BELOW;
    return is_leaf && is_told && !is_omitted(printer, item) ? place : PLACE_NOWHERE;
}

/* Marks a change of place only where several consecutive items are in another place. */
static void find_marks(struct printer *printer)
{
    enum snapshot_place now = PLACE_IN_VIEW;
    enum snapshot_place other = PLACE_NOWHERE;
    int since = 0;
    int seen = 0;
    for (int i = 0; i < printer->outline->count; i++) {
        enum snapshot_place place = leaf_place(printer, i);
        if (place == PLACE_NOWHERE) {
            continue;
        }
        since = place == other ? since : i;
        seen = place == other ? seen + 1 : 1;
        other = place;
        bool is_back = place == PLACE_IN_VIEW; /* an item in view is never reported elsewhere */
        if (place != now && (seen == MIN_ELSEWHERE || is_back)) {
            printer->marks[since] = now = place;
        }
    }
    if (seen > 0 && other != now) {
        printer->marks[since] = other;
    }
}

static void add_indent(struct printer *printer, int level)
{
    level = level < MAX_INDENT ? level : MAX_INDENT;
    strbuf_add(printer->text, "\n", 1);
    for (int i = 0; i < level; i++) {
        strbuf_add(printer->text, "  ", 2);
    }
}

static void print_place(struct printer *printer, int level)
{
    if (printer->mark == PLACE_NOWHERE || printer->mark == printer->place) {
        return;
    }
    printer->place = printer->mark;
    add_indent(printer, level);
    strbuf_add_string(printer->text, printer->place == PLACE_ABOVE   ? "(above the viewport)"
                                     : printer->place == PLACE_BELOW ? "(below the viewport)"
                                                                     : "(in view)");
}

static void begin_line(struct printer *printer, int level)
{
    struct strbuf *prefix = &printer->prefix;
    level = prefix->length ? printer->prefix_level : level;
    print_place(printer, level);
    printer->line_begin = printer->text->length;
    add_indent(printer, level);
    strbuf_add(printer->text, prefix->data, prefix->length);
    strbuf_clear(prefix);
}

/* A pending prefix belongs to an ancestor, or to an item of which nothing was printed. */
static void add_prefix(struct printer *printer, int item, int level)
{
    const char *prefix = prefix_of(printer, item);
    int around = printer->outline->items[item].parent;
    while (around > printer->prefix_item && !*prefix_of(printer, around)) {
        around = printer->outline->items[around].parent;
    }
    if (around != printer->prefix_item) {
        strbuf_clear(&printer->prefix);
    }
    if (printer->prefix.length == 0) {
        printer->prefix_level = level;
    }
    strbuf_add_string(&printer->prefix, prefix);
    printer->prefix_item = item;
}

/* Returns the separator between an item and what precedes it on its line. */
static const char *separator_of(struct printer *printer, int item)
{
    int parent = printer->outline->items[item].parent;
    bool is_first = !printer->has_begun[parent];
    printer->has_begun[parent] = true;
    if (is_first) {
        return words_are_none(printer->outline, parent) ? "" : ": ";
    }
    return role_of(printer, parent) == ROLE_ROW ? " | " : " ";
}

/*
 * A cell of a row needs no quotes, except at the beginning of a line if it could be taken for a
 * role.
 */
static bool may_be_bare(const struct printer *printer, int row, int item)
{
    const char *text = printer->outline->items[item].text;
    if (!text || item == row || !snapshot_role_is(role_of(printer, item), IS_CELL) ||
        !words_are_none(printer->outline, item)) {
        return false;
    }
    bool is_first = item == row + 1 && words_are_none(printer->outline, row);
    return !is_first || *text < 'a' || *text > 'z';
}

/* Writes an item with all descendants on the current line. */
static void add_flat(struct printer *printer, int item)
{
    const struct outline *outline = printer->outline;
    int end = printer->lasts[item];
    for (int i = item; i <= end; i++) {
        if (is_omitted(printer, i)) {
            i = printer->lasts[i];
            continue;
        }
        if (i != item) {
            strbuf_add_string(printer->text, separator_of(printer, i));
        }
        if (may_be_bare(printer, item, i)) {
            quote_if_needed(printer->text, outline->items[i].text, printer->options->text_length);
        } else {
            words_of_item(outline, printer->options, i, printer->text);
        }
        if (words_tell_children(outline, i)) {
            i = printer->lasts[i];
        }
    }
}

/* Returns whether an item continues the line of its previous sibling. */
static bool continues_line(const struct printer *printer, int item)
{
    const struct outline *outline = printer->outline;
    int before = printer->line_end;
    if (before == SNAPSHOT_NONE || printer->prefix.length > 0 ||
        outline->items[before].parent != outline->items[item].parent) {
        return false;
    }
    bool is_definition =
        role_of(printer, item) == ROLE_DEFINITION && role_of(printer, before) == ROLE_TERM;
    bool is_long = printer->text->length - printer->line_begin > MAX_LINE;
    return is_definition || (outline->items[item].is_continued && !is_long);
}

/* Prints the place of most of a line's items before the line, and of the others after it. */
static void take_marks(struct printer *printer, int item, int last)
{
    int counts[PLACE_OUTSIDE + 1] = { 0 };
    enum snapshot_place now = printer->later != PLACE_NOWHERE  ? printer->later
                              : printer->mark != PLACE_NOWHERE ? printer->mark
                                                               : printer->place;
    enum snapshot_place most = now;
    bool is_first = true;
    for (int i = item; i <= last; i++) {
        now = printer->marks[i] != PLACE_NOWHERE ? printer->marks[i] : now;
        if (leaf_place(printer, i) != PLACE_NOWHERE) {
            counts[now]++;
            most = is_first || counts[now] > counts[most] ? now : most;
            is_first = false;
        }
    }
    printer->mark = most;
    printer->later = now == most ? PLACE_NOWHERE : now;
}

/* Returns whether it is a paragraph with nothing left in it. */
static bool is_empty(const struct printer *printer, int item)
{
    const struct outline_item *shown = &printer->outline->items[item];
    return words_are_none(printer->outline, item) && !shown->text &&
           shown->first_child == SNAPSHOT_NONE &&
           !snapshot_role_is(role_of(printer, item), IS_CELL);
}

/* Removes the line of a row whose only cell is empty. */
static void drop_blank_line(struct printer *printer)
{
    const char *line = printer->text->data + printer->line_begin + 1;
    if (line[strspn(line, " ")] == '\0') {
        strbuf_truncate(printer->text, printer->line_begin);
    }
}

/* Writes the item; returns the last item that was written with it. */
static int print_item(struct printer *printer, int item)
{
    const struct outline *outline = printer->outline;
    int parent = outline->items[item].parent;
    int level = parent == SNAPSHOT_NONE ? 0 : printer->levels[parent];
    bool has_words = !words_are_none(outline, item);
    bool has_prefix = !has_words && *prefix_of(printer, item);
    bool is_through = !has_words && !has_prefix && role_of(printer, item) != ROLE_ROW &&
                      !outline->items[item].text;
    bool is_flat = !is_through && printer->forms[item] != FORM_LINES;
    printer->levels[item] = has_words || has_prefix ? level + 1 : level;
    if (is_empty(printer, item)) {
        return item;
    }
    int last = is_flat ? printer->lasts[item] : item;
    take_marks(printer, item, last);
    bool is_on_line = is_flat && continues_line(printer, item);
    if (has_prefix && !is_on_line) {
        add_prefix(printer, item, level);
    }
    if (!is_flat && !has_words) {
        printer->line_end = SNAPSHOT_NONE;
        return item;
    }
    if (is_on_line) {
        strbuf_add_string(printer->text, has_prefix ? prefix_of(printer, item) : " ");
    } else {
        begin_line(printer, level);
    }
    if (is_flat) {
        add_flat(printer, item);
    } else {
        words_of_item(outline, printer->options, item, printer->text);
    }
    drop_blank_line(printer);
    printer->line_end = printer->forms[item] == FORM_WORDS ? item : SNAPSHOT_NONE;
    return last;
}

static void print_page(const struct outline *outline, struct strbuf *text)
{
    const struct snapshot_tree *tree = outline->tree;
    strbuf_add_string(text, "page");
    if (tree->document_count > 0) {
        const struct snapshot_document *document = &tree->documents[0];
        if (document->title && *document->title) {
            strbuf_add(text, " ", 1);
            quote_text(text, document->title, QUOTE_MAX_NAME);
        }
        if (document->url) {
            strbuf_add(text, " ", 1);
            quote_url(text, document->url, QUOTE_MAX_URL);
        }
    }
    strbuf_add_format(text, " %.0fx%.0f", tree->width, tree->height);
}

static void print_items(struct printer *printer)
{
    size_t count = (size_t)printer->outline->count + 1;
    CLEANUP_FREE enum form *forms = xcalloc(count, sizeof(*forms));
    CLEANUP_FREE int *lasts = xcalloc(count, sizeof(*lasts));
    CLEANUP_FREE int *levels = xcalloc(count, sizeof(*levels));
    CLEANUP_FREE bool *has_begun = xcalloc(count, sizeof(*has_begun));
    CLEANUP_FREE enum snapshot_place *marks = xcalloc(count, sizeof(*marks));
    printer->forms = forms;
    printer->lasts = lasts;
    printer->levels = levels;
    printer->has_begun = has_begun;
    printer->marks = marks;
    find_forms(printer);
    find_marks(printer);
    for (int i = 0; i < printer->outline->count; i++) {
        i = is_omitted(printer, i) ? lasts[i] : print_item(printer, i);
    }
    strbuf_finish(&printer->prefix);
}

void print_text(const struct outline *outline, const struct print_options *options,
                struct strbuf *text, int *ret_cut)
{
    *ret_cut = 0;
    size_t begin = text->length;
    print_page(outline, text);
    CLEANUP_FREE bool *is_cut = NULL;
    if (options->max_tokens > 0) {
        int spent = print_tokens(text->data + begin, text->length - begin) + CUT_LINE_TOKENS;
        CLEANUP_FREE int *costs = words_costs(outline, options, LINE_TOKENS, true);
        is_cut = print_cut(outline, costs, options->max_tokens - spent, ret_cut);
    }
    struct printer printer = {
        .outline = outline,
        .options = options,
        .is_cut = is_cut,
        .text = text,
        .place = PLACE_IN_VIEW,
        .line_end = SNAPSHOT_NONE,
        .prefix = STRBUF_INIT(STRBUF_UNCAPPED),
        .prefix_item = SNAPSHOT_NONE,
    };
    print_items(&printer);
    strbuf_add(text, "\n", 1);
    if (*ret_cut > 0) {
        print_cut_line(outline, is_cut, options->max_tokens, text);
        strbuf_add(text, "\n", 1);
    }
}
