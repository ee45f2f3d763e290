#include "runner/snapshot/outline/kind.h"

/* Text goes on as if they were not there. */
static bool is_text_level(enum snapshot_role role)
{
    switch (role) {
    case ROLE_ABBR:
    case ROLE_CODE:
    case ROLE_EMPHASIS:
    case ROLE_LABEL_TEXT:
    case ROLE_LINE_BREAK:
    case ROLE_MARK:
    case ROLE_RUBY:
    case ROLE_RUBY_ANNOTATION:
    case ROLE_STRONG:
    case ROLE_SUBSCRIPT:
    case ROLE_SUPERSCRIPT:
    case ROLE_TIME:
        return true;
    default:
        return false;
    }
}

bool outline_is_leaf(enum snapshot_tag tag)
{
    switch (tag) {
    case TAG_AUDIO:
    case TAG_CANVAS:
    case TAG_IMG:
    case TAG_INPUT:
    case TAG_METER:
    case TAG_OPTION:
    case TAG_PROGRESS:
    case TAG_TEXTAREA:
    case TAG_VIDEO:
        return true;
    default:
        return false;
    }
}

bool outline_is_layout(enum snapshot_role role)
{
    switch (role) {
    case ROLE_CAPTION:
    case ROLE_DOCUMENT:
    case ROLE_FIGCAPTION:
    case ROLE_GENERIC:
    case ROLE_LAYOUT_TABLE:
    case ROLE_LEGEND:
    case ROLE_MENU_LIST_POPUP:
    case ROLE_NONE:
    case ROLE_PRE:
    case ROLE_ROOT_WEB_AREA:
    case ROLE_ROWGROUP:
    case ROLE_SECTION_FOOTER:
    case ROLE_SECTION_HEADER:
    case ROLE_UNKNOWN:
        return true;
    default:
        return is_text_level(role);
    }
}

bool outline_may_react(enum snapshot_role role)
{
    switch (role) {
    case ROLE_ALERT:
    case ROLE_ARTICLE:
    case ROLE_CANVAS:
    case ROLE_CELL:
    case ROLE_COLUMNHEADER:
    case ROLE_DEFINITION:
    case ROLE_FIGURE:
    case ROLE_GRIDCELL:
    case ROLE_HEADING:
    case ROLE_IMAGE:
    case ROLE_LISTITEM:
    case ROLE_METER:
    case ROLE_PROGRESSBAR:
    case ROLE_ROW:
    case ROLE_ROWHEADER:
    case ROLE_SEPARATOR:
    case ROLE_STATUS:
    case ROLE_SVG_ROOT:
    case ROLE_TERM:
        return true;
    default:
        return false;
    }
}

bool outline_is_picture(enum snapshot_role role)
{
    return role == ROLE_IMAGE || role == ROLE_SVG_ROOT || role == ROLE_CANVAS;
}

bool outline_is_part(enum snapshot_role role)
{
    switch (role) {
    case ROLE_CELL:
    case ROLE_COLUMNHEADER:
    case ROLE_DEFINITION:
    case ROLE_GRIDCELL:
    case ROLE_LISTITEM:
    case ROLE_PARAGRAPH:
    case ROLE_ROW:
    case ROLE_ROWHEADER:
    case ROLE_TERM:
        return true;
    default:
        return false;
    }
}

bool outline_is_container(enum snapshot_role role)
{
    switch (role) {
    case ROLE_CELL:
    case ROLE_COLUMNHEADER:
    case ROLE_GRIDCELL:
    case ROLE_ROWHEADER:
        return false; /* its place counts */
    default:
        return outline_is_part(role) || !snapshot_role_is_operable(role);
    }
}
