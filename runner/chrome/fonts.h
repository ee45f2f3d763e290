/* How glyphs are drawn: the same on every machine that has the same fonts. */
#ifndef RUNNER_CHROME_FONTS_H
#define RUNNER_CHROME_FONTS_H

/*
 * Writes a configuration of fontconfig to the directory, which is the system's but for how glyphs
 * are drawn, and returns the setting of the environment that names it; caller frees. NULL: the
 * user has set another one, the system has none, or it could not be written.
 */
char *fonts_setting(const char *directory);

#endif
