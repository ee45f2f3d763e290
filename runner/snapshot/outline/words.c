#include "runner/snapshot/outline/words.h"

#include "runner/base/memory.h"
#include "runner/snapshot/outline/print.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Choices of a closed list; the rest is only counted. */
enum { MAX_CHOICES = 100 };

/* Bytes of the address of a link without a name. */
enum { MAX_LINK_URL = 60 };

/* Roles with another word than Chrome's. */
static const char *const role_words[] = {
    [ROLE_AUDIO] = "audio",
    [ROLE_CANVAS] = "canvas",
    [ROLE_COLOR_WELL] = "color",
    [ROLE_DATE] = "date",
    [ROLE_DATE_TIME] = "datetime",
    [ROLE_DESCRIPTION_LIST] = "list",
    [ROLE_DETAILS] = "details",
    [ROLE_DISCLOSURE_TRIANGLE] = "summary",
    [ROLE_EMBEDDED_OBJECT] = "embed",
    [ROLE_IFRAME] = "iframe",
    [ROLE_INPUT_TIME] = "time",
    [ROLE_PLUGIN_OBJECT] = "object",
    [ROLE_PRE] = "code",
    [ROLE_SUMMARY] = "summary",
    [ROLE_SVG_ROOT] = "image",
    [ROLE_VIDEO] = "video",
};

const char *words_role(const struct outline *outline, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const struct snapshot_node *node = outline_node(outline, item);
    size_t role = semantics->role;
    if (role < sizeof(role_words) / sizeof(role_words[0]) && role_words[role]) {
        return role_words[role];
    }
    if (snapshot_tag_is_frame(node->tag)) {
        return "iframe";
    }
    if (semantics->stands_for != ROLE_UNKNOWN) {
        return snapshot_role_name(semantics->stands_for);
    }
    if (semantics->category == CATEGORY_INTERACTIVE &&
        !snapshot_role_is(semantics->role, IS_OPERABLE)) {
        return semantics->is_editable ? "textbox" : "clickable";
    }
    if (semantics->category == CATEGORY_SEMANTIC && semantics->role != ROLE_UNKNOWN) {
        return snapshot_role_name(semantics->role);
    }
    return outline->items[item].is_scrollable ? "scrollable" : snapshot_tag_name(node->tag);
}

const char *words_name(const struct outline *outline, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    return outline->items[item].is_name_repeated ? NULL : semantics->name;
}

static void add_word(struct strbuf *line, bool is_so, const char *word)
{
    if (is_so) {
        strbuf_add(line, " ", 1);
        strbuf_add_string(line, word);
    }
}

static void add_check(struct strbuf *line, enum snapshot_check check, const char *when_true,
                      const char *when_false)
{
    add_word(line, check == CHECK_TRUE, when_true);
    add_word(line, check == CHECK_MIXED, "mixed");
    add_word(line, check == CHECK_FALSE && when_false, when_false ? when_false : "");
}

/* The states of an ancestor are not repeated. */
static bool is_inert_around(const struct outline *outline, int item)
{
    int parent = outline->items[item].parent;
    return parent != SNAPSHOT_NONE && outline_semantics(outline, parent)->is_inert;
}

/* Returns whether no scrolling can reach it, but its ancestor, which would say so, is reachable. */
static bool is_outside(const struct outline *outline, int item)
{
    const struct snapshot_placement *placements = outline->visibility->placements;
    int parent = outline->items[item].parent;
    return placements[outline->items[item].node].place == PLACE_OUTSIDE &&
           !(parent != SNAPSHOT_NONE &&
             placements[outline->items[parent].node].place == PLACE_OUTSIDE);
}

static void add_states(struct strbuf *line, const struct outline *outline, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const struct snapshot_placement *placement =
        &outline->visibility->placements[outline->items[item].node];
    add_word(line, semantics->is_modal, "modal");
    add_check(line, semantics->checked, "checked", NULL);
    add_check(line, semantics->pressed, "pressed", NULL);
    add_check(line, semantics->selected, "selected", NULL);
    /* Comboboxes are usually collapsed. */
    add_check(line, semantics->expanded, "expanded",
              semantics->role == ROLE_COMBOBOX ? NULL : "collapsed");
    add_word(line, semantics->current, "current");
    add_word(line, semantics->is_focused, "focused");
    add_word(line, semantics->is_disabled, "disabled");
    add_word(line, semantics->is_readonly, "readonly");
    add_word(line, semantics->is_required, "required");
    add_word(line, semantics->is_invalid, "invalid");
    add_word(line, semantics->is_busy, "busy");
    add_word(line, semantics->is_inert && !is_inert_around(outline, item), "inert");
    bool is_occluded =
        placement->is_occluded && !semantics->is_inert && outline->items[item].is_operable;
    add_word(line, is_occluded, "covered");
    add_word(line, is_outside(outline, item), "offscreen");
    add_word(line,
             outline->items[item].is_scrollable &&
                 strcmp(words_role(outline, item), "scrollable") != 0,
             "scrollable");
}

