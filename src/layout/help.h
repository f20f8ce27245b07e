/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help screen: keys and what they do, in one or two columns. The caller gives the keys. */
#ifndef FLAMETTY_LAYOUT_HELP_H
#define FLAMETTY_LAYOUT_HELP_H

#include "layout/chart.h"

/* A line: the title of a section, or keys and what they do. Texts are borrowed. */
struct help_line {
	const char *title; /* NULL: not a title */
	const char *keys;
	const char *text;
	enum role fill; /* of the keys, if they are a sample of a colour; ROLE_PLAIN: they are keys
			 */
};

struct help {
	const struct help_line *lines;
	size_t n_lines;
	int scroll; /* lines above the first visible one */
};

/* Largest sensible value of `scroll` in `r`. */
int help_max_scroll(struct rect r, const struct help *help);

void help_draw(struct grid *g, struct rect r, const struct help *help);

#endif
