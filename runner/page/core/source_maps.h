/* Maps locations in generated scripts to their sources. */
#ifndef RUNNER_PAGE_CORE_SOURCE_MAPS_H
#define RUNNER_PAGE_CORE_SOURCE_MAPS_H

struct page;

/*
 * Rewrites the locations in the browser's errors and warnings by the scripts' source maps, as far
 * as these are available in time. Scripts are read from the browser's memory; the browser fetches
 * external maps of at most 16 MB each.
 */
void source_maps_apply(struct page *page);

void source_maps_init(struct page *page);
void source_maps_finish(struct page *page);

#endif
