#include "runner/snapshot/semantics/name.h"

#include "runner/snapshot/semantics/name_text.h"
#include "runner/snapshot/semantics/native_name.h"
#include "runner/snapshot/semantics/references.h"

#include <string.h>
#include <strings.h>

enum {
    MOST_NODES = 100,     /* that say something, in one text: as many as Chrome takes */
    MOST_STEPS = 4000,    /* over all nodes of one text, whatever they are */
    FEW_STEPS = 40,       /* for a text when all together have taken much */
    MUCH_WORK = 20000000, /* steps of all texts; a page of 300,000 elements takes 8 million */
    PIECE_OF_STEP = 100,  /* bytes that are looked at in the time of a step */
    MUCH_TEXT = 32 << 20, /* of all names; those behind it are short */
    SHORT_NAME = 200,
};

/* What is tried for an element, in this order, until one of them says something. */
enum stage {
    STAGE_VALUE,      /* of a control within somebody else's name */
    STAGE_REFERENCES, /* aria-labelledby */
    STAGE_LABEL,      /* aria-label */
    STAGE_ELEMENTS,   /* its <label>s */
    STAGE_CHILD,      /* legend, caption, <title> */
    STAGE_NATIVE,     /* alt and the like */
    STAGE_CONTENT,
    STAGE_TITLE,
    STAGE_PLACEHOLDER,
    STAGE_END,
};

/* An element that text is taken from. */
struct frame {
    int node;
    int at;            /* the next label or child */
    const char *words; /* the references that are left, or those to what it owns */
    size_t start;      /* where its own text begins */
    enum stage stage;
    bool is_begun;      /* the stage */
    bool is_referenced; /* by aria-labelledby, or in something that is: no more references */
    bool shows_hidden;  /* the reference is to something hidden, of which all counts */
    bool is_known;      /* met before in this text: its value was not asked for */
    bool stands_alone;  /* a box that words do not run through */
};

struct snapshot_naming {
    struct snapshot_facts *facts;
    struct frame *frames;
    size_t count, capacity;
    struct name_text text;
    uint32_t *rounds; /* of each node: the text that it was met in last */
    uint32_t round;
    int nodes;         /* of this text, that say something */
    int steps;         /* that are left for this text */
    size_t total;      /* bytes of all texts */
    size_t work;       /* steps of all texts */
    bool is_left_out;  /* the named one itself is: what is in it may be said */
    bool is_inert;     /* likewise */
    bool is_value;     /* the text is a value: what operates it, or is chosen from, is no part */
    enum stage source; /* where the last text of a whole element came from */
};

struct snapshot_naming *snapshot_naming_create(struct snapshot_facts *facts)
{
    struct snapshot_naming *naming = xcalloc(1, sizeof(*naming));
    naming->facts = facts;
    naming->text.whole = (struct strbuf)STRBUF_INIT(SNAPSHOT_NAME_LIMIT);
    naming->text.piece = (struct strbuf)STRBUF_INIT(STRBUF_UNCAPPED);
    naming->rounds = xcalloc((size_t)facts->tree->node_count + 1, sizeof(*naming->rounds));
    return naming;
}

void snapshot_naming_destroy(struct snapshot_naming *naming)
{
    free(naming->frames);
    strbuf_finish(&naming->text.whole);
    strbuf_finish(&naming->text.piece);
    free(naming->rounds);
    free(naming);
}

static struct frame *push(struct snapshot_naming *naming, int node)
{
    naming->frames =
        array_reserve(naming->frames, naming->count, &naming->capacity, sizeof(*naming->frames));
    struct frame *frame = &naming->frames[naming->count++];
    *frame = (struct frame){
        .node = node,
        .start = naming->text.whole.length,
        .is_known = naming->rounds[node] == naming->round,
    };
    naming->rounds[node] = naming->round;
    return frame;
}

/* Controls and pictures: words do not run through them, whatever their display is. */
static bool is_box(const struct snapshot_node *node)
{
    switch (node->tag) {
    case TAG_AUDIO:
    case TAG_BUTTON:
    case TAG_CANVAS:
    case TAG_EMBED:
    case TAG_IFRAME:
    case TAG_IMG:
    case TAG_INPUT:
    case TAG_METER:
    case TAG_OBJECT:
    case TAG_PROGRESS:
    case TAG_SELECT:
    case TAG_SVG:
    case TAG_TEXTAREA:
    case TAG_VIDEO:
        return true;
    default:
        return false;
    }
}

