/* Stand-ins until the modules are here. */
#include "runner/base/memory.h"
#include "runner/snapshot/print.h"

#define WEAK __attribute__((weak))

WEAK struct snapshot_semantics *snapshot_semantics_create(const struct snapshot_tree *tree)
{
    struct snapshot_semantics *semantics = xcalloc(1, sizeof(*semantics));
    semantics->meanings = xcalloc((size_t)tree->node_count + 1, sizeof(*semantics->meanings));
    return semantics;
}
WEAK void snapshot_semantics_destroy(struct snapshot_semantics *semantics)
{
    if (semantics) {
        free(semantics->meanings);
        free(semantics);
    }
}
WEAK void snapshot_semantics_apply(struct snapshot_semantics *semantics,
                                   const struct snapshot_tree *tree, int part, const json_t *nodes,
                                   bool is_all)
{
    (void)semantics, (void)tree, (void)part, (void)nodes, (void)is_all;
}
WEAK struct snapshot_visibility *
snapshot_visibility_create(const struct snapshot_tree *tree,
                           const struct snapshot_semantics *semantics)
{
    struct snapshot_visibility *visibility = xcalloc(1, sizeof(*visibility));
    (void)semantics;
    visibility->sights = xcalloc((size_t)tree->node_count + 1, sizeof(*visibility->sights));
    return visibility;
}
WEAK void snapshot_visibility_destroy(struct snapshot_visibility *visibility)
{
    if (visibility) {
        free(visibility->sights);
        free(visibility);
    }
}
WEAK struct outline *outline_create(const struct snapshot_tree *tree,
                                    const struct snapshot_semantics *semantics,
                                    const struct snapshot_visibility *visibility,
                                    const struct outline_options *options, struct snapshot_ids *ids)
{
    struct outline *outline = xcalloc(1, sizeof(*outline));
    outline->tree = tree;
    outline->semantics = semantics;
    outline->visibility = visibility;
    (void)options, (void)ids;
    return outline;
}
WEAK void outline_destroy(struct outline *outline)
{
    free(outline);
}
WEAK void print_text(const struct outline *outline, const struct print_options *options,
                     struct strbuf *text, int *ret_cut)
{
    (void)options, (void)ret_cut;
    strbuf_add_format(text, "%d nodes", outline->tree->order_count);
}
WEAK json_t *print_json(const struct outline *outline, const struct print_options *options,
                        int *ret_cut)
{
    (void)options, (void)ret_cut;
    return json_pack("{s:i}", "nodes", outline->tree->order_count);
}
WEAK void print_difference(const char *before, const char *after, struct strbuf *text)
{
    (void)before, (void)after, (void)text;
}
WEAK void print_markdown(const struct snapshot_tree *tree,
                         const struct snapshot_semantics *semantics,
                         const struct outline_options *options, int text_length,
                         struct strbuf *text)
{
    (void)tree, (void)semantics, (void)options, (void)text_length, (void)text;
}
WEAK enum snapshot_role snapshot_role_from_name(const char *name)
{
    (void)name;
    return ROLE_GENERIC;
}
WEAK const char *snapshot_role_name(enum snapshot_role role)
{
    (void)role;
    return "";
}
WEAK bool snapshot_role_is_operable(enum snapshot_role role)
{
    (void)role;
    return false;
}
WEAK bool snapshot_role_is_region(enum snapshot_role role)
{
    (void)role;
    return false;
}
