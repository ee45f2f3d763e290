/* Frames, and lists of frames as reported by a page's processes. */
#ifndef RUNNER_PAGE_CORE_FRAME_H
#define RUNNER_PAGE_CORE_FRAME_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The frames of a process: the reply to Page.getFrameTree in its session. */
struct frame_tree {
    char *session_id;
    char *root_id;   /* NULL: the page's own process */
    char *parent_id; /* parent of the root, reported by another process */
    int64_t call_id;
    json_t *reply; /* NULL: no reply */
};

void frame_trees_free(struct frame_tree *trees, size_t count);

/* The isolated world of our scripts, which the page cannot tamper with. */
extern const char page_world_name[];

/* A frame of the page. */
struct frame {
    char *id, *parent_id; /* parent_id NULL: the main frame */
    char *name, *url;     /* name may be NULL */
    char *loader_id;      /* of its document; NULL for the main frame, see document.loader_id */
    char *session_id;     /* of its process */
    int world_id;         /* execution context of our scripts; 0: not created yet */
    unsigned libraries;   /* loaded in this world: bits of library.c */
};

/* A list of frames in document order. */
struct frame_list {
    struct frame *items;
    size_t count;
};

void frame_list_finish(struct frame_list *list);

/*
 * Makes a list of all frames: those of the page's own process first, then the others from the top
 * down. Keeps the worlds of frames that are unchanged since `known`. The caller finishes.
 */
struct frame_list frame_list_make(const struct frame_tree *trees, size_t count,
                                  const struct frame_list *known);

struct frame *frame_list_find(const struct frame_list *list, const char *frame_id);

#endif
