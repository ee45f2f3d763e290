#include "runner/snapshot/semantics/naming.h"

#include "runner/base/memory.h"

enum {
    MOST_STEPS = 4000,    /* for one text; an element takes seven, so the recursion is at most
                             600 deep */
    FEW_STEPS = 40,       /* for one text, after all texts together have taken much */
    MUCH_WORK = 20000000, /* steps of all texts; a page of 300,000 elements takes 8 million */
    PIECE_OF_STEP = 100,  /* bytes examined in the time of one step */
    MUCH_TEXT = 32 << 20, /* of all names; later ones are short */
    SHORT_NAME = 200,
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
    strbuf_finish(&naming->text.whole);
    strbuf_finish(&naming->text.piece);
    free(naming->rounds);
    free(naming);
}

bool naming_take_step(struct snapshot_naming *naming)
{
    naming->steps = naming->steps > 0 ? naming->steps - 1 : -1;
    return naming->steps >= 0;
}

struct naming_element naming_meet(struct snapshot_naming *naming, int node)
{
    struct naming_element element = { .node = node,
                                      .is_known = naming->rounds[node] == naming->round };
    naming->rounds[node] = naming->round;
    return element;
}

void naming_set_apart(struct snapshot_naming *naming, bool is_apart)
{
    naming->text.needs_space = naming->text.needs_space || is_apart;
}

void naming_clear(struct snapshot_naming *naming)
{
    naming->steps = naming->work > MUCH_WORK ? FEW_STEPS : MOST_STEPS;
    naming->text.left = (size_t)naming->steps * PIECE_OF_STEP;
    naming->text.needs_space = false;
    naming->text.whole.max = naming->total > MUCH_TEXT ? SHORT_NAME : SNAPSHOT_NAME_LIMIT;
    strbuf_clear(&naming->text.whole);
}

struct naming_element naming_begin(struct snapshot_naming *naming, int node)
{
    naming->round++;
    naming->nodes = 0;
    naming->is_left_out = snapshot_fact(naming->facts, node, FACT_LEFT_OUT);
    naming->is_inert = snapshot_fact(naming->facts, node, FACT_INERT);
    naming->is_value = false;
    naming_clear(naming);
    struct naming_element root = naming_meet(naming, node);
    root.is_root = true;
    return root;
}

/* Counts the bytes read as work, too, relative to the limit of steps. */
const char *naming_finish(struct snapshot_naming *naming)
{
    const struct strbuf *whole = &naming->text.whole;
    bool is_hurried = naming->work > MUCH_WORK;
    int steps = is_hurried ? FEW_STEPS : MOST_STEPS;
    naming->work += (size_t)(steps - naming->steps);
    naming->work += (size_t)steps - naming->text.left / PIECE_OF_STEP;
    if (naming->steps < 0) {
        strbuf_add_string(&naming->text.whole, is_hurried ? "…" : "");
    }
    naming->total += whole->length;
    return whole->length == 0 ? NULL : arena_copy(naming->facts->arena, whole->data, whole->length);
}
