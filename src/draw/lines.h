/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of text with headings, wrapped to a width; nothing is truncated. Some lines are links: the
 * cursor is on one of them. */
#ifndef FLAMETTY_DRAW_LINES_H
#define FLAMETTY_DRAW_LINES_H

#include "base/buf.h"
#include "draw/chart.h"

#define LINES_BARS 8 /* of a line, at most */

/* A bar in a gap of the text. */
struct line_bar {
	int col, eighths; /* eighths of a cell */
	enum role role;
};

struct line_of {
	size_t start, len; /* in text */
	struct line_bar bars[LINES_BARS];
	int n_bars;
	bool is_head;
	int link; /* its number, from 0 on; -1: none. The parts of a wrapped line have the same */
};

struct lines {
	struct buf text;
	struct line_of *list;
	size_t n, cap;
	size_t top; /* first visible line */
	bool is_ascii;
	int n_links;
	int link; /* with the cursor */
};

static inline void lines_clear(struct lines *lines)
{
	buf_clear(&lines->text);
	lines->n = 0;
	lines->n_links = 0;
}

static inline void lines_done(struct lines *lines)
{
	buf_done(&lines->text);
	free(lines->list);
	*lines = (struct lines){ 0 };
}

/* Add a text, already in visible form, as lines of at most `cols` cells; all except the first are
 * indented by `indent` blanks. */
void lines_add(struct lines *lines, const char *text, size_t len, int cols, int indent,
	       bool is_head);

/* The same for the next link. */
void lines_add_link(struct lines *lines, const char *text, size_t len, int cols, int indent);

/* Give the last line a bar. is_ascii: of whole cells. */
void lines_add_bar(struct lines *lines, const struct line_bar *bar, bool is_ascii);

/* Scroll by `rows` lines on a page of `page`. */
void lines_scroll(struct lines *lines, int64_t rows, int page);

/* Move the cursor to another link, and scroll when there is none in that direction. */
void lines_move(struct lines *lines, int64_t rows, int page);

/* Whether all lines of the link with the cursor are on a page of `page`; scroll so that they are.
 */
bool lines_is_link_visible(const struct lines *lines, int page);
void lines_reveal(struct lines *lines, int page);

/* The link in a row of the page; -1: none. */
static inline int lines_hit(const struct lines *lines, int row)
{
	size_t at = lines->top + (size_t)(row > 0 ? row : 0);

	return at < lines->n ? lines->list[at].link : -1;
}

/* Draw the lines; with `right`, in left_cols cells, and beside them as many lines of `right`, which
 * scroll as they do. has_focus: show the cursor. */
void lines_draw(struct grid *g, struct rect r, const struct lines *lines, const struct lines *right,
		int left_cols, bool has_focus);

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
