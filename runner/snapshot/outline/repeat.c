#include "runner/base/unicode.h"
#include "runner/snapshot/outline/builder.h"

#include <string.h>

/*
 * Limits of the search for repetitions of a name: anything larger is a part of the page, not a
 * label.
 */
enum { MAX_LOOKED_AT = 64, MAX_NAME = 1000, MAX_LABEL_DEPTH = 8, MAX_NEIGHBOURS = 4, MAX_SEEN = 3 };

/* Bytes of a name from which a longer text that begins with it counts as a repetition. */
enum { MIN_CAPTION = 16 };

static bool is_kept_text(const struct outline_builder *builder, int item)
{
    return builder->drafts[item].fate == FATE_KEEP && outline_is_text(builder->outline, item);
}

/* Returns whether its content is its name, or hardly more. */
static bool is_named_by_content(const struct outline_builder *builder, int item)
{
    enum snapshot_role role = outline_semantics(builder->outline, item)->role;
    return builder->outline->items[item].is_operable || role == ROLE_HEADING ||
           role == ROLE_OPTION || snapshot_role_is(role, IS_PICTURE);
}

/* A combobox may show its selection in a field that cannot be edited. */
static bool is_mere_text(const struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    return outline_is_text(builder->outline, item) ||
           snapshot_role_is(semantics->role, IS_PICTURE) ||
           (semantics->role == ROLE_TEXTBOX && semantics->is_readonly && !semantics->is_focusable);
}

/*
 * Returns the last item that belongs to a name or value: not the list that a combobox owns and
 * opens.
 */
static int last_telling(const struct outline_builder *builder, int item)
{
    const struct outline *outline = builder->outline;
    const int *owners = outline->semantics->owned.owners;
    int last = builder->drafts[item].last;
    bool is_combobox = outline_semantics(outline, item)->role == ROLE_COMBOBOX;
    for (int i = item + 1; owners && is_combobox && i <= last; i++) {
        if (owners[outline->items[i].node] == outline->items[item].node) {
            return i - 1;
        }
    }
    return last;
}

/* Returns whether it contains only texts and pictures. */
static bool is_plain(const struct outline_builder *builder, int item)
{
    int last = last_telling(builder, item);
    if (last - item > MAX_LOOKED_AT) {
        return false;
    }
    for (int i = item + 1; i <= last; i++) {
        bool is_element = builder->drafts[i].fate == FATE_KEEP && !is_mere_text(builder, i);
        if (is_element || builder->outline->items[i].is_left_out) {
            return false;
        }
    }
    return true;
}

static const char *words_of(const struct outline_builder *builder, int item)
{
    return outline_is_text(builder->outline, item)
               ? builder->outline->items[item].text
               : outline_semantics(builder->outline, item)->name;
}

static bool tells(const char *name, const char *words)
{
    return name && (strlen(name) <= MAX_NAME ? unicode_contains_words(name, words)
                                             : unicode_equal_words(name, words));
}

/* Drops texts and pictures in a control that its name or value already contains. */
static void drop_repeated_content(struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    int last = last_telling(builder, item);
    for (int i = item + 1; i <= last; i++) {
        const char *words = words_of(builder, i);
        bool is_told = !words || !unicode_has_word(words) || tells(semantics->name, words) ||
                       tells(semantics->value, words);
        if (builder->drafts[i].fate == FATE_KEEP && is_told) {
            builder->drafts[i].fate = FATE_DROP;
        }
    }
}

/* Returns whether one of the near ancestors has one of these tags. */
static bool is_in(const struct outline_builder *builder, int item, const enum snapshot_tag *tags,
                  size_t count)
{
    const struct snapshot_tree *tree = builder->outline->tree;
    int node = builder->outline->items[item].node;
    for (int i = 0; i < MAX_LABEL_DEPTH && node != SNAPSHOT_NONE; i++) {
        for (size_t k = 0; k < count; k++) {
            if (tree->nodes[node].tag == tags[k]) {
                return true;
            }
        }
        node = tree->nodes[node].parent;
    }
    return false;
}

static bool is_in_caption(const struct outline_builder *builder, int item)
{
    static const enum snapshot_tag tags[] = { TAG_CAPTION, TAG_FIGCAPTION, TAG_LEGEND };
    return is_in(builder, item, tags, sizeof(tags) / sizeof(tags[0]));
}

/* Returns whether a heading at the beginning repeats the name; drops texts that do. */
static bool repeats_name_at_begin(struct outline_builder *builder, int item, const char *name)
{
    int seen = 0;
    int last = builder->drafts[item].last;
    for (int i = item + 1; i <= last && i - item < MAX_LOOKED_AT && seen < MAX_SEEN; i++) {
        const char *words = words_of(builder, i);
        if (builder->drafts[i].fate != FATE_KEEP || !words) {
            continue;
        }
        bool is_text = outline_is_text(builder->outline, i);
        if (is_text && is_in_caption(builder, i) ? tells(name, words)
                                                 : unicode_equal_words(name, words)) {
            builder->drafts[i].fate = is_text ? FATE_DROP : FATE_KEEP;
            if (!is_text) {
                return true;
            }
        }
        seen++;
    }
    return false;
}

