/*
 * The roles of a snapshot: those of WAI-ARIA 1.2, and the computed roles without an ARIA name that
 * Chrome's accessibility tree has for elements of HTML, in its spelling.
 */
#ifndef RUNNER_SNAPSHOT_ROLE_H
#define RUNNER_SNAPSHOT_ROLE_H

#include <stdbool.h>

#define SNAPSHOT_ROLES(ROLE)                                                                       \
    ROLE(ALERT, "alert")                                                                           \
    ROLE(ALERTDIALOG, "alertdialog")                                                               \
    ROLE(APPLICATION, "application")                                                               \
    ROLE(ARTICLE, "article")                                                                       \
    ROLE(BANNER, "banner")                                                                         \
    ROLE(BLOCKQUOTE, "blockquote")                                                                 \
    ROLE(BUTTON, "button")                                                                         \
    ROLE(CAPTION, "caption")                                                                       \
    ROLE(CELL, "cell")                                                                             \
    ROLE(CHECKBOX, "checkbox")                                                                     \
    ROLE(CODE, "code")                                                                             \
    ROLE(COLUMNHEADER, "columnheader")                                                             \
    ROLE(COMBOBOX, "combobox")                                                                     \
    ROLE(COMPLEMENTARY, "complementary")                                                           \
    ROLE(CONTENTINFO, "contentinfo")                                                               \
    ROLE(DEFINITION, "definition")                                                                 \
    ROLE(DELETION, "deletion")                                                                     \
    ROLE(DIALOG, "dialog")                                                                         \
    ROLE(DOCUMENT, "document")                                                                     \
    ROLE(EMPHASIS, "emphasis")                                                                     \
    ROLE(FEED, "feed")                                                                             \
    ROLE(FIGURE, "figure")                                                                         \
    ROLE(FORM, "form")                                                                             \
    ROLE(GENERIC, "generic")                                                                       \
    ROLE(GRID, "grid")                                                                             \
    ROLE(GRIDCELL, "gridcell")                                                                     \
    ROLE(GROUP, "group")                                                                           \
    ROLE(HEADING, "heading")                                                                       \
    ROLE(IMAGE, "image")                                                                           \
    ROLE(INSERTION, "insertion")                                                                   \
    ROLE(LINK, "link")                                                                             \
    ROLE(LIST, "list")                                                                             \
    ROLE(LISTBOX, "listbox")                                                                       \
    ROLE(LISTITEM, "listitem")                                                                     \
    ROLE(LOG, "log")                                                                               \
    ROLE(MAIN, "main")                                                                             \
    ROLE(MARQUEE, "marquee")                                                                       \
    ROLE(MATH, "math")                                                                             \
    ROLE(MENU, "menu")                                                                             \
    ROLE(MENUBAR, "menubar")                                                                       \
    ROLE(MENUITEM, "menuitem")                                                                     \
    ROLE(MENUITEMCHECKBOX, "menuitemcheckbox")                                                     \
    ROLE(MENUITEMRADIO, "menuitemradio")                                                           \
    ROLE(METER, "meter")                                                                           \
    ROLE(NAVIGATION, "navigation")                                                                 \
    ROLE(NONE, "none")                                                                             \
    ROLE(NOTE, "note")                                                                             \
    ROLE(OPTION, "option")                                                                         \
    ROLE(PARAGRAPH, "paragraph")                                                                   \
    ROLE(PROGRESSBAR, "progressbar")                                                               \
    ROLE(RADIO, "radio")                                                                           \
    ROLE(RADIOGROUP, "radiogroup")                                                                 \
    ROLE(REGION, "region")                                                                         \
    ROLE(ROW, "row")                                                                               \
    ROLE(ROWGROUP, "rowgroup")                                                                     \
    ROLE(ROWHEADER, "rowheader")                                                                   \
    ROLE(SCROLLBAR, "scrollbar")                                                                   \
    ROLE(SEARCH, "search")                                                                         \
    ROLE(SEARCHBOX, "searchbox")                                                                   \
    ROLE(SEPARATOR, "separator")                                                                   \
    ROLE(SLIDER, "slider")                                                                         \
    ROLE(SPINBUTTON, "spinbutton")                                                                 \
    ROLE(STATUS, "status")                                                                         \
    ROLE(STRONG, "strong")                                                                         \
    ROLE(SUBSCRIPT, "subscript")                                                                   \
    ROLE(SUPERSCRIPT, "superscript")                                                               \
    ROLE(SWITCH, "switch")                                                                         \
    ROLE(TAB, "tab")                                                                               \
    ROLE(TABLE, "table")                                                                           \
    ROLE(TABLIST, "tablist")                                                                       \
    ROLE(TABPANEL, "tabpanel")                                                                     \
    ROLE(TERM, "term")                                                                             \
    ROLE(TEXTBOX, "textbox")                                                                       \
    ROLE(TIME, "time")                                                                             \
    ROLE(TIMER, "timer")                                                                           \
    ROLE(TOOLBAR, "toolbar")                                                                       \
    ROLE(TOOLTIP, "tooltip")                                                                       \
    ROLE(TREE, "tree")                                                                             \
    ROLE(TREEGRID, "treegrid")                                                                     \
    ROLE(TREEITEM, "treeitem")                                                                     \
    /* Chrome's own, of elements and attributes of HTML that have no ARIA role. */                 \
    ROLE(ABBR, "Abbr")                                                                             \
    ROLE(AUDIO, "Audio")                                                                           \
    ROLE(CANVAS, "Canvas")                                                                         \
    ROLE(COLOR_WELL, "ColorWell")                                                                  \
    ROLE(DATE, "Date")                                                                             \
    ROLE(DATE_TIME, "DateTime")                                                                    \
    ROLE(DESCRIPTION_LIST, "DescriptionList")                                                      \
    ROLE(DETAILS, "Details")                                                                       \
    ROLE(DISCLOSURE_TRIANGLE, "DisclosureTriangle")                                                \
    ROLE(EMBEDDED_OBJECT, "EmbeddedObject")                                                        \
    ROLE(FIGCAPTION, "Figcaption")                                                                 \
    ROLE(IFRAME, "Iframe")                                                                         \
    ROLE(INPUT_TIME, "InputTime")                                                                  \
    ROLE(LABEL_TEXT, "LabelText")                                                                  \
    ROLE(LAYOUT_TABLE, "LayoutTable")                                                              \
    ROLE(LEGEND, "Legend")                                                                         \
    ROLE(LINE_BREAK, "LineBreak")                                                                  \
    ROLE(MARK, "mark")                                                                             \
    ROLE(MENU_LIST_POPUP, "MenuListPopup")                                                         \
    ROLE(PLUGIN_OBJECT, "PluginObject")                                                            \
    ROLE(PRE, "Pre")                                                                               \
    ROLE(ROOT_WEB_AREA, "RootWebArea")                                                             \
    ROLE(RUBY, "Ruby")                                                                             \
    ROLE(RUBY_ANNOTATION, "RubyAnnotation")                                                        \
    ROLE(SECTION_FOOTER, "sectionfooter")                                                          \
    ROLE(SECTION_HEADER, "sectionheader")                                                          \
    ROLE(SUMMARY, "Summary")                                                                       \
    ROLE(SVG_ROOT, "SvgRoot")                                                                      \
    ROLE(VIDEO, "Video")

enum snapshot_role {
    ROLE_UNKNOWN, /* none at all: text, what is not in the accessibility tree */
#define SNAPSHOT_ROLE_ENUM(symbol, name) ROLE_##symbol,
    SNAPSHOT_ROLES(SNAPSHOT_ROLE_ENUM)
#undef SNAPSHOT_ROLE_ENUM
};

/* As it is written; "" for ROLE_UNKNOWN. Static. */
const char *snapshot_role_name(enum snapshot_role role);

/* Of a name, in any case; ROLE_UNKNOWN for others. Synonyms ("img", "presentation") are known. */
enum snapshot_role snapshot_role_from_name(const char *name);

/* A control: something a person clicks, chooses from or types into. */
bool snapshot_role_is_operable(enum snapshot_role role);

/* A part of the page that may serve as the root of another snapshot: landmarks, dialogs, forms. */
bool snapshot_role_is_region(enum snapshot_role role);

#endif
