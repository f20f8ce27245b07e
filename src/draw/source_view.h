/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a source file beside the times of its lines: time, bar, line number, text. */
#ifndef FLAMETTY_DRAW_SOURCE_VIEW_H
#define FLAMETTY_DRAW_SOURCE_VIEW_H

#include "draw/chart.h"
#include "model/source_text.h"

/* Self time of a line, of all functions together. */
struct source_hot {
	int32_t line;   /* counted from 1 */
	int32_t column; /* counted from 1, of the place with most time; 0: not known */
	int64_t ns;
	int64_t whole_ns; /* of functions that begin here: self time that no line has */
};

/* All borrowed. */
struct source_view {
	const struct source_text *text; /* found */
	const struct source_hot *hot;   /* by line */
	size_t n_hot;
	const struct profile *profile; /* the times have its unit */
	const char *path;              /* where the text is from */
	const char *about;             /* what the times are; shown where there is room */
	const char *note;              /* a row of its own; NULL or "": none */
	bool is_warning;               /* that is what it is */
	enum role role;                /* of bars */
	size_t top, cursor;            /* lines, counted from 0 */
	int64_t left;                  /* cells of all lines that are left of the page */
	size_t mark_line;              /* the line with the mark of the function; SIZE_MAX: none */
	size_t mark_byte;              /* in that line */
	bool has_focus;
	bool is_ascii;
};

/* Rows above the text. */
static inline int source_view_head_rows(bool has_note)
{
	return has_note ? 2 : 1;
}

/* The cells for text in an area of `cols` cells. */
int source_view_text_cols(const struct source_text *text, int cols);

/* The cell of a byte of a line, from its beginning on. Of very long lines, cells are bytes. */
int64_t source_view_cell(struct str line, size_t byte);

/* The time of a line, counted from 0; NULL: it has none. */
const struct source_hot *source_view_hot(const struct source_hot *hot, size_t n, size_t line);

void source_view_draw(struct grid *g, struct rect r, const struct source_view *view);

#endif
