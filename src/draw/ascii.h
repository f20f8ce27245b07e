/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A picture in ASCII, for terminals without UTF-8. */
#ifndef FLAMETTY_LAYOUT_ASCII_H
#define FLAMETTY_LAYOUT_ASCII_H

#include "draw/grid.h"

/* Replace each character that is not ASCII by an ASCII one, in place. A wide character becomes
 * `??`. */
void ascii_convert(struct grid *g);

#endif
