/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The picture is drawn into a grid of its own, from which the cells of the pane are taken. */
#include "config.h"

#include "ui/copy_table.h"

#include "ui/picture.h"
#include "ui/state.h"

static void add_row(struct buf *out, const struct grid *g, int row, const struct rect *r)
{
	size_t end = out->len;

	for (int col = r->col; col < r->col + r->cols; col++) {
		const struct cell *c = grid_at(g, row, col);

		if (!c->ch)
			continue;
		buf_add_utf8(out, c->ch);
		if (c->mark)
			buf_add_utf8(out, c->mark);
		if (c->ch != ' ')
			end = out->len;
	}
	out->len = end;
}

bool copy_table(struct app *app, struct buf *out)
{
	struct screen_layout layout;
	struct grid grid = { 0 };

	state_layout(app, &layout);
	if (!app->is_pane_open || layout.pane.rows == 0) {
		state_say(app, false, "no pane is open");
		return false;
	}
	picture_update(app, BUDGET_UNLIMITED);
	picture_draw(app, &grid);
	for (int i = 0; i < layout.pane.rows; i++) {
		if (i)
			buf_addc(out, '\n');
		add_row(out, &grid, layout.pane.row + i, &layout.pane);
	}
	grid_done(&grid);
	while (out->len && out->data[out->len - 1] == '\n')
		out->len--;
	return true;
}
