/*
 * Finds the beginning of the next instruction after an error: at <browser_action> and <batch>, at
 * the </batch> of an open one, at a <type> that does not belong to the skipped element, and at any
 * tag after the end of that element. Text in comments, CDATA and similar sections does not count.
 * Recognises tags by their first bytes only: the text around them may be anything.
 */
#ifndef RUNNER_FORMATS_XML_SKIP_H
#define RUNNER_FORMATS_XML_SKIP_H

#include "runner/formats/xml_batch.h"

#include <stdint.h>

struct xml_skip {
    struct source_position position; /* position of the next byte */
    bool is_batch_open;
    bool has_fence; /* an opening ``` has been seen, without a closing one */
    char wrapper[XML_MAX_NAME +
                 1]; /* the element that was refused last: its end tag is not an error */
    char owner[XML_MAX_NAME + 1]; /* the element that is skipped, until its end is seen, or "" */
    bool is_owner_over;           /* its end tag was seen */
    size_t types_left;            /* number of <type> tags that belong to the owner */
    bool is_first_tag, takes_first_tag; /* see xml_skip_begin() */
    bool is_in_first_tag;

    const struct xml_skip_section *section; /* the open comment or other section; or NULL */
    size_t section_matched, section_bytes;  /* matched bytes of its end; total bytes */

    /* The beginning of a tag, "<" included, and its position. */
    char tag[XML_MAX_NAME + 3];
    size_t tag_length; /* 0: no tag */
    struct source_position tag_position;
    char last;    /* the previous byte */
    size_t ticks; /* consecutive backticks */
};

enum { XML_FENCE_TICKS = 3 };

/*
 * Begins at `position`. A tag that begins exactly there does not count if `is_first_tag`, because
 * it was itself refused. The skipped text belongs to it if `takes_first_tag`.
 */
void xml_skip_begin(struct xml_skip *skip, struct source_position position, bool is_first_tag,
                    bool takes_first_tag);

/* Declares that the skipped text belongs to this element; `has_type`: it already had a <type>. */
void xml_skip_set_owner(struct xml_skip *skip, const char *name, bool has_type);

/* Declares that the position is inside a CDATA section. */
void xml_skip_set_cdata(struct xml_skip *skip);

/*
 * Reads on; returns how many bytes it consumed. If *ret_found is true, an instruction begins with
 * the text in `tag` and `tag_length`, at `tag_position`, and the following bytes continue it.
 */
size_t xml_skip_read(struct xml_skip *skip, const char *bytes, size_t length, bool *ret_found);

/* Whether the found tag is a <batch>. Another open one then has no end. */
bool xml_skip_is_at_batch(struct xml_skip *skip);

#endif