/* data-no-ai: nobody is named by it but what it is around. */
static bool is_kept_back(const struct snapshot_naming *naming, int node)
{
    return snapshot_fact(naming->facts, node, FACT_LEFT_OUT) && !naming->is_left_out;
}

/* In a widget: what operates it, such as a button to remove what is chosen, or an empty field to
 * search in, or is opened by it. */
static bool is_beside_value(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_meaning *meaning = &facts->meanings[node];
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    return snapshot_role_is(meaning->role, IS_BESIDE_VALUES) ||
           ((tag == TAG_INPUT || tag == TAG_TEXTAREA) && !meaning->value);
}

static bool is_hidden(const struct snapshot_naming *naming, int node, bool shows_hidden)
{
    const struct snapshot_facts *facts = naming->facts;
    if (is_kept_back(naming, node) || facts->meanings[node].role == ROLE_UNKNOWN ||
        (naming->is_value && is_beside_value(facts, node))) {
        return true;
    }
    if (shows_hidden) {
        return false;
    }
    return snapshot_fact(facts, node, FACT_UNSEEN) ||
           (snapshot_fact(facts, node, FACT_INERT) && !naming->is_inert) ||
           (snapshot_is_true(&facts->attributes, node, ATTRIBUTE_ARIA_HIDDEN) &&
            !facts->meanings[node].is_focusable);
}

/* Takes the text of an element in the content of another one, or goes into it. */
static void visit_element(struct snapshot_naming *naming, int node, bool is_referenced,
                          bool shows_hidden)
{
    const struct snapshot_facts *facts = naming->facts;
    const struct snapshot_node *it = &facts->tree->nodes[node];
    bool is_known = naming->rounds[node] == naming->round;
    const struct snapshot_layout *layout = snapshot_layout(facts->tree, node);
    if (is_hidden(naming, node, shows_hidden)) {
        naming->text.needs_space =
            naming->text.needs_space || (layout && layout->display == DISPLAY_BLOCK &&
                                         !layout->is_absolute && !layout->is_fixed);
        return;
    }
    enum snapshot_role role = facts->meanings[node].role;
    bool stands_alone = (is_box(it) && role != ROLE_NONE) ||
                        (name_text_is_apart(layout) && !snapshot_fact(facts, node, FACT_IN_LIST)) ||
                        role == ROLE_LINE_BREAK || it->tag == TAG_WBR;
    naming->text.needs_space = naming->text.needs_space || stands_alone;
    if ((is_known && !is_referenced) || it->tag == TAG_RT || it->tag == TAG_RP) {
        return;
    }
    naming->nodes += stands_alone || role != ROLE_GENERIC;
    struct frame *frame = push(naming, node);
    frame->is_referenced = is_referenced;
    frame->shows_hidden = shows_hidden;
    frame->stands_alone = stands_alone;
}

static void visit(struct snapshot_naming *naming, int node, bool is_referenced, bool shows_hidden)
{
    const struct snapshot_facts *facts = naming->facts;
    const struct snapshot_node *it = &facts->tree->nodes[node];
    switch (it->kind) {
    case SNAPSHOT_TEXT:
        if (shows_hidden || !snapshot_fact(facts, node, FACT_UNSEEN)) {
            naming->nodes++;
            naming->text.needs_space =
                naming->text.needs_space ||
                (it->layout == SNAPSHOT_NONE && !snapshot_fact(facts, node, FACT_IN_LIST));
            name_text_add_node(&naming->text, facts->tree, node);
        }
        break;
    case SNAPSHOT_PSEUDO:
        naming->nodes++;
        name_text_add_pseudo(&naming->text, facts->tree, node);
        break;
    case SNAPSHOT_ELEMENT:
        visit_element(naming, node, is_referenced, shows_hidden);
        break;
    case SNAPSHOT_DOCUMENT:
        break;
    }
}

/* Whether a reference to it counts: nobody who reads the one can read what is inert. */
static bool is_open_to(const struct snapshot_naming *naming, int node, bool shows_hidden)
{
    return !is_kept_back(naming, node) &&
           (shows_hidden || naming->is_inert || !snapshot_fact(naming->facts, node, FACT_INERT));
}

/* Goes to what the next word of aria-labelledby refers to; false at the end. */
static bool next_reference(struct snapshot_naming *naming, struct frame *frame)
{
    const char *id = NULL;
    for (size_t length; naming->steps-- > 0 && (length = snapshot_word(&frame->words, &id)) > 0;) {
        int node = snapshot_facts_find(naming->facts, frame->node, id, length);
        bool shows_hidden = node != SNAPSHOT_NONE &&
                            snapshot_fact(naming->facts, node, FACT_UNSEEN | FACT_ARIA_HIDDEN);
        if (node != SNAPSHOT_NONE && is_open_to(naming, node, shows_hidden)) {
            naming->text.needs_space = true;
            struct frame *next = push(naming, node);
            next->is_referenced = true;
            next->shows_hidden = shows_hidden;
            next->stands_alone = true;
            return true;
        }
    }
    return false;
}