/* Returns whether the text in it is its value. */
static bool is_editor(const struct node_semantics *semantics)
{
    return semantics->value && *semantics->value &&
           (semantics->role == ROLE_TEXTBOX || semantics->role == ROLE_SEARCHBOX);
}

static void settle_name(struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    struct outline_item *shown = &builder->outline->items[item];
    bool is_from_content = semantics->name_from == NAME_FROM_CONTENT;
    bool is_silent = !semantics->name && !semantics->value;
    if (is_silent || shown->is_left_out) {
        return;
    }
    if (semantics->name && (!unicode_has_visible(semantics->name) ||
                            (semantics->role == ROLE_COMBOBOX && semantics->value &&
                             strcmp(semantics->name, semantics->value) == 0))) {
        shown->is_name_repeated = true; /* a combobox named by its selection has no name of its
                                           own */
    }
    if (builder->drafts[item].last == item) {
        /* The text is blank, or exists only for screen readers. */
        shown->is_name_repeated |= semantics->name && is_from_content &&
                                   snapshot_role_is(semantics->role, IS_PART) &&
                                   !unicode_has_word(semantics->name);
        return;
    }
    if (snapshot_role_is(semantics->role, IS_PART) && is_from_content) {
        shown->is_name_repeated = true;
    } else if (is_editor(semantics)) {
        for (int i = item + 1; i <= builder->drafts[item].last; i++) {
            builder->drafts[i].fate = FATE_DROP;
        }
    } else if (is_named_by_content(builder, item) && is_plain(builder, item)) {
        drop_repeated_content(builder, item);
    } else if (semantics->name) {
        shown->is_name_repeated |=
            is_from_content || repeats_name_at_begin(builder, item, semantics->name);
    }
}

/* Returns whether it is named by a neighbour, which then is its label. */
static bool is_labelled(const struct outline_builder *builder, int item)
{
    const struct node_semantics *semantics = outline_semantics(builder->outline, item);
    const struct outline_item *shown = &builder->outline->items[item];
    return builder->drafts[item].fate == FATE_KEEP && semantics->name && !shown->is_name_repeated &&
           (semantics->name_from == NAME_FROM_ELEMENT ||
            (semantics->name_from == NAME_FROM_ATTRIBUTE && shown->is_operable));
}

static bool is_in_label(const struct outline_builder *builder, int item)
{
    static const enum snapshot_tag tags[] = { TAG_LABEL };
    return is_in(builder, item, tags, 1);
}

/* Returns whether the control's name repeats the text beside it. */
static bool tells_label(const struct outline_builder *builder, int control, int text)
{
    const char *name = outline_semantics(builder->outline, control)->name;
    const char *words = builder->outline->items[text].text;
    bool is_part_enough = strlen(name) <= MAX_NAME && is_in_label(builder, text);
    return is_part_enough ? unicode_contains_words(name, words) : unicode_equal_words(name, words);
}

/* Returns the next labelled item among the next few; NONE if there is none. */
static int labelled_after(const struct outline_builder *builder, int item)
{
    int last = item + MAX_NEIGHBOURS;
    last = last < builder->outline->count ? last : builder->outline->count - 1;
    for (int i = item + 1; i <= last; i++) {
        if (is_labelled(builder, i)) {
            return i;
        }
    }
    return SNAPSHOT_NONE;
}

/* Drops a label beside its control when it repeats the control's name. */
static void drop_labels(struct outline_builder *builder)
{
    int before = SNAPSHOT_NONE; /* the last control */
    for (int i = 0; i < builder->outline->count; i++) {
        if (is_labelled(builder, i)) {
            before = i;
        }
        if (!is_kept_text(builder, i)) {
            continue;
        }
        int after = labelled_after(builder, i);
        bool is_told = before != SNAPSHOT_NONE && i - before <= MAX_NEIGHBOURS &&
                       tells_label(builder, before, i);
        if (is_told || (after != SNAPSHOT_NONE && tells_label(builder, after, i))) {
            builder->drafts[i].fate = FATE_DROP;
        }
    }
}

/* Returns the words printed for the item itself; NULL: none, or those of a picture. */
static const char *printed_words(const struct outline_builder *builder, int item)
{
    bool is_printed =
        builder->drafts[item].fate == FATE_KEEP &&
        !builder->outline->items[item].is_name_repeated &&
        !snapshot_role_is(outline_semantics(builder->outline, item)->role, IS_PICTURE);
    return is_printed ? words_of(builder, item) : NULL;
}

