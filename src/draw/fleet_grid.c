/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/fleet_grid.h"

#include "base/text.h"
#include "draw/shade_grid.h"
#include "draw/table/table.h"

#include <stdio.h>
#include <string.h>

#define LEFT_MIN 18
#define LEFT_WIDE 28 /* with the median */
#define NUMBER_CELLS 3
#define LEFT_MAX 60
#define MEDIAN_CELLS 8
#define HEAD_CELLS 16 /* of the name of a column */
#define CURSOR "\342\227\202"

const char *fleet_grid_name(const struct fleet_table *t, size_t col)
{
	return t->cols[col] ? intern_text(&t->fleet->strings, t->cols[col]) : "(unknown)";
}

static double share_at(const struct fleet_grid *grid, size_t row, size_t col)
{
	return fleet_table_share(grid->table, grid->order[row], col, grid->is_total);
}

void fleet_grid_place(struct fleet_grid *grid, struct rect r)
{
	int least = r.cols * 3 / 10, room, shown;
	size_t n = grid->table->n_cols;
	double all = 0; /* the largest share, also of hosts that are not judged */

	least = least < LEFT_MIN ? LEFT_MIN : least > LEFT_MAX - 10 ? LEFT_MAX - 10 : least;
	/* Names are cut where that makes room for numbers. */
	room = r.cols - 1 - least;
	if (!grid->wanted && n * NUMBER_CELLS > (size_t)room)
		room = r.cols - 1 -
			(n * NUMBER_CELLS > (size_t)(r.cols - 1 - LEFT_WIDE) ? LEFT_MIN
									     : LEFT_WIDE);
	grid->width = grid->wanted ? grid->wanted : n > (size_t)room ? 1 : n ? room / (int)n : 1;
	if (grid->width > FLEET_GRID_WIDTH)
		grid->width = FLEET_GRID_WIDTH;
	grid->cols = room / grid->width;
	grid->cols = n < (size_t)grid->cols ? (int)n : grid->cols;
	grid->left = r.cols - 1 - grid->cols * grid->width;
	grid->left = grid->left > LEFT_MAX ? LEFT_MAX : grid->left;
	if (grid->col < grid->first)
		grid->first = grid->col;
	else if (grid->col >= grid->first + (size_t)grid->cols)
		grid->first = grid->col - (size_t)grid->cols + 1;
	if (grid->first + (size_t)grid->cols > n)
		grid->first = n - (size_t)grid->cols;
	grid->top = table_scroll(r.rows - FLEET_GRID_FOOT, grid->table->n_rows, grid->top,
				 grid->row);
	grid->most = 0;
	shown = table_visible(r.rows - FLEET_GRID_FOOT, grid->table->n_rows, grid->top);
	for (int i = 0; i < shown; i++)
		for (int c = 0; c < grid->cols; c++) {
			double share = share_at(grid, grid->top + (size_t)i,
						grid->first + (size_t)c);

			all = share > all ? share : all;
			if (!fleet_grid_unjudged(grid, grid->first + (size_t)c))
				grid->most = share > grid->most ? share : grid->most;
		}
	grid->most = grid->most > 0 ? grid->most : all;
}

const struct fleet_unjudged *fleet_grid_unjudged(const struct fleet_grid *grid, size_t col)
{
	const struct fleet_answers *a = grid->answers;

	for (size_t i = 0; grid->table->axis == FLEET_BY_HOST && i < a->n_unjudged; i++)
		if (a->unjudged[i].col == col)
			return &a->unjudged[i];
	return NULL;
}

bool fleet_grid_is_marked(const struct fleet_grid *grid, uint32_t function, size_t col)
{
	const struct fleet_answers *a = grid->answers;

	for (size_t i = 0; grid->table->axis == FLEET_BY_HOST && i < a->n_outliers; i++)
		if (a->outliers[i].function == function && a->outliers[i].col == col)
			return true;
	for (size_t i = 0; grid->table->axis == FLEET_BY_BIN && i < a->n_breaks; i++)
		if (a->breaks[i].function == function && a->breaks[i].bin == col)
			return true;
	return false;
}

/* ---- drawing ---- */

static void draw_cell(struct grid *g, int row, int col, const struct fleet_grid *grid, size_t at,
		      size_t c)
{
	double share = share_at(grid, at, c);
	enum role role = shade_grid_role(grid->most > 0 ? share / grid->most : 0);
	bool is_cursor = at == grid->row && c == grid->col,
	     is_marked = fleet_grid_is_marked(grid, grid->table->rows[grid->order[at]], c);
	int width = grid->width, room = width > 2 ? width - 1 : width;
	char text[16];

	if (width < 3 && (is_cursor || !is_marked)) {
		role = is_cursor ? ROLE_BUSY : role;
		for (int i = 0; i < width; i++)
			shade_grid_put(g, row, col + i, role, role, grid->is_ascii);
		return;
	}
	if (share > 0)
		snprintf(text, sizeof text, "%.*f", width >= 6, share * 100);
	else
		*text = '\0';
	if (is_marked && ((int)strlen(text) > room || width == 1))
		snprintf(text, sizeof text, "!");
	if (role == ROLE_PAGE)
		role = ROLE_PLAIN;
	grid_fill(g, row, col, width, is_cursor ? ROLE_ROW : role);
	grid_puts(g, row, col + room - (int)strlen(text), room, text,
		  is_cursor                    ? ROLE_ROW
			  : role == ROLE_PLAIN ? ROLE_PLAIN
					       : ROLE_LABEL);
	if (width > 2 && (is_cursor || is_marked))
		grid_puts(g, row, col + width - 1, 1, is_cursor ? CURSOR : "!",
			  is_cursor ? ROLE_ROW : ROLE_LABEL);
	if (is_marked)
		grid_flag(g, row, col, width, CELL_BOLD);
}