static void add_value(struct strbuf *line, const struct outline *outline,
                      const struct print_options *options, int item)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    if (semantics->is_private) {
        const char *secret = outline_node(outline, item)->value;
        if (secret && *secret) {
            strbuf_add_string(line, " = (hidden)");
        }
        return;
    }
    bool is_list = semantics->role == ROLE_LISTBOX &&
                   outline->items[item].first_child != SNAPSHOT_NONE; /* with the selected ones */
    bool is_said = semantics->value && *semantics->value && !is_list &&
                   !(words_name(outline, item) && strcmp(semantics->value, semantics->name) == 0);
    if (is_said) {
        strbuf_add_string(line, " = ");
        quote_text(line, semantics->value, options->text_length);
    } else if (semantics->placeholder && !(semantics->value && *semantics->value)) {
        strbuf_add_string(line, " placeholder ");
        quote_text(line, semantics->placeholder, QUOTE_MAX_NAME);
    }
}

bool words_tell_children(const struct outline *outline, int item)
{
    int child = outline->items[item].first_child;
    if (outline_node(outline, item)->tag != TAG_SELECT || child == SNAPSHOT_NONE) {
        return false;
    }
    if (outline_node(outline, child)->tag == TAG_OPTGROUP) {
        child = outline->items[child].first_child;
    }
    return child == SNAPSHOT_NONE || (outline_node(outline, child)->tag == TAG_OPTION &&
                                      !snapshot_layout(outline->tree, outline->items[child].node));
}

/* Adds the options among an item's children, and counts them. */
static void add_options(struct strbuf *line, const struct outline *outline, int item, int *count)
{
    for (int i = outline->items[item].first_child; i != SNAPSHOT_NONE; i = outline->items[i].next) {
        const char *name =
            outline->items[i].is_left_out ? NULL : outline_semantics(outline, i)->name;
        if (outline_node(outline, i)->tag != TAG_OPTION || !name || (*count)++ >= MAX_CHOICES) {
            continue;
        }
        strbuf_add_string(line, *count == 1 ? " of " : " | ");
        quote_if_needed(line, name, QUOTE_MAX_NAME);
        add_word(line, outline_semantics(outline, i)->is_disabled, "disabled");
    }
}

/* Writes "of Red | Green | …": the choices; options of groups come last. */
static void add_choices(struct strbuf *line, const struct outline *outline, int item)
{
    int count = 0;
    bool has_left_out = false;
    add_options(line, outline, item, &count);
    for (int i = outline->items[item].first_child; i != SNAPSHOT_NONE; i = outline->items[i].next) {
        has_left_out |= outline->items[i].is_left_out;
        if (outline_node(outline, i)->tag == TAG_OPTGROUP) {
            add_options(line, outline, i, &count);
        }
    }
    if (count > MAX_CHOICES) {
        strbuf_add_format(line, " | … %d more", count - MAX_CHOICES);
    }
    add_word(line, has_left_out, "(left out: data-no-ai)");
}

/* Returns a frame's URL, which is often the only information about it. */
static const char *frame_url(const struct outline *outline, int item)
{
    int child = outline_node(outline, item)->first_child;
    for (; child != SNAPSHOT_NONE; child = outline->tree->nodes[child].next) {
        const struct snapshot_node *node = &outline->tree->nodes[child];
        if (node->kind == SNAPSHOT_DOCUMENT) {
            const char *url = outline->tree->documents[node->document].url;
            return url && strncmp(url, "about:", 6) != 0 ? url : NULL;
        }
    }
    return NULL;
}

/* Returns whether it has no words, neither its own nor of a picture. */
static bool is_silent(const struct outline *outline, int item)
{
    const struct outline_item *shown = &outline->items[item];
    int child = shown->first_child;
    return !words_name(outline, item) && !shown->text &&
           (child == SNAPSHOT_NONE ||
            (child == shown->last_child &&
             snapshot_role_is(outline_semantics(outline, child)->role, IS_PICTURE) &&
             !outline_semantics(outline, child)->name));
}

/* Returns the target of a link without words, without parts that only matter to the server. */
static const char *link_url(const struct outline *outline, int item, size_t *ret_max)
{
    const struct node_semantics *semantics = outline_semantics(outline, item);
    if (semantics->role != ROLE_LINK || !is_silent(outline, item) || !semantics->url ||
        strncasecmp(semantics->url, "javascript:", 11) == 0) {
        return NULL;
    }
    size_t length = strcspn(semantics->url, "?#");
    *ret_max = length < MAX_LINK_URL ? length : MAX_LINK_URL;
    return length > 0 ? semantics->url : NULL;
}

