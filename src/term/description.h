/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the type of the terminal (TERM) tells about it. For term.c.
 *
 * What is compared is the text of the capabilities, without padding if the terminal needs none
 * (xon). The program sends the sequences of ECMA-48 where the description has them, and else what
 * terminfo has (caps.h):
 *
 *     cup, ed, sgr0, bold, smul, rev, with colours op, setaf, setab; msgr: one that differs makes
 *                 all moves and looks go through terminfo
 *     dim, bce, rep, ech, el, cuf, cub, cuu, cud, hpa, vpa, ich, dch, il, dl: used if as expected
 *     cr, cud1, cub1, xenl without am, xmc, ncv, rmul: other oddities
 *
 * Terminals without bce are erased only in the default background. rep counts only if the type is
 * not an xterm: too many terminals that call themselves xterm lack it. */
#ifndef FLAMETTY_TERM_DESCRIPTION_H
#define FLAMETTY_TERM_DESCRIPTION_H

#include "base/buf.h"
#include "base/error.h"
#include "term/caps.h"

#include <stdbool.h>

struct description {
	bool knows_modes;    /* ignores private modes that it does not know */
	bool can_ask;        /* moves its cursor by CSI, so it prints no other CSI sequence */
	bool is_usual;       /* of a family that is known, without oddities, and text is UTF-8 */
	int n_colors;        /* 0: none */
	const char *builtin; /* the description inside the program that is used: terminfo has none;
				NULL: that of terminfo. Static */
	struct caps caps;    /* without the colours */
};

/* Find the description of the terminal `out_fd`, whose type is `name` (NULL: not known): that of
 * terminfo, or else one of "builtin" in description.c. is_utf8: text is. Returns false and fills
 * err if there is none, or if the terminal cannot place its cursor. */
bool description_find(const char *name, int out_fd, bool is_utf8, struct description *d,
		      struct error *err) MUST_USE;

/* Set `note` to what the user should know of a description that is not the terminal's own; name: as
 * above. Empty: nothing. */
void description_note(const struct description *d, const char *name, struct buf *note);

/* Until the second call, let curses find the description as description_find() did: it reads the
 * environment. */
void description_lend(const struct description *d, const char *name);
void description_take_back(const struct description *d);

/* ---- UTF-8 ----
 *
 * Ask the terminal, which is taken and whose screen is blank, whether it shows UTF-8. Whether the
 * answer may still come, and whether it was yes. */
void utf8_ask(const struct description *d);
bool utf8_is_asked(void);
bool utf8_is_shown(void);

/* Take the answer, or give up. True, once: it is known now. */
bool utf8_take(void);

/* What the user should know of it, once; NULL: nothing. Static. */
const char *utf8_take_note(void);

/* Append the names of the descriptions, with `, ` between them. */
void builtin_list(struct buf *out);

#endif
