/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prompt of the help screen: only lines with the word that is typed are shown. */
#ifndef FLAMETTY_UI_HELP_KEYS_H
#define FLAMETTY_UI_HELP_KEYS_H

struct app;

/* The text has changed; the prompt closes and keeps its effect, or undoes it. */
void help_keys_changed(struct app *app);
void help_keys_accept(struct app *app);
void help_keys_cancel(struct app *app);

#endif
