/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typing into the prompt. The commands of searching stand in search_keys.c, too; actions.h declares
 * them. */
#ifndef FLAMETTY_UI_SEARCH_SEARCH_KEYS_H
#define FLAMETTY_UI_SEARCH_SEARCH_KEYS_H

#include "ui/key.h"

struct app;

/* Take a key while the prompt is open: run its command, or insert the character. Returns app_wish
 * bits. */
unsigned search_keys_type(struct app *app, key_code key);

#endif
