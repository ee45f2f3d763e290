/* Chooses the items to omit for a token limit. */
#ifndef RUNNER_SNAPSHOT_OUTLINE_CUT_H
#define RUNNER_SNAPSHOT_OUTLINE_CUT_H

#include "runner/base/strbuf.h"
#include "runner/snapshot/outline/outline.h"

/* Returns an array of outline->count, caller frees. `costs` are the items' estimated tokens. */
bool *print_cut(const struct outline *outline, const int *costs, int64_t max_tokens, int *ret_cut);

/* Writes "(left out for 500 tokens: 120 texts, 30 links below the viewport)". */
void print_cut_line(const struct outline *outline, const bool *is_cut, int64_t max_tokens,
                    struct strbuf *line);

#endif
