/* The elements that the program knows by tag. */
#ifndef RUNNER_SNAPSHOT_DOM_TAG_H
#define RUNNER_SNAPSHOT_DOM_TAG_H

#include <stdbool.h>

/* Sorted by name; tag.c relies on it. */
#define SNAPSHOT_TAGS(TAG)                                                                         \
    TAG(A, "a")                                                                                    \
    TAG(ABBR, "abbr")                                                                              \
    TAG(ADDRESS, "address")                                                                        \
    TAG(AREA, "area")                                                                              \
    TAG(ARTICLE, "article")                                                                        \
    TAG(ASIDE, "aside")                                                                            \
    TAG(AUDIO, "audio")                                                                            \
    TAG(B, "b")                                                                                    \
    TAG(BASE, "base")                                                                              \
    TAG(BDI, "bdi")                                                                                \
    TAG(BDO, "bdo")                                                                                \
    TAG(BLOCKQUOTE, "blockquote")                                                                  \
    TAG(BODY, "body")                                                                              \
    TAG(BR, "br")                                                                                  \
    TAG(BUTTON, "button")                                                                          \
    TAG(CANVAS, "canvas")                                                                          \
    TAG(CAPTION, "caption")                                                                        \
    TAG(CIRCLE, "circle")                                                                          \
    TAG(CITE, "cite")                                                                              \
    TAG(CODE, "code")                                                                              \
    TAG(COL, "col")                                                                                \
    TAG(COLGROUP, "colgroup")                                                                      \
    TAG(DATA, "data")                                                                              \
    TAG(DATALIST, "datalist")                                                                      \
    TAG(DD, "dd")                                                                                  \
    TAG(DEL, "del")                                                                                \
    TAG(DESC, "desc")                                                                              \
    TAG(DETAILS, "details")                                                                        \
    TAG(DFN, "dfn")                                                                                \
    TAG(DIALOG, "dialog")                                                                          \
    TAG(DIR, "dir")                                                                                \
    TAG(DIV, "div")                                                                                \
    TAG(DL, "dl")                                                                                  \
    TAG(DT, "dt")                                                                                  \
    TAG(ELLIPSE, "ellipse")                                                                        \
    TAG(EM, "em")                                                                                  \
    TAG(EMBED, "embed")                                                                            \
    TAG(FIELDSET, "fieldset")                                                                      \
    TAG(FIGCAPTION, "figcaption")                                                                  \
    TAG(FIGURE, "figure")                                                                          \
    TAG(FOOTER, "footer")                                                                          \
    TAG(FOREIGNOBJECT, "foreignobject")                                                            \
    TAG(FORM, "form")                                                                              \
    TAG(FRAME, "frame")                                                                            \
    TAG(FRAMESET, "frameset")                                                                      \
    TAG(G, "g")                                                                                    \
    TAG(H1, "h1")                                                                                  \
    TAG(H2, "h2")                                                                                  \
    TAG(H3, "h3")                                                                                  \
    TAG(H4, "h4")                                                                                  \
    TAG(H5, "h5")                                                                                  \
    TAG(H6, "h6")                                                                                  \
    TAG(HEAD, "head")                                                                              \
    TAG(HEADER, "header")                                                                          \
    TAG(HGROUP, "hgroup")                                                                          \
    TAG(HR, "hr")                                                                                  \
    TAG(HTML, "html")                                                                              \
    TAG(I, "i")                                                                                    \
    TAG(IFRAME, "iframe")                                                                          \
    TAG(IMAGE, "image")                                                                            \
    TAG(IMG, "img")                                                                                \
    TAG(INPUT, "input")                                                                            \
    TAG(INS, "ins")                                                                                \
    TAG(KBD, "kbd")                                                                                \
    TAG(LABEL, "label")                                                                            \
    TAG(LEGEND, "legend")                                                                          \
    TAG(LI, "li")                                                                                  \
    TAG(LINE, "line")                                                                              \
    TAG(LINK, "link")                                                                              \
    TAG(MAIN, "main")                                                                              \
    TAG(MAP, "map")                                                                                \
    TAG(MARK, "mark")                                                                              \
    TAG(MARQUEE, "marquee")                                                                        \
    TAG(MATH, "math")                                                                              \
    TAG(MENU, "menu")                                                                              \
    TAG(META, "meta")                                                                              \
    TAG(METER, "meter")                                                                            \
    TAG(NAV, "nav")                                                                                \
    TAG(NOEMBED, "noembed")                                                                        \
    TAG(NOFRAMES, "noframes")                                                                      \
    TAG(NOSCRIPT, "noscript")                                                                      \
    TAG(OBJECT, "object")                                                                          \
    TAG(OL, "ol")                                                                                  \
    TAG(OPTGROUP, "optgroup")                                                                      \
    TAG(OPTION, "option")                                                                          \
    TAG(OUTPUT, "output")                                                                          \
    TAG(P, "p")                                                                                    \
    TAG(PATH, "path")                                                                              \
    TAG(PICTURE, "picture")                                                                        \
    TAG(POLYGON, "polygon")                                                                        \
    TAG(POLYLINE, "polyline")                                                                      \
    TAG(PRE, "pre")                                                                                \
    TAG(PROGRESS, "progress")                                                                      \
    TAG(Q, "q")                                                                                    \
    TAG(RECT, "rect")                                                                              \
    TAG(RP, "rp")                                                                                  \
    TAG(RT, "rt")                                                                                  \
    TAG(RUBY, "ruby")                                                                              \
    TAG(S, "s")                                                                                    \
    TAG(SAMP, "samp")                                                                              \
    TAG(SCRIPT, "script")                                                                          \
    TAG(SEARCH, "search")                                                                          \
    TAG(SECTION, "section")                                                                        \
    TAG(SELECT, "select")                                                                          \
    TAG(SLOT, "slot")                                                                              \
    TAG(SMALL, "small")                                                                            \
    TAG(SOURCE, "source")                                                                          \
    TAG(SPAN, "span")                                                                              \
    TAG(STRONG, "strong")                                                                          \
    TAG(STYLE, "style")                                                                            \
    TAG(SUB, "sub")                                                                                \
    TAG(SUMMARY, "summary")                                                                        \
    TAG(SUP, "sup")                                                                                \
    TAG(SVG, "svg")                                                                                \
    TAG(SYMBOL, "symbol")                                                                          \
    TAG(TABLE, "table")                                                                            \
    TAG(TBODY, "tbody")                                                                            \
    TAG(TD, "td")                                                                                  \
    TAG(TEMPLATE, "template")                                                                      \
    TAG(TEXT, "text")                                                                              \
    TAG(TEXTAREA, "textarea")                                                                      \
    TAG(TFOOT, "tfoot")                                                                            \
    TAG(TH, "th")                                                                                  \
    TAG(THEAD, "thead")                                                                            \
    TAG(TIME, "time")                                                                              \
    TAG(TITLE, "title")                                                                            \
    TAG(TR, "tr")                                                                                  \
    TAG(TRACK, "track")                                                                            \
    TAG(TSPAN, "tspan")                                                                            \
    TAG(U, "u")                                                                                    \
    TAG(UL, "ul")                                                                                  \
    TAG(USE, "use")                                                                                \
    TAG(VAR, "var")                                                                                \
    TAG(VIDEO, "video")                                                                            \
    TAG(WBR, "wbr")

enum snapshot_tag {
    TAG_NONE,   /* not an element */
    TAG_OTHER,  /* an unknown element */
    TAG_CUSTOM, /* a custom element: its name has a hyphen */
#define SNAPSHOT_TAG_ENUM(symbol, name) TAG_##symbol,
    SNAPSHOT_TAGS(SNAPSHOT_TAG_ENUM)
#undef SNAPSHOT_TAG_ENUM
};

/* Finds a tag by an element's name, ignoring case. */
enum snapshot_tag snapshot_tag(const char *name);

/* Returns the name in lower case; "" for the first three. Static. */
const char *snapshot_tag_name(enum snapshot_tag tag);

/* Returns whether the children of such an element add no information. */
bool snapshot_tag_is_leaf(enum snapshot_tag tag);

/* Returns whether it contains another document. */
static inline bool snapshot_tag_is_frame(enum snapshot_tag tag)
{
    return tag == TAG_IFRAME || tag == TAG_FRAME;
}

#endif
