/* What the elements of an outline are to it, by their tags and roles. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_KIND_H
#define RUNNER_SNAPSHOT_OUTLINE_KIND_H

#include "runner/snapshot/dom/tag.h"
#include "runner/snapshot/semantics/role.h"

/* Children of such an element say nothing that it does not say itself. */
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
