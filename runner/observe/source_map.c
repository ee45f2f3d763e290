#include "runner/observe/source_map.h"

#include "imaging/base64.h"
#include "runner/base/json.h"
#include "runner/base/json_scan.h"
#include "runner/base/memory.h"
#include "runner/base/strbuf.h"
#include "runner/base/url_parts.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum {
    MAX_SECTION_DEPTH = 4,
    MAX_VALUES = 1000000, /* in a map's JSON: each takes about 100 bytes of memory */
    STRIDE = 1024,        /* segments and separators between two marks */
    VALUE_BYTES = 64,     /* memory for a source's name, apart from its text */
};

/* The position in the mappings; all numbers count from 0. */
struct cursor {
    int64_t line, column;                           /* in the generated script */
    int64_t source, original_line, original_column; /* in the sources */
    bool has_source;
};

/* A position in the mappings from which reading can start. */
struct mark {
    size_t at;
    struct cursor cursor;
};

/* The mappings of a map, or of one of its sections. */
struct track {
    const char *mappings; /* of the root */
    struct mark *marks;   /* the first at 0 */
    size_t count, capacity;
};

struct source_map {
    json_t *root;
    struct track *tracks;
    size_t count, capacity;
    size_t size;
};

static int digit_of(char character)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = character ? strchr(digits, character) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* One base64 VLQ: five bits a digit, the lowest first, the sign in the lowest of all. */
static bool read_number(const char **at, int64_t *ret_number)
{
    int64_t value = 0;
    int shift = 0;
    int digit = 0;
    do {
        digit = digit_of(**at);
        if (digit < 0 || shift > 30) {
            return false;
        }
        value |= (int64_t)(digit & 31) << shift;
        shift += 5;
        (*at)++;
    } while (digit & 32);
    *ret_number = value & 1 ? -(value >> 1) : value >> 1;
    return true;
}

/* Reads a segment and applies it: 1, 4 or 5 numbers, each a difference to the one before. */
static bool read_segment(const char **at, struct cursor *cursor)
{
    int64_t numbers[5] = { 0 };
    int count = 0;
    while (**at && **at != ',' && **at != ';') {
        if (count == 5 || !read_number(at, &numbers[count])) {
            return false;
        }
        count++;
    }
    cursor->column += numbers[0];
    cursor->has_source = count >= 4;
    if (cursor->has_source) {
        cursor->source += numbers[1];
        cursor->original_line += numbers[2];
        cursor->original_column += numbers[3];
    }
    /* Sums of 31-bit numbers: far from overflow unless the map is absurd. */
    return count == 1 || count == 4 || count == 5;
}

/* Reads a separator or a segment. False: the mappings are malformed here. */
static bool step(const char **at, struct cursor *cursor, bool *ret_is_segment)
{
    *ret_is_segment = false;
    if (**at == ';') {
        cursor->line++;
        cursor->column = 0;
        ++*at;
    } else if (**at == ',') {
        ++*at;
    } else {
        *ret_is_segment = true;
        return read_segment(at, cursor);
    }
    return true;
}

static void set_mark(struct track *track, const char *at, const struct cursor *cursor)
{
    track->marks =
        array_reserve(track->marks, track->count, &track->capacity, sizeof(*track->marks));
    track->marks[track->count++] =
        (struct mark){ .at = (size_t)(at - track->mappings), .cursor = *cursor };
}

/* Sets marks up to the end, or to where the mappings are malformed. */
static void set_marks(struct track *track)
{
    struct cursor cursor = { 0 };
    bool is_segment = false;
    size_t steps = 0;
    set_mark(track, track->mappings, &cursor);
    for (const char *at = track->mappings; *at && step(&at, &cursor, &is_segment);) {
        if (++steps % STRIDE == 0) {
            set_mark(track, at, &cursor);
        }
    }
}

/*
 * The mark to start from: one before the last mark that is not behind the place, since the wanted
 * segment may stand before that last mark.
 */
static const struct mark *find_mark(const struct track *track, int64_t line, int64_t column)
{
    size_t from = 0;
    size_t to = track->count;
    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;
        const struct cursor *cursor = &track->marks[middle].cursor;
        bool is_behind = cursor->line > line || (cursor->line == line && cursor->column > column);
        from = is_behind ? from : middle;
        to = is_behind ? middle : to;
    }
    return &track->marks[from > 0 ? from - 1 : 0];
}

/* The last segment at or before the place. */
static bool find_segment(const struct track *track, int64_t line, int64_t column,
                         struct cursor *ret_found)
{
    const struct mark *mark = find_mark(track, line, column);
    struct cursor cursor = mark->cursor;
    bool is_found = false;
    bool is_segment = false;
    bool is_behind = false;
    for (const char *at = track->mappings + mark->at; *at && cursor.line <= line && !is_behind;) {
        if (!step(&at, &cursor, &is_segment)) {
            return false;
        }
        is_behind = is_segment && cursor.line == line && cursor.column > column;
        if (is_segment && cursor.line == line && !is_behind) {
            *ret_found = cursor;
            is_found = true;
        }
    }
    return is_found && ret_found->has_source;
}

/* Adds the mappings of a map, or of a section. */
static void add_track(struct source_map *map, json_t *part)
{
    size_t index;
    json_t *source;
    const char *mappings = json_member_string(part, "mappings");
    if (!mappings) {
        return;
    }
    json_array_foreach (json_object_get(part, "sources"), index, source) {
        map->size += VALUE_BYTES + json_string_length(source);
    }
    map->tracks = array_reserve(map->tracks, map->count, &map->capacity, sizeof(*map->tracks));
    struct track *track = &map->tracks[map->count++];
    *track = (struct track){ .mappings = mappings };
    set_marks(track);
    map->size += strlen(mappings) + track->capacity * sizeof(*track->marks) + sizeof(*track);
}

