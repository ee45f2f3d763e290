#include "runner/snapshot/semantics/role.h"

#include <ctype.h>
#include <stddef.h>
#include <strings.h>

static const char *const names[] = { "",
#define ROLE_NAME(symbol, name) name,
                                     SNAPSHOT_ROLES(ROLE_NAME)
#undef ROLE_NAME
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

bool snapshot_role_is_operable(enum snapshot_role role)
{
    switch (role) {
    case ROLE_BUTTON:
    case ROLE_CHECKBOX:
    case ROLE_COLOR_WELL:
    case ROLE_COMBOBOX:
    case ROLE_DATE:
    case ROLE_DATE_TIME:
    case ROLE_DISCLOSURE_TRIANGLE:
    case ROLE_DISCLOSURE_TRIANGLE_GROUPED:
    case ROLE_DOC_BACKLINK:
    case ROLE_DOC_BIBLIOREF:
    case ROLE_DOC_GLOSSREF:
    case ROLE_DOC_NOTEREF:
    case ROLE_INPUT_TIME:
    case ROLE_LINK:
    case ROLE_LISTBOX:
    case ROLE_MENUITEM:
    case ROLE_MENUITEMCHECKBOX:
    case ROLE_MENUITEMRADIO:
    case ROLE_OPTION:
    case ROLE_RADIO:
    case ROLE_SCROLLBAR:
    case ROLE_SEARCHBOX:
    case ROLE_SLIDER:
    case ROLE_SPINBUTTON:
    case ROLE_SWITCH:
    case ROLE_TAB:
    case ROLE_TEXTBOX:
    case ROLE_TREEITEM:
        return true;
    default:
        return false;
    }
}

bool snapshot_role_is_region(enum snapshot_role role)
{
    switch (role) {
    case ROLE_ALERTDIALOG:
    case ROLE_BANNER:
    case ROLE_COMPLEMENTARY:
    case ROLE_CONTENTINFO:
    case ROLE_DIALOG:
    case ROLE_FORM:
    case ROLE_MAIN:
    case ROLE_NAVIGATION:
    case ROLE_REGION:
    case ROLE_SEARCH:
        return true;
    default:
        return false;
    }
}
