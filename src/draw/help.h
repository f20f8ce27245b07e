/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help screen: keys and what they do, in two columns where the screen has 100 cells or more.
 * The caller gives the keys. */
#ifndef FLAMETTY_DRAW_HELP_H
#define FLAMETTY_DRAW_HELP_H

#include "draw/chart.h"
#include "draw/lines.h"

/* A line: the title of a section, keys and what they do, or nothing. Texts are borrowed. */
struct help_line {
	const char *title; /* NULL: not a title */
	const char *keys;
	const char *text; /* continued below where it is longer than the column */
	enum role fill; /* of the keys, if they are a sample of a colour; ROLE_PLAIN: they are keys
			 */
};

struct help {
	const struct help_line *lines;
	size_t n_lines;
	size_t right;                     /* index of the first line of the second column */
	int scroll;                       /* rows above the first visible one */
	const struct prompt_line *prompt; /* in the last row; NULL: what closes the help */
	bool is_filtered;
};

/* Largest sensible value of `scroll` in `r`. */
int help_max_scroll(struct rect r, const struct help *help);

void help_draw(struct grid *g, struct rect r, const struct help *help);

#endif
