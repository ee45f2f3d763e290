/*
 * Finds where the next instruction begins in what follows a mistake: at <browser_action> and
 * <batch>, at the </batch> of one that is open, at a <type> that does not belong to what is
 * skipped, and at any tag behind the end of that. What stands in comments, CDATA and the like is
 * none of these. Knows tags by their first bytes only: the text around them may be anything.
 */
#ifndef RUNNER_FORMATS_XML_SKIP_H
#define RUNNER_FORMATS_XML_SKIP_H

#include "runner/formats/xml_batch.h"

#include <stdint.h>

struct xml_skip {
    struct source_position position; /* of the byte that comes next */
    bool is_batch_open;
    bool has_fence;                 /* ``` has been seen, and none that closes it */
    char wrapper[XML_MAX_NAME + 1]; /* the element that was refused last: its end is no mistake */
    char owner[XML_MAX_NAME + 1];   /* the element that is skipped, until its end is seen, or "" */
    bool is_owner_over;             /* its end was seen */
    size_t types_left;              /* <type> tags that are the owner's, while it lasts */
    bool is_first_tag, takes_first_tag; /* see xml_skip_begin() */
    bool is_in_first_tag;

    const struct xml_skip_section *section; /* a comment and the like that is open; or NULL */
    size_t section_matched, section_bytes;  /* of its end; in all */

    /* A tag's beginning, "<" included, and where that was. */
    char tag[XML_MAX_NAME + 3];
    size_t tag_length; /* 0: no tag */
    struct source_position tag_position;
    char last;    /* byte */
    size_t ticks; /* ` in a row */
};

enum { XML_FENCE_TICKS = 3 };

/*
 * Begins at `position`. A tag that begins just there is no beginning when `is_first_tag`: it was
 * refused itself. What is skipped belongs to it when it `takes_first_tag`.
 */
void xml_skip_begin(struct xml_skip *skip, struct source_position position, bool is_first_tag,
                    bool takes_first_tag);

/* What is skipped belongs to this element, of which `has_type` tells whether it had a <type>. */
void xml_skip_set_owner(struct xml_skip *skip, const char *name, bool has_type);

/* The beginning is inside of a CDATA section. */
void xml_skip_set_cdata(struct xml_skip *skip);

/*
 * Reads on; returns how many bytes it took. True in `ret_found`: an instruction begins with what
 * `tag` and `tag_length` hold, at `tag_position`, and the bytes that follow go on from there.
 */
size_t xml_skip_read(struct xml_skip *skip, const char *bytes, size_t length, bool *ret_found);

/* Of what was found: whether it is a <batch>. Another one that is open has no end then. */
bool xml_skip_is_at_batch(struct xml_skip *skip);

#endif
