/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends pictures to the terminal: as few bytes as possible, and no more than it can show in time.
 * For term.c, which has curses take the terminal. */
#ifndef FLAMETTY_TERM_OUTPUT_H
#define FLAMETTY_TERM_OUTPUT_H

#include "draw/grid.h"
#include "term/description.h"
#include "term/palette.h"

#include <stdbool.h>

/* The end of an update: the terminal shows it as a whole. */
#define OUTPUT_SYNC_END "\033[?2026l"

struct output_options {
	const struct description *type;
	bool has_own_utf8; /* widths are those of base/text.h, for the C library knows none */
};

/* Start after curses. The palette and the type must outlive the output. */
void output_open(struct palette *palette, const struct output_options *options);
void output_close(void);

/* The size of the screen; its contents are unknown. */
void output_resize(int rows, int cols);

/* Reset colours and attributes, before curses or another program writes. */
void output_reset_look(void);

/* Curses has cleared the screen. The picture, if there is one, is there to be sent again by
 * output_part(). */
void output_cleared(void);

/* The contents of the screen are unknown from now on. */
void output_forget(void);

/* Show a picture. If that takes long on a slow line, output_has_more() is true and output_part()
 * sends the next part of it. */
void output_show(const struct grid *grid);
bool output_has_more(void);
void output_part(void);

#endif
