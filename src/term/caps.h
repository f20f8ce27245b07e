/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal can do, by the names of terminfo, as far as it matters for drawing without
 * curses. description.c fills it in.
 *
 * CUP, SGR, ED, CR, LF and BS are taken for granted, and also that the cursor stays in the last
 * column after a character there (xenl). */
#ifndef FLAMETTY_TERM_CAPS_H
#define FLAMETTY_TERM_CAPS_H

#include "term/palette.h"

#include <stdbool.h>
#include <stdint.h>

struct caps {
	enum palette_mode colors; /* PALETTE_DIRECT: 0xRRGGBB, else numbers */
	uint8_t attrs;            /* the paint_attr bits that can be shown */
	bool bce;                 /* erased and new cells get the current background */
	bool rep;                 /* repeats an ASCII character */
	bool ech, el;
	bool cuf, cub, hpa, vpa;
	bool cuu, cud;
	bool ri; /* moves up; scrolls only at the top */
	bool ich, dch, il, dl;
};

#endif