/* Returns the words next to an item, after it (`step` 1) or before it (-1); NULL: none. */
static const char *words_beside(const struct outline_builder *builder, int item, int step)
{
    for (int k = 1; k <= MAX_NEIGHBOURS; k++) {
        int other = item + k * step;
        if (other < 0 || other >= builder->outline->count) {
            return NULL;
        }
        bool is_around = other < item && builder->drafts[other].last >= item;
        const char *words = is_around ? NULL : printed_words(builder, other);
        if (words) {
            return words;
        }
    }
    return NULL;
}

/*
 * Returns whether the caption repeats the picture's name; it may continue, for example with the
 * author. "Art" is not repeated by "Artists".
 */
static bool is_captioned(const struct outline_builder *builder, int item)
{
    const char *name = outline_semantics(builder->outline, item)->name;
    const char *before = words_beside(builder, item, -1);
    const char *after = words_beside(builder, item, 1);
    return (before && unicode_equal_words(before, name)) ||
           (after && unicode_equal_words(after, name)) ||
           (after && strlen(name) >= MIN_CAPTION && unicode_begins_words(after, name));
}

/* Drops the name of a picture that its caption or title repeats. */
static void drop_names_of_pictures(struct outline_builder *builder)
{
    for (int i = 0; i < builder->outline->count; i++) {
        const struct node_semantics *semantics = outline_semantics(builder->outline, i);
        struct outline_item *shown = &builder->outline->items[i];
        bool is_named = builder->drafts[i].fate == FATE_KEEP && semantics->name &&
                        !outline_is_text(builder->outline, i) && !shown->is_operable;
        if (is_named && snapshot_role_is(semantics->role, IS_PICTURE)) {
            shown->is_name_repeated |= is_captioned(builder, i);
        }
    }
}

/* Returns whether two items are adjacent on one line, with no block boundary between. */
static bool is_on_line(const struct outline_builder *builder, int before, int after)
{
    const struct outline_draft *drafts = builder->drafts;
    return drafts[before].block == drafts[after].block && drafts[before].end == drafts[after].begin;
}

/* Returns the previous sibling; NONE if it is the first one. */
static int sibling_before(const struct outline_builder *builder, int item)
{
    int parent = builder->outline->items[item].parent;
    int before = item - 1;
    while (before > parent && builder->outline->items[before].parent != parent) {
        before = builder->outline->items[before].parent;
    }
    return before > parent ? before : SNAPSHOT_NONE;
}

/*
 * Returns the next sibling that is not dropped; the fates of later siblings are already decided.
 * NONE: none.
 */
static int sibling_after(const struct outline_builder *builder, int item)
{
    int parent = builder->outline->items[item].parent;
    int end = parent == SNAPSHOT_NONE ? builder->outline->count : builder->drafts[parent].last + 1;
    for (int i = item + 1; i < end; i = builder->drafts[i].last + 1) {
        if (builder->drafts[i].fate != FATE_DROP) {
            return i;
        }
    }
    return SNAPSHOT_NONE;
}

/*
 * Returns whether it is a separator between links and similar: "|", "·"; also a "." after the last
 * one or a "[" before one. A sign alone in its block has a meaning: "–" or "+" in a cell.
 */
static bool is_separator(const struct outline_builder *builder, int item)
{
    const struct outline *outline = builder->outline;
    int parent = outline->items[item].parent;
    const char *text = outline->items[item].text;
    if (unicode_has_word(text) || unicode_has_pictograph(text) ||
        (parent >= 0 && outline->items[parent].is_operable)) {
        return false;
    }
    int before = sibling_before(builder, item);
    int after = sibling_after(builder, item);
    bool follows = before != SNAPSHOT_NONE && is_on_line(builder, before, item);
    bool is_followed = after != SNAPSHOT_NONE && is_on_line(builder, item, after);
    if (unicode_is_divider(text)) {
        /* Parts of a flex row are blocks, and breadcrumb entries may contain only a divider. */
        bool is_entry = parent >= 0 && outline_semantics(outline, parent)->role == ROLE_LISTITEM;
        return before != SNAPSHOT_NONE || after != SNAPSHOT_NONE || is_entry;
    }
    return unicode_is_punctuation(text) ? follows || is_followed : follows && is_followed;
}

void outline_drop_repeated(struct outline_builder *builder)
{
    int count = builder->outline->count;
    for (int i = count; i-- > 0;) {
        if (outline_is_text(builder->outline, i)) {
            if (is_separator(builder, i)) {
                builder->drafts[i].fate = FATE_DROP;
            }
            continue;
        }
        outline_settle_pointer(builder, i);
        settle_name(builder, i);
        builder->drafts[i].fate = outline_fate_of(builder, i);
    }
    drop_labels(builder);
    drop_names_of_pictures(builder);
}