static bool begin_references(struct snapshot_naming *naming, struct frame *frame)
{
    const struct snapshot_attributes *attributes = &naming->facts->attributes;
    if (frame->is_referenced || (frame->is_known && naming->count > 1)) {
        return false;
    }
    const char *words = snapshot_get(attributes, frame->node, ATTRIBUTE_ARIA_LABELLEDBY);
    frame->words = words ? words : snapshot_get(attributes, frame->node, ATTRIBUTE_ARIA_LABELEDBY);
    return frame->words;
}

/* Goes to the next label; false at the end. */
static bool next_label(struct snapshot_naming *naming, struct frame *frame)
{
    int label = frame->at;
    if (label == SNAPSHOT_NONE) {
        return false;
    }
    frame->at = naming->facts->next_label[label];
    naming->text.needs_space = true;
    visit(naming, label, false, false);
    return true;
}

/* The next one of what the element has in aria-owns, none of which was met before; NONE. */
static int next_owned(struct snapshot_naming *naming, struct frame *frame)
{
    const struct snapshot_facts *facts = naming->facts;
    const char *id = NULL;
    for (size_t length; naming->steps-- > 0 && (length = snapshot_word(&frame->words, &id)) > 0;) {
        int node = snapshot_facts_find(facts, frame->node, id, length);
        if (node != SNAPSHOT_NONE && facts->owners[node] == frame->node &&
            naming->rounds[node] != naming->round) {
            return node;
        }
    }
    return SNAPSHOT_NONE;
}

/* What somebody owns is in the place that it is given, not in its own. */
static bool next_child(struct snapshot_naming *naming, struct frame *frame)
{
    const struct snapshot_facts *facts = naming->facts;
    int child = frame->at;
    if (naming->nodes > MOST_NODES) {
        return false;
    }
    while (child != SNAPSHOT_NONE && facts->owners && facts->owners[child] != SNAPSHOT_NONE) {
        child = facts->tree->nodes[child].next;
    }
    frame->at = child == SNAPSHOT_NONE ? child : facts->tree->nodes[child].next;
    if (child == SNAPSHOT_NONE && frame->words) {
        child = next_owned(naming, frame);
        naming->text.needs_space = true;
    }
    if (child != SNAPSHOT_NONE) {
        visit(naming, child, frame->is_referenced, frame->shows_hidden);
    }
    return child != SNAPSHOT_NONE;
}

static bool begin_content(const struct snapshot_naming *naming, struct frame *frame, bool is_root)
{
    const struct snapshot_facts *facts = naming->facts;
    int node = frame->node;
    frame->at = facts->tree->nodes[node].first_child;
    frame->words = facts->owners && !naming->is_value
                       ? snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_OWNS)
                       : NULL;
    enum snapshot_tag tag = facts->tree->nodes[node].tag;
    if (tag == TAG_SELECT || tag == TAG_TEXTAREA || tag == TAG_INPUT ||
        facts->meanings[node].is_private) {
        return false;
    }
    return frame->is_referenced || (is_root ? snapshot_is_named_by_content(facts, node)
                                            : snapshot_gives_content(facts, node));
}

/* Legends and captions are visited as others are; the <title> of SVG is never rendered. */
static void visit_naming_child(struct snapshot_naming *naming, int node)
{
    int child = snapshot_naming_child(naming->facts, node);
    if (child == SNAPSHOT_NONE || is_kept_back(naming, child)) {
        return;
    }
    if (naming->facts->tree->nodes[child].is_svg) {
        struct frame *frame = push(naming, child);
        frame->is_referenced = true;
        frame->shows_hidden = true;
        frame->stage = STAGE_CONTENT;
    } else {
        visit(naming, child, false, false);
    }
}

static void append_attribute(struct snapshot_naming *naming, int node,
                             enum snapshot_attribute_number number)
{
    name_text_add_apart(&naming->text, snapshot_get(&naming->facts->attributes, node, number));
}

