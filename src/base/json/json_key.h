/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys of objects as they are written, with escapes. */
#ifndef FLAMETTY_JSON_JSON_KEY_H
#define FLAMETTY_JSON_JSON_KEY_H

#include "base/str.h"

#include <stdbool.h>

/* Whether a key (the bytes between its quotes) says `name`, which is letters, digits and `_`. */
bool json_key_is(struct str key, const char *name);

#endif
