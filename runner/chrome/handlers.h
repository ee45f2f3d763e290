/* How Chrome treats links to other programs, such as tel: and mailto:. */
#ifndef RUNNER_CHROME_HANDLERS_H
#define RUNNER_CHROME_HANDLERS_H

/*
 * Makes Chrome ignore such links. Otherwise it opens the program, or asks in an invisible window
 * that takes all input of the tab. Writes a script to the directory that Chrome runs instead of
 * xdg-settings. Returns the environment setting for it; caller frees. Returns NULL if it could not
 * be written, or if the directory does not allow execution.
 */
char *handlers_setting(const char *directory);

#endif