/* Whether the stage goes on in another frame, or has more to do. Frames move when one is pushed. */
static bool do_stage(struct snapshot_naming *naming, size_t index)
{
    struct frame *frame = &naming->frames[index];
    const struct snapshot_facts *facts = naming->facts;
    int node = frame->node;
    bool is_root = index == 0;
    bool is_begun = frame->is_begun;
    frame->is_begun = true;
    switch (frame->stage) {
    case STAGE_VALUE:
        if (!is_root && !frame->is_known) {
            name_text_add_apart(&naming->text, snapshot_value_in_name(facts, node));
        }
        return false;
    case STAGE_REFERENCES:
        return (is_begun || begin_references(naming, frame)) && next_reference(naming, frame);
    case STAGE_LABEL:
        append_attribute(naming, node, ATTRIBUTE_ARIA_LABEL);
        return false;
    case STAGE_ELEMENTS:
        frame->at = is_begun ? frame->at : facts->first_label[node];
        return next_label(naming, frame);
    case STAGE_CHILD:
        if (!is_begun) {
            visit_naming_child(naming, node);
        }
        return !is_begun;
    case STAGE_NATIVE:
        name_text_add_apart(&naming->text, snapshot_native_name(facts, node));
        return false;
    case STAGE_CONTENT:
        return (is_begun || begin_content(naming, frame, is_root)) && next_child(naming, frame);
    case STAGE_TITLE:
        if ((frame->is_referenced || !snapshot_role_is(facts->meanings[node].role, HAS_NO_TITLE)) &&
            !snapshot_has_empty_name(facts, node)) {
            append_attribute(naming, node, ATTRIBUTE_TITLE);
        }
        return false;
    case STAGE_PLACEHOLDER:
        name_text_add_apart(&naming->text, snapshot_placeholder(facts, node));
        return false;
    case STAGE_END:
        break;
    }
    return false;
}

/* One stage of the topmost frame that is done: either it has said something, or the next one. */
static void end_stage(struct snapshot_naming *naming)
{
    struct frame *frame = &naming->frames[naming->count - 1];
    bool has_text = naming->text.whole.length > frame->start;
    if (!has_text && frame->stage < STAGE_PLACEHOLDER) {
        frame->stage++;
        frame->is_begun = false;
        return;
    }
    if (naming->count == 1) {
        naming->source = has_text ? frame->stage : STAGE_END;
    }
    naming->text.needs_space = naming->text.needs_space || frame->stands_alone;
    naming->count--;
}

static void clear_text(struct snapshot_naming *naming)
{
    naming->steps = naming->work > MUCH_WORK ? FEW_STEPS : MOST_STEPS;
    naming->text.left = (size_t)naming->steps * PIECE_OF_STEP;
    naming->text.needs_space = false;
    naming->text.whole.max = naming->total > MUCH_TEXT ? SHORT_NAME : SNAPSHOT_NAME_LIMIT;
    strbuf_clear(&naming->text.whole);
}

/* What was read of texts, of all that so many steps may read, is work, too. */
static void count_pieces(struct snapshot_naming *naming, int steps)
{
    naming->work += (size_t)steps - naming->text.left / PIECE_OF_STEP;
}

/* NULL: it is empty. */
static const char *take_text(struct snapshot_naming *naming)
{
    const struct strbuf *whole = &naming->text.whole;
    naming->total += whole->length;
    return whole->length == 0
               ? NULL
               : snapshot_arena_copy(naming->facts->arena, whole->data, whole->length);
}

/* Begins a text with a node: its frame, which is to be filled further. */
static struct frame *begin(struct snapshot_naming *naming, int node)
{
    naming->round++;
    naming->nodes = 0;
    naming->count = 0;
    naming->is_left_out = snapshot_fact(naming->facts, node, FACT_LEFT_OUT);
    naming->is_inert = snapshot_fact(naming->facts, node, FACT_INERT);
    naming->is_value = false;
    clear_text(naming);
    return push(naming, node);
}

/* The text, from what is asked for alone or, with STAGE_END, from anywhere. NULL: there is none. */
static const char *finish(struct snapshot_naming *naming, enum stage wanted)
{
    bool is_hurried = naming->work > MUCH_WORK;
    int steps = naming->steps;
    while (naming->count > 0 && naming->steps-- > 0) {
        if (!do_stage(naming, naming->count - 1)) {
            end_stage(naming);
        }
    }
    naming->work += (size_t)(steps - naming->steps);
    count_pieces(naming, steps);
    if (naming->count > 0) {
        naming->source = naming->frames[0].stage;
        strbuf_add_string(&naming->text.whole, is_hurried ? "…" : "");
    }
    return wanted == STAGE_END || naming->source == wanted ? take_text(naming) : NULL;
}

