/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of the user. They go into a copy of the program's table, whose rows they replace, so that
 * the help and the hints show what is. */
#ifndef FLAMETTY_UI_KEYMAP_BIND_H
#define FLAMETTY_UI_KEYMAP_BIND_H

#include "base/error.h"
#include "ui/keymap.h"

/* Let keys run a command wherever the program has keys for that command, and everywhere if it has
 * none. keys: one or two keys, as `F2`, `C-d`, `oc`, `<C-d>x`; rows of other keys that begin the
 * same way go. command: a name, or `none`, which only removes rows. False, with err: there is no
 * such key or command, or the keys are reserved. */
bool keymap_bind(struct keymap *map, const char *keys, const char *command, struct error *err);

void keymap_bind_done(struct keymap *map);

#endif
