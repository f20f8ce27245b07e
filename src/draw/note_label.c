/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only cells without text change, except for the sign. */
#include "config.h"

#include "draw/note_label.h"

#include "base/text.h"

#include <string.h>

#define LABEL_MIN 4 /* cells: less is only a sign */
#define LABEL_MAX 40

void note_label_text(const struct chart *chart, const struct chart_note *note, bool is_full,
		     struct buf *out)
{
	if (!note->n_hidden) {
		buf_adds(out, chart->is_ascii ? "* " : "\342\234\216 ");
		buf_adds(out, note->text);
		return;
	}
	buf_addf(out, "%s %zu hidden", chart->is_ascii ? "..." : "\342\213\257", note->n_hidden);
	if (is_full)
		buf_addf(out, " in DevTools: %s", note->text);
}

/* The blank cells from a column on, with one at each side of them. */
static int room_at(const struct grid *g, int row, int col, int end)
{
	int n = 0;

	if (row < 0 ||
	    (col > 0 && grid_at(g, row, col - 1)->ch > ' ' &&
	     grid_at(g, row, col - 1)->ch < 0x2500))
		return 0;
	while (col + n < end && grid_at(g, row, col + n)->ch == ' ')
		n++;
	return col + n < end ? n - 1 : n;
}

static void put(struct grid *g, int row, int col, int room, const struct buf *text)
{
	BUF_LOCAL fit = { 0 };

	bool is_cut;

	room = room < LABEL_MAX ? room : LABEL_MAX;
	is_cut = text_cells(text->data, text->len) > room && room > 1;
	text_fit_start(&fit, text->data, text->len, room - is_cut);
	buf_adds(&fit, is_cut ? "\342\200\246" : "");
	grid_put(g, row, col, room, buf_text(&fit), fit.len, ROLE_KEY);
}

/* above: the first row that a label may stand in. */
static void draw(struct grid *g, struct rect r, const struct chart *chart,
		 const struct chart_note *note, int above)
{
	int64_t from = note->span.t0 > chart->view->t0 ? note->span.t0 : chart->view->t0,
		last = note->span.t1 - 1 > from ? note->span.t1 - 1 : from;
	struct chart_point at, end;
	BUF_LOCAL text = { 0 };
	int col, room;

	if (note->span.t1 <= from ||
	    !chart_find_point(chart, r, note->lane, &note->span, from, &at))
		return;
	if (last >= viewport_end(chart->view))
		last = viewport_end(chart->view) - 1;
	if (!chart_find_point(chart, r, note->lane, &note->span, last, &end))
		return;
	at.row += r.row;
	col = r.col + at.col;
	note_label_text(chart, note, false, &text);
	room = at.row - 1 >= above ? room_at(g, at.row - 1, col, r.col + r.cols) : 0;
	if (room >= LABEL_MIN) {
		put(g, at.row - 1, col, room, &text);
	} else {
		static char signs[2][4] = { "\342\234\216", "*" };
		struct buf sign = { .data = signs[chart->is_ascii],
				    .len = strlen(signs[chart->is_ascii]) };
		int stop = r.col + end.col;

		/* Behind the name; the last cell may be an edge, or the sign of a flow. */
		stop -= stop > col && grid_at(g, at.row, stop)->ch >= 0x2500;
		stop -= stop > col && grid_at(g, at.row, stop)->ch != ' ';
		for (col = stop; col > r.col + at.col && grid_at(g, at.row, col)->ch == ' ';)
			col--;
		room = stop - col - 1;
		if (room >= LABEL_MIN)
			put(g, at.row, col + 2, room, &text);
		else
			put(g, at.row, room < 1 ? r.col + at.col : stop, 1, &sign);
	}
}

void note_label_draw(struct grid *g, struct rect r, const struct chart *chart)
{
	int above = r.row + (chart_sticky(chart, r.rows) >= 0);

	for (int i = 0; i < chart->n_notes && !chart->is_merged; i++)
		draw(g, r, chart, &chart->notes[i], above);
}
