/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The work that is left when a key is processed: how long to wait for the next key before some of
 * it is done. */
#ifndef FLAMETTY_UI_BETWEEN_KEYS_H
#define FLAMETTY_UI_BETWEEN_KEYS_H

#include <stdbool.h>

struct app;

/* Whether a key opens rows of the pane, and the next keys wait for that. */
bool between_keys_is_opening_row(const struct app *app);

/* See app_wait_ms(). */
int between_keys_wait_ms(const struct app *app);

/* Do some of the work. Returns app_wish bits. */
unsigned between_keys_work(struct app *app);

#endif
