#include "runner/snapshot/semantics/semantics.h"

#include "runner/base/arena.h"
#include "runner/base/memory.h"
#include "runner/snapshot/semantics/facts.h"
#include "runner/snapshot/semantics/private.h"
#include "runner/snapshot/semantics/references.h"
#include "runner/snapshot/semantics/text_alternative.h"

static const char *filled(const char *text)
{
    return text && text[0] != '\0' ? text : NULL;
}

static void find_test_id(const struct snapshot_facts *facts, int node)
{
    static const struct {
        enum snapshot_attribute_number number;
        const char *name;
    } sources[] = {
        { ATTRIBUTE_DATA_TESTID, "data-testid" },
        { ATTRIBUTE_DATA_TEST_ID, "data-test-id" },
        { ATTRIBUTE_DATA_TEST, "data-test" },
        { ATTRIBUTE_DATA_CY, "data-cy" },
    };
    struct node_semantics *semantics = &facts->semantics[node];
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && !semantics->test_id; i++) {
        semantics->test_id = filled(snapshot_get(&facts->attributes, node, sources[i].number));
        semantics->test_id_name = semantics->test_id ? sources[i].name : NULL;
    }
}

static const char *url_of(const struct snapshot_facts *facts, int node)
{
    const struct snapshot_node *it = &facts->tree->nodes[node];
    if (it->tag == TAG_IMG) {
        return it->picture ? it->picture : snapshot_get(&facts->attributes, node, ATTRIBUTE_SRC);
    }
    if (it->tag != TAG_A && it->tag != TAG_AREA) {
        return NULL;
    }
    const char *url = snapshot_get(&facts->attributes, node, ATTRIBUTE_HREF);
    return url ? url : snapshot_get(&facts->attributes, node, ATTRIBUTE_XLINK_HREF);
}

/* Returns whether it is invisible, although Chrome exposes it to screen readers. */
static bool is_invisible(const struct snapshot_facts *facts, int node)
{
    return snapshot_fact(facts, node, FACT_UNSEEN | FACT_CLIPPED_AWAY) ||
           (snapshot_fact(facts, node, FACT_IN_CANVAS) &&
            snapshot_fact(facts, node, FACT_UNRENDERED));
}

static void find_marks(struct snapshot_facts *facts, int node)
{
    struct node_semantics *semantics = &facts->semantics[node];
    semantics->is_hidden = is_invisible(facts, node);
    semantics->is_inert = snapshot_fact(facts, node, FACT_INERT);
    if (facts->tree->nodes[node].kind == SNAPSHOT_ELEMENT) {
        semantics->is_left_out = snapshot_has(&facts->attributes, node, ATTRIBUTE_DATA_NO_AI);
        find_test_id(facts, node);
        semantics->url = url_of(facts, node);
        snapshot_state_find(facts, node);
    }
}

/* Names are not computed for nodes that are not exposed. */
static bool may_have_name(const struct snapshot_facts *facts, int node)
{
    return facts->tree->nodes[node].kind == SNAPSHOT_ELEMENT &&
           facts->semantics[node].role != ROLE_UNKNOWN && !snapshot_fact(facts, node, FACT_UNSEEN);
}

static void find_names(struct snapshot_facts *facts)
{
    const struct snapshot_tree *tree = facts->tree;
    struct snapshot_naming *naming = snapshot_naming_create(facts);
    snapshot_private_find(naming, facts);
    for (int i = 0; i < tree->order_count; i++) {
        if (may_have_name(facts, tree->order[i])) {
            facts->semantics[tree->order[i]].value = snapshot_value(naming, facts, tree->order[i]);
        }
    }
    for (int i = 0; i < tree->order_count; i++) {
        if (may_have_name(facts, tree->order[i])) {
            snapshot_name_node(naming, facts, tree->order[i]);
        }
    }
    snapshot_stand_ins_find(naming, facts);
    for (int i = 0; i < tree->document_count; i++) {
        facts->semantics[tree->documents[i].root].name = filled(tree->documents[i].title);
    }
    snapshot_naming_destroy(naming);
}

struct snapshot_semantics *snapshot_semantics_create(const struct snapshot_tree *tree)
{
    struct snapshot_semantics *semantics = xcalloc(1, sizeof(*semantics));
    semantics->nodes = xcalloc((size_t)tree->node_count + 1, sizeof(*semantics->nodes));
    semantics->arena = arena_create();
    struct snapshot_facts facts;
    snapshot_facts_init(&facts, tree, semantics->nodes, semantics->arena);
    snapshot_facts_inherit(&facts);
    snapshot_references_find(&facts);
    snapshot_roles_find(&facts);
    for (int i = 0; i < tree->order_count; i++) {
        find_marks(&facts, tree->order[i]);
    }
    snapshot_levels_find(&facts);
    find_names(&facts);
    snapshot_categories_find(&facts);
    semantics->owned = facts.owned;
    facts.owned = (struct snapshot_owned){ 0 };
    snapshot_facts_finish(&facts);
    return semantics;
}

bool snapshot_is_left_out(const struct snapshot_semantics *semantics,
                          const struct snapshot_tree *tree, int node)
{
    while (node != SNAPSHOT_NONE && !semantics->nodes[node].is_left_out) {
        node = tree->nodes[node].parent;
    }
    return node != SNAPSHOT_NONE;
}

void snapshot_semantics_destroy(struct snapshot_semantics *semantics)
{
    if (!semantics) {
        return;
    }
    free(semantics->nodes);
    free(semantics->owned.owners);
    free(semantics->owned.first);
    free(semantics->owned.next);
    arena_destroy(semantics->arena);
    free(semantics);
}
