/* What Chrome does with links to other programs, such as tel: and mailto:. */
#ifndef RUNNER_CHROME_HANDLERS_H
#define RUNNER_CHROME_HANDLERS_H

/*
 * Makes Chrome drop such links, which otherwise opens the program or asks in a window that nobody
 * sees and that takes all input of the tab: writes to the directory what Chrome is to call in the
 * place of xdg-settings. Returns the setting of the environment for it; caller frees. NULL: it
 * could not be written, or nothing in that directory may be executed.
 */
char *handlers_setting(const char *directory);

#endif
