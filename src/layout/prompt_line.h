/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A prompt in the status line: what is typed, the cursor, and at the right what came of it. */
#ifndef FLAMETTY_LAYOUT_PROMPT_LINE_H
#define FLAMETTY_LAYOUT_PROMPT_LINE_H

#include "layout/chart.h"

/* All borrowed. */
struct prompt_line {
	const char *label; /* `/` */
	const char *text;
	size_t cursor;          /* byte of the text */
	const char *answers[3]; /* from long to short; NULL: none */
	bool is_error;          /* the answer says what is wrong */
	int64_t error_at;       /* byte of the text that is; -1: none */
};

/* Draw into the one row of `r`; the cursor of the grid is put there. */
void prompt_line_draw(struct grid *g, struct rect r, const struct prompt_line *line);

#endif
