#include "runner/chrome/fonts.h"

#include "runner/base/file.h"
#include "runner/base/memory.h"

#include <string.h>
#include <unistd.h>

#define SYSTEM_FILE "/etc/fonts/fonts.conf"

/* Slight hinting is the default of most systems, such as Debian and Ubuntu. */
#define DRAWN                                                                                      \
    "    <edit name=\"antialias\" mode=\"assign\"><bool>true</bool></edit>\n"                      \
    "    <edit name=\"hinting\" mode=\"assign\"><bool>true</bool></edit>\n"                        \
    "    <edit name=\"hintstyle\" mode=\"assign\"><const>hintslight</const></edit>\n"              \
    "    <edit name=\"autohint\" mode=\"assign\"><bool>false</bool></edit>\n"                      \
    "    <edit name=\"rgba\" mode=\"assign\"><const>none</const></edit>\n"

/* The last setting counts: it applies both to the requested pattern and to the font found. */
static const char configuration[] = "<?xml version=\"1.0\"?>\n"
                                    "<!DOCTYPE fontconfig SYSTEM \"urn:fontconfig:fonts.dtd\">\n"
                                    "<fontconfig>\n"
                                    "  <include>" SYSTEM_FILE "</include>\n"
                                    "  <match target=\"pattern\">\n" DRAWN "  </match>\n"
                                    "  <match target=\"font\">\n" DRAWN "  </match>\n"
                                    "</fontconfig>\n";

char *fonts_setting(const char *directory)
{
    struct br_error ignored;
    if (getenv("FONTCONFIG_FILE") || getenv("FONTCONFIG_PATH") || access(SYSTEM_FILE, R_OK) != 0) {
        return NULL;
    }
    CLEANUP_FREE char *path = xasprintf("%s/fonts.conf", directory);
    if (!file_write(path, configuration, strlen(configuration), &ignored)) {
        return NULL;
    }
    return xasprintf("FONTCONFIG_FILE=%s", path);
}
