/*
 * The roles of a snapshot: those of WAI-ARIA 1.2, and Chrome's computed roles for HTML elements
 * without an ARIA role, in Chrome's spelling.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_ROLE_H
#define RUNNER_SNAPSHOT_SEMANTICS_ROLE_H

#include <stdbool.h>
#include <stdint.h>

/* Properties of a role, independent of the element. */
enum snapshot_role_flag {
    /* A control: can be clicked, chosen from or typed into. */
    IS_OPERABLE = 1 << 0,
    /* A control that is fully described by its text. */
    IS_PRESSED = 1 << 1,
    /* A part of the page that can be the root of another snapshot: landmarks, dialogs, forms. */
    IS_REGION = 1 << 2,
    IS_TABLE = 1 << 3,
    IS_CELL = 1 << 4,
    /* Part of a table or a list: its content is not repeated as its name. */
    IS_PART = 1 << 5,
    IS_PICTURE = 1 << 6,
    /* A picture, video or audio. */
    IS_MEDIUM = 1 << 7,
    /* Its value is a number in a range. */
    IS_RANGE = 1 << 8,
    /* Accname: name from content. */
    IS_NAMED_BY_CONTENT = 1 << 9,
    /* Not named by its content, although that counts in the names around it. */
    IS_PART_OF_NAMES = 1 << 10,
    /* Its title is not used as a name. */
    HAS_NO_TITLE = 1 << 11,
    /* Accname: embedded in another name, its value counts. */
    SHOWS_VALUE_IN_NAMES = 1 << 12,
    /* Operates or fills a widget: not part of the widget's value. */
    IS_BESIDE_VALUES = 1 << 13,
    /* Except the files of an <input>. */
    HAS_NO_VALUE = 1 << 14,
    IS_CHECKABLE = 1 << 15,
    /* Supports "mixed" in aria-checked or aria-pressed. */
    MAY_BE_MIXED = 1 << 16,
    IS_SELECTABLE = 1 << 17,
    IS_EXPANDABLE = 1 << 18,
    /* Formats or groups text; its children are shown for themselves. */
    IS_STRUCTURAL = 1 << 19,
    /* Never shown itself: its text or children replace it. */
    IS_LAYOUT = 1 << 20,
    /* May be clickable although it is not a control; for others, listeners are ignored. */
    MAY_REACT = 1 << 21,
    /* Not an ARIA role: authors cannot set it. */
    IS_OF_CHROME = 1 << 22,
};

