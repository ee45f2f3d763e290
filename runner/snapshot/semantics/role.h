/*
 * The roles of a snapshot: those of WAI-ARIA 1.2, and the computed roles without an ARIA name that
 * Chrome's accessibility tree has for elements of HTML, in its spelling.
 */
#ifndef RUNNER_SNAPSHOT_SEMANTICS_ROLE_H
#define RUNNER_SNAPSHOT_SEMANTICS_ROLE_H

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
    ROLE(COMMENT, "comment")                                                                       \
    ROLE(SUGGESTION, "suggestion")                                                                 \
    ROLE(GRAPHICS_DOCUMENT, "graphics-document")                                                   \
    ROLE(GRAPHICS_OBJECT, "graphics-object")                                                       \
    ROLE(GRAPHICS_SYMBOL, "graphics-symbol")                                                       \
    ROLE(DOC_ABSTRACT, "doc-abstract")                                                             \
    ROLE(DOC_ACKNOWLEDGMENTS, "doc-acknowledgments")                                               \
    ROLE(DOC_AFTERWORD, "doc-afterword")                                                           \
    ROLE(DOC_APPENDIX, "doc-appendix")                                                             \
    ROLE(DOC_BACKLINK, "doc-backlink")                                                             \
    ROLE(DOC_BIBLIOENTRY, "doc-biblioentry")                                                       \
    ROLE(DOC_BIBLIOGRAPHY, "doc-bibliography")                                                     \
    ROLE(DOC_BIBLIOREF, "doc-biblioref")                                                           \
    ROLE(DOC_CHAPTER, "doc-chapter")                                                               \
    ROLE(DOC_COLOPHON, "doc-colophon")                                                             \
    ROLE(DOC_CONCLUSION, "doc-conclusion")                                                         \
    ROLE(DOC_COVER, "doc-cover")                                                                   \
    ROLE(DOC_CREDIT, "doc-credit")                                                                 \
    ROLE(DOC_CREDITS, "doc-credits")                                                               \
    ROLE(DOC_DEDICATION, "doc-dedication")                                                         \
    ROLE(DOC_ENDNOTE, "doc-endnote")                                                               \
    ROLE(DOC_ENDNOTES, "doc-endnotes")                                                             \
    ROLE(DOC_EPIGRAPH, "doc-epigraph")                                                             \
    ROLE(DOC_EPILOGUE, "doc-epilogue")                                                             \
    ROLE(DOC_ERRATA, "doc-errata")                                                                 \
    ROLE(DOC_EXAMPLE, "doc-example")                                                               \
    ROLE(DOC_FOOTNOTE, "doc-footnote")                                                             \
    ROLE(DOC_FOREWORD, "doc-foreword")                                                             \
    ROLE(DOC_GLOSSARY, "doc-glossary")                                                             \
    ROLE(DOC_GLOSSREF, "doc-glossref")                                                             \
    ROLE(DOC_INDEX, "doc-index")                                                                   \
    ROLE(DOC_INTRODUCTION, "doc-introduction")                                                     \
    ROLE(DOC_NOTEREF, "doc-noteref")                                                               \
    ROLE(DOC_NOTICE, "doc-notice")                                                                 \
    ROLE(DOC_PAGEBREAK, "doc-pagebreak")                                                           \
    ROLE(DOC_PAGEFOOTER, "doc-pagefooter")                                                         \
    ROLE(DOC_PAGEHEADER, "doc-pageheader")                                                         \
    ROLE(DOC_PAGELIST, "doc-pagelist")                                                             \
    ROLE(DOC_PART, "doc-part")                                                                     \
    ROLE(DOC_PREFACE, "doc-preface")                                                               \
    ROLE(DOC_PROLOGUE, "doc-prologue")                                                             \
    ROLE(DOC_PULLQUOTE, "doc-pullquote")                                                           \
    ROLE(DOC_QNA, "doc-qna")                                                                       \
    ROLE(DOC_SUBTITLE, "doc-subtitle")                                                             \
    ROLE(DOC_TIP, "doc-tip")                                                                       \
    ROLE(DOC_TOC, "doc-toc")                                                                       \
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
    ROLE(DISCLOSURE_TRIANGLE_GROUPED, "DisclosureTriangleGrouped")                                 \
    ROLE(EMBEDDED_OBJECT, "EmbeddedObject")                                                        \
    ROLE(FIGCAPTION, "Figcaption")                                                                 \
    ROLE(IFRAME, "Iframe")                                                                         \
    ROLE(IFRAME_PRESENTATIONAL, "IframePresentational")                                            \
    ROLE(INPUT_TIME, "InputTime")                                                                  \
    ROLE(LABEL_TEXT, "LabelText")                                                                  \
    ROLE(LAYOUT_TABLE, "LayoutTable")                                                              \
    ROLE(LAYOUT_TABLE_CELL, "LayoutTableCell")                                                     \
    ROLE(LAYOUT_TABLE_ROW, "LayoutTableRow")                                                       \
    ROLE(LEGEND, "Legend")                                                                         \
    ROLE(LINE_BREAK, "LineBreak")                                                                  \
    ROLE(MARK, "mark")                                                                             \
    ROLE(MATHML_MATH, "MathMLMath")                                                                \
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
