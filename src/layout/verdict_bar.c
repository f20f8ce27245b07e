/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "layout/verdict_bar.h"

#include "base/text.h"

#include <string.h>

#define ROOM_LEAST 24 /* of verdict_compose() */

/* Returns the cells that are left for the line. */
static int draw_hint(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int key = text_cells(bar->key, strlen(bar->key)),
	    hint = text_cells(bar->hint, strlen(bar->hint)), room = r.cols - key - hint - 5;

	if (room < ROOM_LEAST)
		return r.cols - 2;
	grid_puts(g, r.row, r.col + r.cols - key - hint - 2, key, bar->key, ROLE_KEY);
	grid_puts(g, r.row, r.col + r.cols - hint - 1, hint, bar->hint, ROLE_DIM);
	return room;
}

static void draw_items(struct grid *g, struct rect r, const struct verdict_bar *bar, int room)
{
	struct verdict verdict;

	verdict_compose(bar->result, room < ROOM_LEAST ? ROOM_LEAST : room, &verdict);
	for (int i = 0; i < verdict.n; i++) {
		const struct verdict_item *item = &verdict.items[i];
		int left = room - item->col;

		if (left <= 0)
			break;
		grid_puts(g, r.row, r.col + 1 + item->col, left, item->text,
			  bar->is_stale ? ROLE_DIM : ROLE_PLAIN);
		if (item->kind == VERDICT_LEAD && !bar->is_stale)
			grid_flag(g, r.row, r.col + 1 + item->col, item->cells, CELL_BOLD);
	}
}

static void draw_text(struct grid *g, int row, int col, int room, const char *text, enum role ink)
{
	struct buf fit = { 0 };

	text_fit(&fit, text, strlen(text), room);
	grid_put(g, row, col, room, buf_text(&fit), fit.len, ink);
	buf_done(&fit);
}

void verdict_bar_draw(struct grid *g, struct rect r, const struct verdict_bar *bar)
{
	int room = r.cols - 2;

	if (r.rows == 0)
		return;
	if (bar->key && bar->hint)
		room = draw_hint(g, r, bar);
	if (bar->text)
		draw_text(g, r.row, r.col + 1, room, bar->text, ROLE_PLAIN);
	else if (bar->result)
		draw_items(g, r, bar, room);
	if (r.rows > 1 && !bar->text && bar->result && bar->result->n)
		draw_text(g, r.row + 1, r.col + 1, r.cols - 2, bar->result->list[0].text, ROLE_DIM);
}