/* One row per role: symbol, name, properties. */
#define SNAPSHOT_ROLES(ROLE)                                                                       \
    ROLE(ALERT, "alert", MAY_REACT)                                                                \
    ROLE(ALERTDIALOG, "alertdialog", IS_REGION)                                                    \
    ROLE(APPLICATION, "application", IS_EXPANDABLE)                                                \
    ROLE(ARTICLE, "article", MAY_REACT)                                                            \
    ROLE(BANNER, "banner", IS_REGION)                                                              \
    ROLE(BLOCKQUOTE, "blockquote", 0)                                                              \
    ROLE(BUTTON, "button",                                                                         \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | IS_BESIDE_VALUES | HAS_NO_VALUE |        \
             MAY_BE_MIXED | IS_EXPANDABLE)                                                         \
    ROLE(CAPTION, "caption", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)          \
    ROLE(CELL, "cell",                                                                             \
         IS_CELL | IS_PART | IS_NAMED_BY_CONTENT | IS_SELECTABLE | IS_EXPANDABLE | MAY_REACT)      \
    ROLE(CHECKBOX, "checkbox",                                                                     \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_CHECKABLE |            \
             MAY_BE_MIXED | IS_EXPANDABLE)                                                         \
    ROLE(CODE, "code", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)                \
    ROLE(COLUMNHEADER, "columnheader",                                                             \
         IS_CELL | IS_PART | IS_NAMED_BY_CONTENT | IS_SELECTABLE | IS_EXPANDABLE | MAY_REACT)      \
    ROLE(COMBOBOX, "combobox",                                                                     \
         IS_OPERABLE | IS_PART_OF_NAMES | SHOWS_VALUE_IN_NAMES | IS_EXPANDABLE)                    \
    ROLE(COMPLEMENTARY, "complementary", IS_REGION)                                                \
    ROLE(CONTENTINFO, "contentinfo", IS_REGION)                                                    \
    ROLE(DEFINITION, "definition", IS_PART | IS_PART_OF_NAMES | HAS_NO_TITLE | MAY_REACT)          \
    ROLE(DELETION, "deletion", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL)                    \
    ROLE(DIALOG, "dialog", IS_REGION | IS_BESIDE_VALUES)                                           \
    ROLE(DOCUMENT, "document", IS_LAYOUT)                                                          \
    ROLE(EMPHASIS, "emphasis", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)        \
    ROLE(FEED, "feed", 0)                                                                          \
    ROLE(FIGURE, "figure", MAY_REACT)                                                              \
    ROLE(FORM, "form", IS_REGION)                                                                  \
    ROLE(GENERIC, "generic", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)          \
    ROLE(GRID, "grid", IS_TABLE | IS_BESIDE_VALUES)                                                \
    ROLE(GRIDCELL, "gridcell",                                                                     \
         IS_CELL | IS_PART | IS_NAMED_BY_CONTENT | IS_SELECTABLE | IS_EXPANDABLE | MAY_REACT)      \
    ROLE(GROUP, "group", 0)                                                                        \
    ROLE(HEADING, "heading", IS_NAMED_BY_CONTENT | MAY_REACT)                                      \
    ROLE(IMAGE, "image", IS_PICTURE | IS_MEDIUM | MAY_REACT)                                       \
    ROLE(INSERTION, "insertion", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL)                  \
    ROLE(LINK, "link", IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | IS_EXPANDABLE)             \
    ROLE(LIST, "list", IS_PART_OF_NAMES)                                                           \
    ROLE(LISTBOX, "listbox",                                                                       \
         IS_OPERABLE | SHOWS_VALUE_IN_NAMES | IS_BESIDE_VALUES | IS_EXPANDABLE)                    \
    ROLE(LISTITEM, "listitem", IS_PART | IS_PART_OF_NAMES | IS_EXPANDABLE | MAY_REACT)             \
    ROLE(LOG, "log", 0)                                                                            \
    ROLE(MAIN, "main", IS_REGION)                                                                  \
    ROLE(MARQUEE, "marquee", 0)                                                                    \
    ROLE(MATH, "math", IS_NAMED_BY_CONTENT)                                                        \
    ROLE(MENU, "menu", IS_BESIDE_VALUES)                                                           \
    ROLE(MENUBAR, "menubar", 0)                                                                    \
    ROLE(MENUITEM, "menuitem",                                                                     \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_EXPANDABLE)            \
    ROLE(MENUITEMCHECKBOX, "menuitemcheckbox",                                                     \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_CHECKABLE |            \
             MAY_BE_MIXED | IS_EXPANDABLE)                                                         \
    ROLE(MENUITEMRADIO, "menuitemradio",                                                           \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_CHECKABLE |            \
             IS_EXPANDABLE)                                                                        \
    ROLE(METER, "meter", IS_RANGE | SHOWS_VALUE_IN_NAMES | MAY_REACT)                              \
    ROLE(NAVIGATION, "navigation", IS_REGION)                                                      \
    ROLE(NONE, "none", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)                \
    ROLE(NOTE, "note", 0)                                                                          \
    ROLE(OPTION, "option",                                                                         \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | MAY_BE_MIXED | IS_SELECTABLE)            \
    ROLE(PARAGRAPH, "paragraph", IS_PART | IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL)        \
    ROLE(PROGRESSBAR, "progressbar", IS_RANGE | SHOWS_VALUE_IN_NAMES | MAY_REACT)                  \
    ROLE(RADIO, "radio",                                                                           \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_CHECKABLE)             \
    ROLE(RADIOGROUP, "radiogroup", 0)                                                              \
    ROLE(REGION, "region", IS_REGION | IS_PART_OF_NAMES)                                           \
    ROLE(ROW, "row", IS_PART | IS_SELECTABLE | IS_EXPANDABLE | MAY_REACT)                          \
    ROLE(ROWGROUP, "rowgroup", IS_STRUCTURAL | IS_LAYOUT)                                          \
    ROLE(ROWHEADER, "rowheader",                                                                   \
         IS_CELL | IS_PART | IS_NAMED_BY_CONTENT | IS_SELECTABLE | IS_EXPANDABLE | MAY_REACT)      \
    ROLE(SCROLLBAR, "scrollbar", IS_OPERABLE | IS_RANGE | SHOWS_VALUE_IN_NAMES)                    \
    ROLE(SEARCH, "search", IS_REGION)                                                              \
    ROLE(SEARCHBOX, "searchbox", IS_OPERABLE | SHOWS_VALUE_IN_NAMES)                               \
    ROLE(SEPARATOR, "separator", IS_RANGE | MAY_REACT)                                             \
    ROLE(SLIDER, "slider", IS_OPERABLE | IS_RANGE | SHOWS_VALUE_IN_NAMES)                          \
    ROLE(SPINBUTTON, "spinbutton", IS_OPERABLE | IS_RANGE | SHOWS_VALUE_IN_NAMES)                  \
    ROLE(STATUS, "status", MAY_REACT)                                                              \
    ROLE(STRONG, "strong", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)            \
    ROLE(SUBSCRIPT, "subscript", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)      \
    ROLE(SUPERSCRIPT, "superscript", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)  \
    ROLE(SWITCH, "switch",                                                                         \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | HAS_NO_VALUE | IS_CHECKABLE |            \
             IS_EXPANDABLE)                                                                        \
    ROLE(TAB, "tab",                                                                               \
         IS_OPERABLE | IS_PRESSED | IS_NAMED_BY_CONTENT | IS_SELECTABLE | IS_EXPANDABLE)           \
    ROLE(TABLE, "table", IS_TABLE)                                                                 \
    ROLE(TABLIST, "tablist", 0)                                                                    \
    ROLE(TABPANEL, "tabpanel", 0)                                                                  \
    ROLE(TERM, "term", IS_PART | IS_NAMED_BY_CONTENT | HAS_NO_TITLE | MAY_REACT)                   \
    ROLE(TEXTBOX, "textbox", IS_OPERABLE | SHOWS_VALUE_IN_NAMES)                                   \
    ROLE(TIME, "time", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)                \
    ROLE(TIMER, "timer", 0)                                                                        \
    ROLE(TOOLBAR, "toolbar", 0)                                                                    \
    ROLE(TOOLTIP, "tooltip", IS_NAMED_BY_CONTENT)                                                  \
    ROLE(TREE, "tree", IS_BESIDE_VALUES)                                                           \
    ROLE(TREEGRID, "treegrid", IS_TABLE)                                                           \
    ROLE(TREEITEM, "treeitem",                                                                     \
         IS_OPERABLE | IS_NAMED_BY_CONTENT | MAY_BE_MIXED | IS_SELECTABLE | IS_EXPANDABLE)         \
    ROLE(COMMENT, "comment", 0)                                                                    \
    ROLE(SUGGESTION, "suggestion", HAS_NO_TITLE)                                                   \
    ROLE(GRAPHICS_DOCUMENT, "graphics-document", 0)                                                \
    ROLE(GRAPHICS_OBJECT, "graphics-object", IS_NAMED_BY_CONTENT)                                  \
    ROLE(GRAPHICS_SYMBOL, "graphics-symbol", 0)                                                    \
    ROLE(DOC_ABSTRACT, "doc-abstract", 0)                                                          \
    ROLE(DOC_ACKNOWLEDGMENTS, "doc-acknowledgments", 0)                                            \
    ROLE(DOC_AFTERWORD, "doc-afterword", 0)                                                        \
    ROLE(DOC_APPENDIX, "doc-appendix", 0)                                                          \
    ROLE(DOC_BACKLINK, "doc-backlink", IS_OPERABLE | IS_NAMED_BY_CONTENT)                          \
    ROLE(DOC_BIBLIOENTRY, "doc-biblioentry", 0)                                                    \
    ROLE(DOC_BIBLIOGRAPHY, "doc-bibliography", 0)                                                  \
    ROLE(DOC_BIBLIOREF, "doc-biblioref", IS_OPERABLE | IS_NAMED_BY_CONTENT)                        \
    ROLE(DOC_CHAPTER, "doc-chapter", 0)                                                            \
    ROLE(DOC_COLOPHON, "doc-colophon", 0)                                                          \
    ROLE(DOC_CONCLUSION, "doc-conclusion", 0)                                                      \
    ROLE(DOC_COVER, "doc-cover", 0)                                                                \
    ROLE(DOC_CREDIT, "doc-credit", 0)                                                              \
    ROLE(DOC_CREDITS, "doc-credits", 0)                                                            \
    ROLE(DOC_DEDICATION, "doc-dedication", 0)                                                      \
    ROLE(DOC_ENDNOTE, "doc-endnote", 0)                                                            \
    ROLE(DOC_ENDNOTES, "doc-endnotes", 0)                                                          \
    ROLE(DOC_EPIGRAPH, "doc-epigraph", 0)                                                          \
    ROLE(DOC_EPILOGUE, "doc-epilogue", 0)                                                          \
    ROLE(DOC_ERRATA, "doc-errata", 0)                                                              \
    ROLE(DOC_EXAMPLE, "doc-example", 0)                                                            \
    ROLE(DOC_FOOTNOTE, "doc-footnote", 0)                                                          \
    ROLE(DOC_FOREWORD, "doc-foreword", 0)                                                          \
    ROLE(DOC_GLOSSARY, "doc-glossary", 0)                                                          \
    ROLE(DOC_GLOSSREF, "doc-glossref", IS_OPERABLE | IS_NAMED_BY_CONTENT)                          \
    ROLE(DOC_INDEX, "doc-index", 0)                                                                \
    ROLE(DOC_INTRODUCTION, "doc-introduction", 0)                                                  \
    ROLE(DOC_NOTEREF, "doc-noteref", IS_OPERABLE | IS_NAMED_BY_CONTENT)                            \
    ROLE(DOC_NOTICE, "doc-notice", 0)                                                              \
    ROLE(DOC_PAGEBREAK, "doc-pagebreak", 0)                                                        \
    ROLE(DOC_PAGEFOOTER, "doc-pagefooter", 0)                                                      \
    ROLE(DOC_PAGEHEADER, "doc-pageheader", 0)                                                      \
    ROLE(DOC_PAGELIST, "doc-pagelist", 0)                                                          \
    ROLE(DOC_PART, "doc-part", 0)                                                                  \
    ROLE(DOC_PREFACE, "doc-preface", 0)                                                            \
    ROLE(DOC_PROLOGUE, "doc-prologue", 0)                                                          \
    ROLE(DOC_PULLQUOTE, "doc-pullquote", 0)                                                        \
    ROLE(DOC_QNA, "doc-qna", 0)                                                                    \
    ROLE(DOC_SUBTITLE, "doc-subtitle", IS_NAMED_BY_CONTENT)                                        \
    ROLE(DOC_TIP, "doc-tip", 0)                                                                    \
    ROLE(DOC_TOC, "doc-toc", 0)                                                                    \
    /* Chrome's own roles, for HTML elements and attributes without an ARIA role. */               \
    ROLE(ABBR, "Abbr", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)                \
    ROLE(AUDIO, "Audio", IS_MEDIUM | IS_OF_CHROME)                                                 \
    ROLE(CANVAS, "Canvas", IS_PICTURE | IS_MEDIUM | IS_PART_OF_NAMES | MAY_REACT | IS_OF_CHROME)   \
    ROLE(COLOR_WELL, "ColorWell", IS_OPERABLE | IS_OF_CHROME)                                      \
    ROLE(DATE, "Date", IS_OPERABLE | IS_OF_CHROME)                                                 \
    ROLE(DATE_TIME, "DateTime", IS_OPERABLE | IS_OF_CHROME)                                        \
    ROLE(DESCRIPTION_LIST, "DescriptionList", IS_PART_OF_NAMES | IS_OF_CHROME)                     \
    ROLE(DETAILS, "Details", IS_OF_CHROME)                                                         \
    ROLE(DISCLOSURE_TRIANGLE, "DisclosureTriangle",                                                \
         IS_OPERABLE | IS_NAMED_BY_CONTENT | IS_EXPANDABLE | IS_OF_CHROME)                         \
    ROLE(DISCLOSURE_TRIANGLE_GROUPED, "DisclosureTriangleGrouped",                                 \
         IS_OPERABLE | IS_NAMED_BY_CONTENT | IS_EXPANDABLE | IS_OF_CHROME)                         \
    ROLE(EMBEDDED_OBJECT, "EmbeddedObject", IS_OF_CHROME)                                          \
    ROLE(FIGCAPTION, "Figcaption", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)    \
    ROLE(IFRAME, "Iframe", IS_OF_CHROME)                                                           \
    ROLE(IFRAME_PRESENTATIONAL, "IframePresentational", IS_OF_CHROME)                              \
    ROLE(INPUT_TIME, "InputTime", IS_OPERABLE | IS_OF_CHROME)                                      \
    ROLE(LABEL_TEXT, "LabelText", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)     \
    ROLE(LAYOUT_TABLE, "LayoutTable", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME) \
    ROLE(LAYOUT_TABLE_CELL, "LayoutTableCell", IS_NAMED_BY_CONTENT | IS_STRUCTURAL | IS_OF_CHROME) \
    ROLE(LAYOUT_TABLE_ROW, "LayoutTableRow", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_OF_CHROME)      \
    ROLE(LEGEND, "Legend", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)            \
    ROLE(LINE_BREAK, "LineBreak", IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)                        \
    ROLE(MARK, "mark", IS_PART_OF_NAMES | HAS_NO_TITLE | IS_STRUCTURAL | IS_LAYOUT)                \
    ROLE(MATHML_MATH, "MathMLMath", IS_OF_CHROME)                                                  \
    ROLE(MENU_LIST_POPUP, "MenuListPopup", IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)               \
    ROLE(PLUGIN_OBJECT, "PluginObject", IS_OF_CHROME)                                              \
    ROLE(PRE, "Pre", IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)                                     \
    ROLE(ROOT_WEB_AREA, "RootWebArea", IS_LAYOUT | IS_OF_CHROME)                                   \
    ROLE(RUBY, "Ruby", IS_PART_OF_NAMES | IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)                \
    ROLE(RUBY_ANNOTATION, "RubyAnnotation", IS_STRUCTURAL | IS_LAYOUT | IS_OF_CHROME)              \
    ROLE(SECTION_FOOTER, "sectionfooter", IS_PART_OF_NAMES | IS_LAYOUT)                            \
    ROLE(SECTION_HEADER, "sectionheader", IS_PART_OF_NAMES | IS_LAYOUT)                            \
    ROLE(SUMMARY, "Summary", IS_OF_CHROME)                                                         \
    ROLE(SVG_ROOT, "SvgRoot",                                                                      \
         IS_PICTURE | IS_MEDIUM | IS_PART_OF_NAMES | IS_STRUCTURAL | MAY_REACT | IS_OF_CHROME)     \
    ROLE(VIDEO, "Video", IS_MEDIUM | IS_OF_CHROME)

enum snapshot_role {
    ROLE_UNKNOWN, /* no role: text, nodes that are not in the accessibility tree */
#define SNAPSHOT_ROLE_ENUM(symbol, name, flags) ROLE_##symbol,
    SNAPSHOT_ROLES(SNAPSHOT_ROLE_ENUM)
#undef SNAPSHOT_ROLE_ENUM
};

/* Returns the role's name; "" for ROLE_UNKNOWN. Static. */
const char *snapshot_role_name(enum snapshot_role role);

/*
 * Finds a role by name, ignoring case; ROLE_UNKNOWN if there is none. Knows the synonyms "img" and
 * "presentation".
 */
enum snapshot_role snapshot_role_from_name(const char *name);

/* The properties of each role. */
extern const uint32_t snapshot_role_flags[];

/* Returns whether the role has one of the flags. */
static inline bool snapshot_role_is(enum snapshot_role role, uint32_t flags)
{
    return (snapshot_role_flags[role] & flags) != 0;
}

#endif
