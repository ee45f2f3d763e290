/* How an outline is made: outline_walk.c, outline_repeat.c and outline_filter.c, in this order. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_OUTLINE_BUILD_H
#define RUNNER_SNAPSHOT_OUTLINE_OUTLINE_BUILD_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

enum outline_fate {
    FATE_KEEP,
    FATE_DISSOLVE, /* its children stand in its place */
    FATE_DROP,     /* it goes, with all below */
};

/* Beside an item, while the outline is made. */
struct outline_draft {
    enum outline_fate fate;
    int block;      /* the node of the block that it is in the flow of */
    int begin, end; /* how many blocks had begun in that when it began, and at its end */
    int last;       /* the last item below it; itself when there is none */
};

struct outline_builder {
    struct outline *outline;
    const struct outline_options *options;
    struct outline_draft *drafts; /* of each item */
    size_t draft_capacity;
};

/* All items that may be shown, with their texts. */
void outline_walk(struct outline_builder *builder);

/* Lets go of what says nothing, or says again what is said beside or around it. */
void outline_drop_repeated(struct outline_builder *builder);

/* Lets go of what the options do not want to see. */
void outline_filter(struct outline_builder *builder);

/* Makes the fates true: what is dropped or dissolved is gone, what stays is linked anew. */
void outline_settle(struct outline_builder *builder);

/* outline_fate.c: what becomes of an element; what becomes of all in it is known before. */
enum outline_fate outline_fate_of(const struct outline_builder *builder, int item);

/* The pointing hand over a listitem or a row with controls in it is theirs: it is not operable. */
void outline_settle_pointer(struct outline_builder *builder, int item);

/* outline_kind.c: children of such an element say nothing that it does not say itself. */
bool outline_is_leaf(enum snapshot_tag tag);

/* Of no interest by itself: text or other elements in it stand in its place. */
bool outline_is_layout(enum snapshot_role role);

/* May be clicked although it is no control; others of its kind say nothing of what they react to.
 */
bool outline_may_react(enum snapshot_role role);

bool outline_is_picture(enum snapshot_role role);

/* Of a table or a list: its content is its name, which nobody wants to read twice. */
bool outline_is_part(enum snapshot_role role);

/* Says nothing without something in it. */
bool outline_is_container(enum snapshot_role role);

#endif