static const char *content_of(struct snapshot_naming *naming, int node, int reader, bool is_value)
{
    if (snapshot_is_kept_from(naming->facts, node, reader)) {
        return NULL;
    }
    struct frame *frame = begin(naming, node);
    frame->stage = STAGE_CONTENT;
    frame->is_referenced = true;
    frame->shows_hidden = snapshot_fact(naming->facts, node, FACT_UNSEEN);
    naming->is_value = is_value;
    return finish(naming, STAGE_CONTENT);
}

const char *snapshot_naming_content(struct snapshot_naming *naming, int node, int reader)
{
    return content_of(naming, node, reader, false);
}

const char *snapshot_naming_value(struct snapshot_naming *naming, int node, int reader)
{
    return content_of(naming, node, reader, true);
}

static const char *referenced(struct snapshot_naming *naming, int node, const char *words)
{
    struct frame *frame = begin(naming, node);
    frame->stage = STAGE_REFERENCES;
    frame->is_begun = true;
    frame->words = words;
    return finish(naming, STAGE_REFERENCES);
}

const char *snapshot_naming_attribute(struct snapshot_naming *naming, int node,
                                      enum snapshot_attribute_number number)
{
    if (!snapshot_has(&naming->facts->attributes, node, number)) {
        return NULL;
    }
    clear_text(naming);
    append_attribute(naming, node, number);
    count_pieces(naming, naming->steps);
    return take_text(naming);
}

/* What there is to say of a node beyond the name that came from `source`. */
static const char *description_of(struct snapshot_naming *naming, int node, enum stage source)
{
    const struct snapshot_facts *facts = naming->facts;
    const char *words = snapshot_get(&facts->attributes, node, ATTRIBUTE_ARIA_DESCRIBEDBY);
    const char *text = words ? referenced(naming, node, words) : NULL;
    text = text ? text : snapshot_naming_attribute(naming, node, ATTRIBUTE_ARIA_DESCRIPTION);
    if (!text && source != STAGE_NATIVE && snapshot_is_text_button(facts, node)) {
        text = snapshot_naming_attribute(naming, node, ATTRIBUTE_VALUE);
    }
    int child = !text && source != STAGE_CHILD && facts->tree->nodes[node].tag == TAG_TABLE
                    ? snapshot_naming_child(facts, node)
                    : SNAPSHOT_NONE;
    if (!text && facts->tree->nodes[node].is_svg) {
        child = snapshot_facts_child(facts, node, TAG_DESC);
    }
    if (child != SNAPSHOT_NONE) {
        text = snapshot_naming_content(naming, child, node);
    }
    if (!text && source != STAGE_TITLE) {
        text = snapshot_naming_attribute(naming, node, ATTRIBUTE_TITLE);
    }
    const char *name = facts->meanings[node].name;
    return text && name && strcmp(text, name) == 0 ? NULL : text;
}

void snapshot_naming_node(struct snapshot_naming *naming, int node)
{
    static const uint8_t from[] = {
        [STAGE_VALUE] = NAME_FROM_NOTHING,           [STAGE_REFERENCES] = NAME_FROM_ELEMENT,
        [STAGE_LABEL] = NAME_FROM_ATTRIBUTE,         [STAGE_ELEMENTS] = NAME_FROM_ELEMENT,
        [STAGE_CHILD] = NAME_FROM_ELEMENT,           [STAGE_NATIVE] = NAME_FROM_ATTRIBUTE,
        [STAGE_CONTENT] = NAME_FROM_CONTENT,         [STAGE_TITLE] = NAME_FROM_ATTRIBUTE,
        [STAGE_PLACEHOLDER] = NAME_FROM_PLACEHOLDER, [STAGE_END] = NAME_FROM_NOTHING,
    };
    const struct snapshot_facts *facts = naming->facts;
    struct snapshot_meaning *meaning = &facts->meanings[node];
    begin(naming, node);
    meaning->name = finish(naming, STAGE_END);
    enum stage source = meaning->name ? naming->source : STAGE_END;
    if (!meaning->name && snapshot_tag_is_frame(facts->tree->nodes[node].tag)) {
        /* What scripts and links call it is all that tells it from others. */
        meaning->name = snapshot_naming_attribute(naming, node, ATTRIBUTE_NAME);
        source = meaning->name ? STAGE_NATIVE : source;
    }
    meaning->name_from = (enum snapshot_name_from)from[source];
    meaning->description = description_of(naming, node, source);
    if (source != STAGE_PLACEHOLDER) {
        meaning->placeholder = snapshot_placeholder(facts, node);
    }
}
