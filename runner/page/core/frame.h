/* A frame, and lists of frames as the processes of a page tell of theirs. */
#ifndef RUNNER_PAGE_CORE_FRAME_H
#define RUNNER_PAGE_CORE_FRAME_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/* The frames of a process: what Page.getFrameTree of its session answers. */
struct frame_tree {
    char *session_id;
    char *root_id;   /* NULL: it is the page's own */
    char *parent_id; /* of the root, which another process tells of */
    int64_t call_id;
    json_t *reply; /* NULL: none came */
};

void frame_trees_free(struct frame_tree *trees, size_t count);

/* Of the world in which our scripts run: the page cannot tamper with them there. */
extern const char page_world_name[];

/* A frame of the page. */
struct frame {
    char *id, *parent_id; /* parent_id NULL: the main frame */
    char *name, *url;     /* name may be NULL */
    char *loader_id;      /* of its document; NULL: of the main frame, see document.loader_id */
    char *session_id;     /* of the process that it lives in */
    int world_id;         /* execution context of our scripts; 0: none yet */
    unsigned libraries;   /* that this world has by now: bits of library.c */
};

/* Some frames, in the order of their documents. */
struct frame_list {
    struct frame *items;
    size_t count;
};

void frame_list_finish(struct frame_list *list);

/*
 * All frames of these trees: the page's own process, which comes first, then the others from the
 * top down. Of frames that stay where they are, as `known` has them, the worlds are known yet. The
 * caller finishes.
 */
struct frame_list frame_list_make(const struct frame_tree *trees, size_t count,
                                  const struct frame_list *known);

struct frame *frame_list_find(const struct frame_list *list, const char *frame_id);

#endif