static void draw_row(struct grid *g, struct rect r, const struct fleet_grid *grid, size_t at)
{
	const struct fleet_table *t = grid->table;
	const struct fleet *fleet = t->fleet;
	bool is_cursor = at == grid->row;
	const char *name = intern_text(&fleet->strings,
				       fleet->functions[t->rows[grid->order[at]]].name);
	int room = grid->left - 3 - (grid->left < LEFT_WIDE ? 0 : MEDIAN_CELLS);
	char median[16];

	if (is_cursor)
		highlight_row(g, r.row, r.col, grid->left - 1, grid->is_ascii);
	grid_put_fit(g, r.row, r.col + 2, room, name, SIZE_MAX, is_cursor ? ROLE_ROW : ROLE_PLAIN);
	snprintf(median, sizeof median, "%6.1f", grid->median[grid->order[at]] * 100);
	if (grid->left >= LEFT_WIDE)
		grid_puts(g, r.row, r.col + grid->left - MEDIAN_CELLS, MEDIAN_CELLS, median,
			  is_cursor ? ROLE_ROW : ROLE_DIM);
	for (int c = 0; c < grid->cols; c++)
		draw_cell(g, r.row, r.col + grid->left + c * grid->width, grid, at,
			  grid->first + (size_t)c);
}

/* Of a time, `03:00`, or the day where it begins: `11-28`. */
static const char *short_name(const struct fleet_table *t, size_t col, size_t *len)
{
	const char *name = fleet_grid_name(t, col);

	*len = strlen(name);
	if (t->axis != FLEET_BY_BIN || !t->fleet->has_times || *len != strlen("2026-11-28 03:00"))
		return name;
	*len = strlen("03:00");
	return name +
		(strcmp(name + strlen("2026-11-28 "), "00:00") == 0 ? strlen("2026-")
								    : strlen("2026-11-28 "));
}

/* A name of a column: at its place, or before the right end. */
struct head {
	const char *name;
	size_t len;
	int at, cells;
};

static struct head head_of(const struct fleet_grid *grid, struct rect r, size_t col, bool is_whole)
{
	struct head h = { .at = grid->left + (int)(col - grid->first) * grid->width };

	h.name = short_name(grid->table, col, &h.len);
	if (is_whole) {
		h.name = fleet_grid_name(grid->table, col);
		h.len = strlen(h.name);
	}
	h.cells = text_cells(h.name, h.len);
	h.cells = h.cells < HEAD_CELLS ? h.cells : HEAD_CELLS;
	if (h.at + h.cells > r.cols)
		h.at = r.cols - h.cells;
	return h;
}

/* As a ruler: names where they have room, and always that of the column with the cursor. */
static void draw_head(struct grid *g, struct rect r, const struct fleet_grid *grid)
{
	struct head cursor;
	int longest = 1, step;

	for (int c = 0; c < grid->cols; c++) {
		size_t len;
		const char *name = short_name(grid->table, grid->first + (size_t)c, &len);
		int cells = text_cells(name, len);

		longest = cells > longest ? cells : longest;
	}
	longest = longest < HEAD_CELLS ? longest : HEAD_CELLS;
	step = (longest + grid->width) / grid->width;
	cursor = head_of(grid, r, grid->col, true);
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEAD);
	grid_puts(g, r.row, r.col + 2, grid->left, "Function", ROLE_HEAD);
	if (grid->left >= LEFT_WIDE)
		grid_puts(g, r.row, r.col + grid->left - MEDIAN_CELLS, MEDIAN_CELLS, "median",
			  ROLE_HEAD);
	for (int c = 0; c < grid->cols; c += step) {
		struct head h = head_of(grid, r, grid->first + (size_t)c, false);

		if (h.at + h.cells < cursor.at || h.at > cursor.at + cursor.cells)
			grid_put_fit(g, r.row, r.col + h.at, h.cells, h.name, h.len, ROLE_HEAD);
	}
	if (grid->first > 0)
		grid_puts(g, r.row, r.col + grid->left - 1, 1, "\342\200\271", ROLE_WARN);
	if (grid->first + (size_t)grid->cols < grid->table->n_cols)
		grid_puts(g, r.row, r.col + r.cols - 1, 1, "\342\200\272", ROLE_WARN);
	grid_put_fit(g, r.row, r.col + cursor.at, cursor.cells, cursor.name, cursor.len, ROLE_KEY);
}

void fleet_grid_draw(struct grid *g, struct rect r, const struct fleet_grid *grid)
{
	int shown, room;
	char most[16];

	if (!grid->table->n_rows || !grid->cols) {
		grid_put_fit(g, r.row, r.col + 1, r.cols - 2, "nothing was sampled", SIZE_MAX,
			     ROLE_DIM);
		return;
	}
	draw_head(g, r, grid);
	shown = table_visible(r.rows - FLEET_GRID_FOOT, grid->table->n_rows, grid->top);
	for (int i = 0; i < shown; i++)
		draw_row(g, (struct rect){ r.row + FLEET_GRID_HEAD + i, r.col, 1, r.cols }, grid,
			 grid->top + (size_t)i);
	r.row += r.rows - FLEET_GRID_FOOT;
	snprintf(most, sizeof most, "%.0f %%", grid->most * 100);
	room = shade_grid_legend(g, r, r.cols / 2, most, grid->is_total ? "total" : "own", false,
				 grid->is_ascii);
	grid_put_fit(g, r.row, r.col + 2, room - 2, grid->function, SIZE_MAX, ROLE_DIM);
}
