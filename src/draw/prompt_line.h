/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A prompt in the status line: the typed text, the cursor, and an answer at the right. */
#ifndef FLAMETTY_LAYOUT_PROMPT_LINE_H
#define FLAMETTY_LAYOUT_PROMPT_LINE_H

#include "draw/chart.h"

/* All borrowed. */
struct prompt_line {
	const char *label; /* `/` */
	const char *text;
	size_t cursor;          /* byte of the text */
	const char *answers[3]; /* from long to short; NULL: none */
	bool is_error;          /* the answer is an error message */
	int64_t error_at;       /* byte of the text where the error is; -1: unknown */
};

/* Draw into `r`, which has one row; sets the cursor of the grid. */
void prompt_line_draw(struct grid *g, struct rect r, const struct prompt_line *line);

#endif
