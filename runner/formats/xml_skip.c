#include "runner/formats/xml_skip.h"

#include <string.h>

/* Sections that may contain text that only looks like an instruction. */
struct xml_skip_section {
    const char *begin, *end;
};

static const struct xml_skip_section comment = { "<!--", "-->" };
static const struct xml_skip_section cdata = { "<![CDATA[", "]]>" };
static const struct xml_skip_section processing = { "<?", "?>" };
static const struct xml_skip_section doctype = { "<!DOCTYPE", ">" };
static const struct xml_skip_section doctype_subset = { "", "]>" };

void xml_skip_begin(struct xml_skip *skip, struct source_position position, bool is_first_tag,
                    bool takes_first_tag)
{
    skip->position = position;
    skip->is_first_tag = is_first_tag;
    skip->takes_first_tag = takes_first_tag;
    skip->is_in_first_tag = false;
    skip->owner[0] = '\0';
    skip->is_owner_over = false;
    skip->types_left = 0;
    skip->section = NULL;
    skip->tag_length = 0;
    skip->last = '\0';
    skip->ticks = 0;
}

static void copy_name(char to[XML_MAX_NAME + 1], const char *name, size_t length)
{
    length = length < XML_MAX_NAME ? length : XML_MAX_NAME;
    memcpy(to, name, length);
    to[length] = '\0';
}

void xml_skip_set_owner(struct xml_skip *skip, const char *name, bool has_type)
{
    copy_name(skip->owner, name, strlen(name));
    skip->types_left = has_type ? 0 : 1;
}

static void enter_section(struct xml_skip *skip, const struct xml_skip_section *section)
{
    skip->section = section;
    skip->section_matched = 0;
    skip->section_bytes = 0;
    skip->tag_length = 0;
    skip->is_first_tag = false;
}

void xml_skip_set_cdata(struct xml_skip *skip)
{
    enter_section(skip, &cdata);
}

static void read_section(struct xml_skip *skip, char c)
{
    const char *end = skip->section->end;
    if (c == end[skip->section_matched]) {
        skip->section_matched++;
    } else if (skip->section_matched != 2 ||
               c != end[1]) { /* after the third - of "--->" two still match */
        skip->section_matched = c == end[0] ? 1 : 0;
    }
    skip->section_bytes++;
    if (skip->section == &doctype && c == '[') {
        enter_section(skip, &doctype_subset);
    } else if (end[skip->section_matched] == '\0' || skip->section_bytes > XML_MAX_TAG_BYTES) {
        skip->section = NULL; /* also if the section is never closed */
    }
}

static bool is_tag(const struct xml_skip *skip, const char *text)
{
    return strlen(text) == skip->tag_length && memcmp(skip->tag, text, skip->tag_length) == 0;
}

static const struct xml_skip_section *section_of_tag(const struct xml_skip *skip)
{
    static const struct xml_skip_section *const sections[] = { &comment, &cdata, &processing,
                                                               &doctype };
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        if (is_tag(skip, sections[i]->begin)) {
            return sections[i];
        }
    }
    return NULL;
}

static void end_owner(struct xml_skip *skip)
{
    skip->owner[0] = '\0';
    skip->is_owner_over = true;
    skip->types_left = 0;
}

/* Whether the name consists of letters, so that the parser certainly accepts it. */
static bool is_plain_name(const char *name, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t i = 0;
    while (i < length && memchr(letters, name[i], sizeof(letters) - 1)) {
        i++;
    }
    return length > 0 && i == length;
}

/* The tag's name is complete: returns whether it begins an instruction. */
static bool is_beginning(struct xml_skip *skip)
{
    const char *name = skip->tag + 1;
    size_t length = skip->tag_length - 1;
    if (length > 0 && *name == '/') {
        if (*skip->owner && strlen(skip->owner) == length - 1 &&
            memcmp(name + 1, skip->owner, length - 1) == 0) {
            end_owner(skip);
        }
        return skip->is_batch_open && is_tag(skip, "</batch");
    }
    if (is_tag(skip, "<type") && skip->types_left > 0) {
        skip->types_left--;
        return false;
    }
    return (skip->is_owner_over && is_plain_name(name, length)) ||
           is_tag(skip, "<browser_action") || is_tag(skip, "<batch") || is_tag(skip, "<type");
}

/* The first tag was refused: the following text belongs to it, up to its end tag. */
static void take_first_tag(struct xml_skip *skip)
{
    if (skip->tag[1] == '/' || is_tag(skip, "<type")) {
        return;
    }
    copy_name(skip->wrapper, skip->tag + 1, skip->tag_length - 1);
    if (skip->takes_first_tag && !is_tag(skip, "<batch")) {
        xml_skip_set_owner(skip, skip->wrapper, false);
        skip->is_in_first_tag = true;
    }
}

static void count_ticks(struct xml_skip *skip, char c)
{
    skip->ticks = c == '`' ? skip->ticks + 1 : 0;
    if (skip->ticks == XML_FENCE_TICKS) {
        skip->has_fence = !skip->has_fence;
    }
}

/*
 * Reads a byte after a tag's <. Returns false if the tag's name ended before it, and an instruction
 * begins.
 */
static bool read_tag(struct xml_skip *skip, char c)
{
    bool is_name_over = xml_white_length(&c, 1) || c == '>' || (c == '/' && skip->tag_length > 1);
    if (is_name_over && skip->is_first_tag) {
        take_first_tag(skip);
    } else if (is_name_over && is_beginning(skip)) {
        return false;
    }
    if (is_name_over || skip->tag_length + 1 == sizeof(skip->tag)) {
        skip->tag_length = 0;
        skip->is_first_tag = false;
        return true;
    }
    skip->tag[skip->tag_length++] = c;
    const struct xml_skip_section *section = section_of_tag(skip);
    if (section) {
        enter_section(skip, section);
    }
    return true;
}

/* Returns false if an instruction began before this byte. */
static bool read_byte(struct xml_skip *skip, char c)
{
    if (skip->section) {
        read_section(skip, c);
        return true;
    }
    if (c == '<') {
        skip->is_first_tag &= skip->tag_length == 0;
        skip->is_in_first_tag = false;
        skip->tag_position = skip->position;
        skip->tag[0] = c;
        skip->tag_length = 1;
        return true;
    }
    if (skip->tag_length == 0) {
        skip->is_first_tag = false;
    } else if (!read_tag(skip, c)) {
        return false;
    }
    if (skip->is_in_first_tag && c == '>') {
        skip->is_in_first_tag = false;
        if (skip->last == '/') {
            end_owner(skip);
        }
    }
    return true;
}

size_t xml_skip_read(struct xml_skip *skip, const char *bytes, size_t length, bool *ret_found)
{
    *ret_found = false;
    for (size_t i = 0; i < length; i++) {
        if (!read_byte(skip, bytes[i])) {
            *ret_found = true;
            return i;
        }
        count_ticks(skip, bytes[i]);
        source_position_advance(&skip->position, skip->last, bytes[i]);
        skip->last = bytes[i];
    }
    return length;
}

bool xml_skip_is_at_batch(struct xml_skip *skip)
{
    if (!is_tag(skip, "<batch")) {
        return false;
    }
    if (skip->is_batch_open) {
        copy_name(skip->wrapper, "batch", strlen("batch"));
    }
    return true;
}
