/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sends pictures to the terminal: as few bytes as possible, and no more than it can show in time.
 * For term.c, which owns the curses screen. */
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
	bool has_default_colors;
	bool has_own_utf8; /* as in struct canvas_options */
};

/* Start after curses. The palette and the type must outlive the output. */
void output_open(struct palette *palette, const struct output_options *options);
void output_close(void);

/* The size of the screen. is_blank: it is empty; otherwise its contents are unknown. */
void output_resize(int rows, int cols, bool is_blank);

/* Reset colours and attributes, before curses or another program writes. */
void output_reset_look(void);

/* Curses has cleared the screen and drawn what it has. The rest of the picture, with the encoder
 * all of it, is there to be sent by output_part(). */
void output_cleared(void);

/* The contents of the screen are unknown from now on. */
void output_forget(void);

/* Show a picture. If that takes long on a slow line, output_has_more() is true and output_part()
 * sends the next part of it. */
void output_show(const struct grid *grid);
bool output_has_more(void);
void output_part(void);

#endif
