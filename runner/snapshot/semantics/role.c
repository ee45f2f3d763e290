#include "runner/snapshot/semantics/role.h"

#include <ctype.h>
#include <stddef.h>
#include <strings.h>

static const char *const names[] = { "",
#define ROLE_NAME(symbol, name, flags) name,
                                     SNAPSHOT_ROLES(ROLE_NAME)
#undef ROLE_NAME
};

const uint32_t snapshot_role_flags[] = {
    HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT, /* for ROLE_UNKNOWN */
#define ROLE_FLAGS(symbol, name, flags) flags,
    SNAPSHOT_ROLES(ROLE_FLAGS)
#undef ROLE_FLAGS
};

enum { ROLE_COUNT = sizeof(names) / sizeof(names[0]) };

static const struct {
    const char *name;
    enum snapshot_role role;
} synonyms[] = {
    { "img", ROLE_IMAGE },
    { "presentation", ROLE_NONE },
    { "directory", ROLE_LIST },
};

const char *snapshot_role_name(enum snapshot_role role)
{
    return names[role];
}

enum snapshot_role snapshot_role_from_name(const char *name)
{
    for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++) {
        if (strcasecmp(name, synonyms[i].name) == 0) {
            return synonyms[i].role;
        }
    }
    for (int i = 1; i < ROLE_COUNT; i++) {
        if (tolower((unsigned char)name[0]) == tolower((unsigned char)names[i][0]) &&
            strcasecmp(name, names[i]) == 0) {
            return (enum snapshot_role)i;
        }
    }
    return ROLE_UNKNOWN;
}
