#include "runner/actions/synonyms.h"

#include <ctype.h>
#include <string.h>

const struct synonym action_synonyms[] = {
    { " goto go gotourl open openurl visit browse url load navigateto ", "navigate", NULL },
    { " launch begin launchbrowser openbrowser newpage ", "start", NULL },
    { " fillform fillfields fillinform submitform ", "fill", NULL },
    { " input enter entertext inputtext settext setvalue set sendkeys write typetext ", "type",
      NULL },
    { " tap clickelement mouseclick leftclick clickon ", "click", NULL },
    { " dblclick doubleclick ", "click", "with clickCount 2" },
    { " rightclick contextmenu contextclick ", "click", "with button right" },
    { " script execute executescript eval exec js javascript run runscript runjs runjavascript "
      "evaluatescript executejavascript ",
      "evaluate", NULL },
    { " fullpage screenshotfullpage fullpagescreenshot fullscreenshot ", "screenshot",
      "with fullPage true" },
    { " capture takescreenshot picture snap image ", "screenshot", NULL },
    { " printtopdf topdf savepdf savepdfas pdfsave print printpage ", "pdf", NULL },
    { " sleep pause delay ", "wait", "with ms" },
    { " waitfor waitforselector waitforelement waituntil waitfornavigation ", "wait", NULL },
    { " key keys keypress presskey keyboard hotkey keydown ", "press", NULL },
    { " selectoption choose dropdown pick ", "select", NULL },
    { " uncheck ", "check", "with checked false" },
    { " toggle tick ", "check", NULL },
    { " mouseover movemouse mousemove moveto ", "hover", NULL },
    { " mark outline flash highlightelement showelement pointout spotlight ", "highlight", NULL },
    { " draganddrop dragto dragdrop ", "drag", NULL },
    { " scrollto scrolldown scrollup scrollby scrollintoview swipe ", "scroll", NULL },
    { " uploadfile setinputfiles attach attachfile fileupload ", "upload", NULL },
    { " refresh ", "reload", NULL },
    { " goback previous ", "back", NULL },
    { " goforward next ", "forward", NULL },
    { " close closebrowser quit exit end finish done ", "stop", NULL },
    { " tabs newtab opentab switchtab closetab switchtotab ", "tab", NULL },
    { " setviewport viewport resize setviewportsize ", "emulate", "with viewport" },
    { " dom getdom domtree extract observe accessibility ", "snapshot", NULL },
    { " gettext read readpage getcontent getpagecontent html gethtml pagesource source article "
      "readability ",
      "content", NULL },
    { " getelement getattribute getattributes getstyle computedstyle describe examine ", "inspect",
      NULL },
    { " detectinteractiveelements interactiveelements findcontrols clickables ", "detect", NULL },
    { " alert acceptdialog dismissdialog handledialog confirm ", "dialog", NULL },
    { " cookie setcookie setcookies getcookies clearcookies ", "cookies", NULL },
    { " localstorage sessionstorage ", "storage", NULL },
    { 0 },
};

const struct synonym param_synonyms[] = {
    { " selector node testid text value role targets element field data formdata values ", "fields",
      "as {\"email\": \"a@b.c\"}, or as [{\"selector\": \"#email\", \"value\": \"a@b.c\"}]" },
    { " css cssselector query queryselector locator element target sel path ", "selector", NULL },
    { " xpath ", "text", "or role with name: XPath is not supported" },
    { " ref uid id nodeid elementid noderef index ", "node", "for an id of a snapshot" },
    { " colour background bgcolor outlinecolor ", "color", NULL },
    { " rect rectangle area bbox clip bounds ", "box", NULL },
    { " time duration sleep seconds delay milliseconds timeoutms amount ", "ms",
      "in milliseconds" },
    { " ms time duration timeoutms maxwait wait ", "timeout", "in milliseconds" },
    { " value keys char keyname text ", "key", NULL },
    { " value content input keys string val ", "text", NULL },
    { " text option values ", "value", NULL },
    { " text option optiontext ", "label", NULL },
    { " script code js javascript function fn expr value text ", "expression", NULL },
    { " href link address target page uri value text ", "url", NULL },
    { " file path paths filename filenames filepath value ", "files", NULL },
    { " testid dataid datatest datatestid ", "testId", NULL },
    { " clicks count times doubleclick ", "clickCount", NULL },
    { " fullscreen full fullpage entirepage ", "fullPage", NULL },
    { " annotate annotated annotations marks setofmarks highlight ", "labels", NULL },
    { " waitfor until ", "waitUntil", NULL },
    { " ariarole ", "role", NULL },
    { " arianame accessiblename arialabel ", "name", "with role" },
    { " content contains innertext linktext ", "text", NULL },
    { " submit enter presskey ", "pressEnter", NULL },
    { " clearfirst clearbefore clearfield clearinput overwrite replace ", "clear", NULL },
    { " charbychar keybykey slowly typedelay ", "delay",
      "in milliseconds: characters are typed one by one anyway" },
    { " ctrlkey ctrl control ", "modifiers", "with Control" },
    { " shiftkey shift ", "modifiers", "with Shift" },
    { " altkey alt option ", "modifiers", "with Alt" },
    { " metakey meta cmd command ", "modifiers", "with Meta" },
    { " modifier keysdown holdkeys ", "modifiers", NULL },
    { " iframe framename ", "frame", NULL },
    { " scroll autoscroll scrollto scrollfirst bringintoview ", "scrollIntoView", NULL },
    { " destination dropon target ", "to", NULL },
    { " delay holdms holdtime longpress presstime pressduration duration ms ", "hold",
      "in milliseconds" },
    { " printbackground backgroundgraphics ", "background", NULL },
    { " prefercsspagesize ", "cssPageSize", NULL },
    { " headertemplate ", "header", NULL },
    { " footertemplate ", "footer", NULL },
    { " margins marginall ", "margin", "as in CSS" },
    { " pages ", "pageRanges", NULL },
    { " path output outputfile filename ", "file", NULL },
    { " action ", "op", NULL },
    { 0 },
};

const struct synonym *synonym_find(const struct synonym *table, const char *name)
{
    char word[40] = " ";
    size_t length = 1;
    for (const char *c = name; *c; c++) {
        if (*c == '_' || *c == '-') {
            continue;
        }
        if (!isalnum((unsigned char)*c) || length + 2 >= sizeof(word)) {
            return NULL;
        }
        word[length++] = (char)tolower((unsigned char)*c);
    }
    word[length] = ' ';
    word[length + 1] = '\0';
    while (table->names && !strstr(table->names, word)) {
        table++;
    }
    return table->names && length > 1 ? table : NULL;
}

bool synonym_hint(const struct synonym *synonym, struct br_error *err)
{
    return error_hint(err, "did you mean \"%s\"%s%s?", synonym->known, synonym->more ? " " : "",
                      synonym->more ? synonym->more : "");
}