static void add_tracks(struct source_map *map, json_t *part, int depth)
{
    size_t index;
    json_t *section;
    json_t *sections = json_object_get(part, "sections");
    /* The largest part of a map is the text of the sources. */
    json_object_del(part, "sourcesContent");
    json_object_del(part, "names");
    if (!sections) {
        add_track(map, part);
    }
    json_array_foreach (sections, index, section) {
        if (depth < MAX_SECTION_DEPTH) {
            add_tracks(map, json_object_get(section, "map"), depth + 1);
        }
    }
}

struct source_map *source_map_parse(const char *text, size_t length, struct br_error *err)
{
    static const char guard[] = ")]}'";
    if (length > strlen(guard) && memcmp(text, guard, strlen(guard)) == 0) {
        const char *line_end = memchr(text, '\n', length);
        size_t skipped = line_end ? (size_t)(line_end - text) : length;
        text += skipped;
        length -= skipped;
    }
    if (json_scan_count(text, length) > MAX_VALUES) {
        error_set(err, BR_LIMIT_EXCEEDED, "source map: it has more than %d values", MAX_VALUES);
        return NULL;
    }
    json_t *root = json_parse(text, length, "source map", err);
    bool is_map = json_is_string(json_object_get(root, "mappings")) ||
                  json_is_array(json_object_get(root, "sections"));
    if (!is_map) {
        if (root) {
            error_set(err, BR_UNKNOWN_ERROR, "source map: it has neither mappings nor sections");
        }
        json_decref(root);
        return NULL;
    }
    struct source_map *map = xcalloc(1, sizeof(*map));
    map->root = root;
    add_tracks(map, root, 0);
    return map;
}

void source_map_destroy(struct source_map *map)
{
    if (map) {
        for (size_t i = 0; i < map->count; i++) {
            free(map->tracks[i].marks);
        }
        free(map->tracks);
        json_decref(map->root);
        free(map);
    }
}

size_t source_map_size(const struct source_map *map)
{
    return map->size;
}

static const struct track *find_track(const struct source_map *map, const char *mappings)
{
    for (size_t i = 0; i < map->count; i++) {
        if (map->tracks[i].mappings == mappings) {
            return &map->tracks[i];
        }
    }
    return NULL;
}

/* The section of an index map that the place is in, which becomes relative to it. */
static const json_t *find_section(const json_t *sections, int64_t *line, int64_t *column)
{
    size_t index;
    json_t *section;
    const json_t *found = NULL;
    int64_t from_line = 0;
    int64_t from_column = 0;
    json_array_foreach (sections, index, section) {
        const json_t *offset = json_object_get(section, "offset");
        int64_t at_line = (int64_t)json_integer_value(json_object_get(offset, "line"));
        int64_t at_column = (int64_t)json_integer_value(json_object_get(offset, "column"));
        if (at_line < *line || (at_line == *line && at_column <= *column)) {
            found = json_object_get(section, "map");
            from_line = at_line;
            from_column = at_column;
        }
    }
    if (from_line < 0 || from_column < 0) {
        return NULL;
    }
    *column -= from_line == *line ? from_column : 0;
    *line -= from_line;
    return found;
}

char *source_map_find(const struct source_map *map, const char *base_url, int line, int column)
{
    const json_t *part = map->root;
    int64_t at_line = line - 1;
    int64_t at_column = column - 1;
    for (int i = 0; i < MAX_SECTION_DEPTH && json_object_get(part, "sections"); i++) {
        part = find_section(json_object_get(part, "sections"), &at_line, &at_column);
    }
    struct cursor found = { 0 };
    const struct track *track = find_track(map, json_member_string(part, "mappings"));
    if (!track || !find_segment(track, at_line, at_column, &found) || found.source < 0 ||
        found.original_line < 0 || found.original_column < 0) {
        return NULL;
    }
    const char *source =
        json_string_value(json_array_get(json_object_get(part, "sources"), (size_t)found.source));
    const char *root = json_member_string(part, "sourceRoot");
    if (!source) {
        return NULL;
    }
    bool needs_slash = root && *root && root[strlen(root) - 1] != '/';
    CLEANUP_FREE char *name = xasprintf("%s%s%s", root ? root : "", needs_slash ? "/" : "", source);
    CLEANUP_FREE char *url = url_parts_resolve(base_url, name);
    return xasprintf("%s:%lld:%lld", url, (long long)found.original_line + 1,
                     (long long)found.original_column + 1);
}

const char *source_map_reference(const char *script, size_t *ret_length)
{
    static const char word[] = "sourceMappingURL=";
    const char *last = NULL;
    for (const char *at = strstr(script, word); at; at = strstr(at + 1, word)) {
        bool is_comment = at - script >= 4 && at[-4] == '/' && (at[-3] == '/' || at[-3] == '*') &&
                          (at[-2] == '#' || at[-2] == '@') && isspace((unsigned char)at[-1]);
        last = is_comment ? at + strlen(word) : last;
    }
    *ret_length = last ? strcspn(last, " \t\r\n'\"*") : 0;
    return *ret_length ? last : NULL;
}

char *source_map_inline(const char *url)
{
    struct br_error ignored;
    CLEANUP_FREE unsigned char *bytes = NULL;
    size_t size = 0;
    const char *data = strchr(url, ',');
    bool is_base64 = data && data - url >= 7 && strncmp(data - 7, ";base64", 7) == 0;
    return is_base64 && base64_decode(data + 1, strlen(data + 1), &bytes, &size, &ignored)
               ? xstrndup((const char *)bytes, size)
               : NULL;
}
