#include "runner/base/names.h"

#include "runner/base/strbuf.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_NAME = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment distance; both names are at most LONGEST_NAME long. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST_NAME + 1];
    for (size_t j = 0; j <= b_length; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *above_that = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t change = above[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
            row[j] = smaller(change, smaller(above[j], row[j - 1]) + 1);
            bool is_swap = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
            if (is_swap) {
                row[j] = smaller(row[j], above_that[j - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

const char *names_nearest(const char *name, const char *const *known, size_t count)
{
    size_t length = strlen(name);
    const char *nearest = NULL;
    size_t best = LONGEST_NAME;
    for (size_t i = 0; i < count && length <= LONGEST_NAME; i++) {
        size_t known_length = strlen(known[i]);
        if (known_length > LONGEST_NAME) {
            continue;
        }
        size_t distance = edit_distance(name, length, known[i], known_length);
        size_t allowed = known_length < 3 ? 1 : (known_length + 1) / 3;
        if (distance < best && distance <= allowed) {
            best = distance;
            nearest = known[i];
        }
    }
    return nearest;
}

bool names_hint(const char *name, const char *const *known, size_t count, struct br_error *err)
{
    const char *nearest = names_nearest(name, known, count);
    if (nearest) {
        return error_hint(err, "did you mean \"%s\"?", nearest);
    }
    CLEANUP_STRBUF struct strbuf list = STRBUF_INIT(STRBUF_UNCAPPED);
    for (size_t i = 0; i < count; i++) {
        strbuf_add_format(&list, "%s%s", i > 0 ? ", " : "", known[i]);
    }
    return error_hint(err, "known are: %s", list.data);
}
