/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the terminal can do, by the names of terminfo, as far as it matters for drawing.
 * description.c fills it in.
 *
 * CUP, SGR, ED, CR, LF and BS are taken for granted, and also that the cursor stays in the last
 * column after a character there (xenl), unless one of the oddities says otherwise. */
#ifndef FLAMETTY_TERM_CAPS_H
#define FLAMETTY_TERM_CAPS_H

#include "base/buf.h"
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

	/* Oddities; a usual terminal has none. */
	bool by_locale;    /* text is what the locale has, not UTF-8 */
	bool wraps;        /* the cursor leaves the last column after a character there (no xenl) */
	bool no_steps;     /* one of CR, LF and BS does not move the cursor */
	bool no_off;       /* attributes are switched off only all at once */
	bool no_msgr;      /* the cursor moves only with the default look; then cuf is false */
	uint8_t uncolored; /* paint_attr bits that cannot be seen with colours (ncv) */

	/* Append a capability with two parameters, by its name; false: there is none. NULL: CUP,
	 * SGR and ED are those of ECMA-48. */
	bool (*text)(const char *capability, int a, int b, struct buf *out);
};

#endif
