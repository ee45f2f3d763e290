/* Text that is typed, for the files of this folder. */
#ifndef RUNNER_PAGE_ELEMENT_TYPING_H
#define RUNNER_PAGE_ELEMENT_TYPING_H

#include "runner/page/core/state.h"

/*
 * What has the focus is an editor that goes by keys, not by the selection of the document: goes to
 * the end of its text, or with is_cleared empties it. INVALID_ACTION when it takes no text.
 */
bool typing_enter_editor(struct page *page, bool is_cleared, struct br_error *err);

#endif
