/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Typing into the prompt. The commands of searching stand in search_keys.c, too; actions.h declares
 * them. */
#ifndef FLAMETTY_UI_SEARCH_SEARCH_KEYS_H
#define FLAMETTY_UI_SEARCH_SEARCH_KEYS_H

#include "ui/key.h"

struct app;

/* Insert the character of a key that is not a command into the open prompt. Returns app_wish bits.
 */
unsigned search_keys_insert(struct app *app, key_code key);

#endif
