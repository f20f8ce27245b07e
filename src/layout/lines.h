/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text with headings, wrapped to a width; nothing is truncated. */
#ifndef FLAMETTY_LAYOUT_LINES_H
#define FLAMETTY_LAYOUT_LINES_H

#include "base/buf.h"
#include "layout/chart.h"

struct line_of {
	size_t start, len; /* in text */
	bool is_head;
};

struct lines {
	struct buf text;
	struct line_of *list;
	size_t n, cap;
	size_t top; /* first visible line */
};

void lines_clear(struct lines *lines);
void lines_done(struct lines *lines);

/* Add a text, already in visible form, as lines of at most `cols` cells; all except the first are
 * indented by `indent` blanks. */
void lines_add(struct lines *lines, const char *text, size_t len, int cols, int indent,
	       bool is_head);

/* Scroll by `rows` lines on a page of `page`. */
void lines_scroll(struct lines *lines, int64_t rows, int page);

void lines_draw(struct grid *g, struct rect r, const struct lines *lines);

#endif