static void add_url(struct strbuf *line, const struct outline *outline,
                    const struct print_options *options, int item)
{
    const char *url = options->has_urls ? outline_semantics(outline, item)->url : NULL;
    size_t max = QUOTE_MAX_URL;
    if (!url) {
        url = link_url(outline, item, &max);
    }
    if (snapshot_tag_is_frame(outline_node(outline, item)->tag)) {
        url = frame_url(outline, item);
        max = url ? strcspn(url, "?#") : 0;
        max = max < QUOTE_MAX_URL ? max : QUOTE_MAX_URL;
    }
    if (url && strncmp(url, "chrome-error:", 13) == 0) {
        strbuf_add_string(line, " (not loaded)");
    } else if (url && *url) {
        strbuf_add(line, " ", 1);
        quote_url(line, url, max);
    }
}

static void add_box(struct strbuf *line, const struct outline *outline, int item)
{
    const struct snapshot_box *box =
        &outline->visibility->placements[outline->items[item].node].box;
    strbuf_add_format(line, " [%ld,%ld,%ld,%ld]", lroundf(box->x), lroundf(box->y),
                      lroundf(box->width), lroundf(box->height));
}

/* Returns whether its place identifies it, so that no word is needed. */
static bool is_wordless(enum snapshot_role role)
{
    return snapshot_role_is(role, IS_PART) || role == ROLE_LIST || role == ROLE_DESCRIPTION_LIST;
}

static bool has_states(const struct outline *outline, int item)
{
    struct strbuf states = STRBUF_INIT(1000);
    add_states(&states, outline, item);
    bool has_some = states.length > 0;
    strbuf_finish(&states);
    return has_some;
}

bool words_are_none(const struct outline *outline, int item)
{
    const struct outline_item *shown = &outline->items[item];
    return is_wordless(outline_semantics(outline, item)->role) && shown->id == 0 &&
           !shown->is_left_out && !words_name(outline, item) && !has_states(outline, item);
}

static void add_element(const struct outline *outline, const struct print_options *options,
                        int item, struct strbuf *line)
{
    const struct outline_item *shown = &outline->items[item];
    const struct node_semantics *semantics = outline_semantics(outline, item);
    const char *name = words_name(outline, item);
    strbuf_add_string(line, words_role(outline, item));
    if (semantics->role == ROLE_HEADING && semantics->level > 0) {
        strbuf_add_format(line, " %d", semantics->level);
    }
    if (name || shown->text) {
        strbuf_add(line, " ", 1);
        quote_text(line, name ? name : shown->text, name ? QUOTE_MAX_NAME : options->text_length);
    } else if (semantics->category == CATEGORY_INTERACTIVE && semantics->test_id) {
        strbuf_add_string(line, " test id ");
        quote_text(line, semantics->test_id, QUOTE_MAX_NAME);
    }
    if (shown->id) {
        strbuf_add_format(line, " e%u", shown->id);
    }
    add_states(line, outline, item);
    add_value(line, outline, options, item);
    add_url(line, outline, options, item);
    if (options->has_boxes && shown->id) {
        add_box(line, outline, item);
    }
    if (words_tell_children(outline, item)) {
        add_choices(line, outline, item);
    }
    if (name && shown->text) {
        strbuf_add_string(line, ": ");
        quote_text(line, shown->text, options->text_length);
    }
}

void words_of_item(const struct outline *outline, const struct print_options *options, int item,
                   struct strbuf *line)
{
    const struct outline_item *shown = &outline->items[item];
    if (shown->is_left_out) {
        strbuf_add_string(line, "(a part of the page is left out: data-no-ai)");
    } else if (outline_is_text(outline, item) || (shown->text && words_are_none(outline, item))) {
        quote_text(line, shown->text, options->text_length);
        add_word(line, is_outside(outline, item), "offscreen");
    } else if (!words_are_none(outline, item)) {
        add_element(outline, options, item, line);
    }
    add_word(line, shown->is_cut, "…");
}

int *words_costs(const struct outline *outline, const struct print_options *options, int base,
                 bool are_choices_told)
{
    int *costs = xcalloc((size_t)outline->count + 1, sizeof(*costs));
    struct strbuf words = STRBUF_INIT(STRBUF_UNCAPPED);
    for (int i = 0; i < outline->count; i++) {
        int parent = outline->items[i].parent;
        if (are_choices_told && parent != SNAPSHOT_NONE && words_tell_children(outline, parent)) {
            continue;
        }
        strbuf_clear(&words);
        words_of_item(outline, options, i, &words);
        costs[i] = base + print_tokens(words.data, words.length);
    }
    strbuf_finish(&words);
    return costs;
}
