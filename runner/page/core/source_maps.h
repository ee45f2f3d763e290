/* Places in generated scripts told as places in their sources. */
#ifndef RUNNER_PAGE_CORE_SOURCE_MAPS_H
#define RUNNER_PAGE_CORE_SOURCE_MAPS_H

struct page;

/*
 * Rewrites the places in the browser's errors and warnings by the source maps of their scripts, as
 * far as these are there and come in time. Scripts come out of the browser's memory; maps that are
 * not in the script itself are fetched by the browser, at most 16 MB each.
 */
void source_maps_apply(struct page *page);

void source_maps_init(struct page *page);
void source_maps_finish(struct page *page);

#endif
