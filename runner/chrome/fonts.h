/* Makes Chrome render glyphs the same on every machine that has the same fonts. */
#ifndef RUNNER_CHROME_FONTS_H
#define RUNNER_CHROME_FONTS_H

/*
 * Writes a fontconfig configuration to the directory: the system's, with fixed rendering settings.
 * Returns the environment setting that selects it; caller frees. Returns NULL if the user has set a
 * configuration, the system has none, or writing failed.
 */
char *fonts_setting(const char *directory);

#endif
