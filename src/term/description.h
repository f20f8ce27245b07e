/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the type of the terminal (TERM) tells about it. For term.c. */
#ifndef FLAMETTY_TERM_DESCRIPTION_H
#define FLAMETTY_TERM_DESCRIPTION_H

#include "base/error.h"

#include <stdbool.h>

struct description {
	bool knows_modes; /* ignores private modes that it does not know */
	bool can_ask;     /* moves its cursor by CSI, so it prints no other CSI sequence */
};

/* Find the description of the terminal `out_fd`, whose type is `name` (NULL: not known). Returns
 * false and fills err if there is none, or if the terminal cannot place its cursor. */
bool description_find(const char *name, int out_fd, struct description *d, struct error *err);

#endif
