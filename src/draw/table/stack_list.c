/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stack that is cut shows two thirds of its lines above the marked call: callers tell how the
 * program comes there. A time that is that of the line above is left out, except that of the marked
 * call: what remains tells where other calls take time. The same for the file of a location. */
#include "config.h"

#include "draw/table/stack_list.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_CELLS 8 /* at least: most times have no more */
#define LINES_MIN 3  /* fewer lines do not tell how many calls are missing */

/* The calls that `lines` lines have room for, [first, end) of n, with number `at` among them. If
 * they are not all, lines of their own tell how many are missing on each side. */
static void stack_list_cut(uint32_t n, uint32_t at, int lines, uint32_t *first, uint32_t *end)
{
	uint32_t room = lines > 0 ? (uint32_t)lines : 0, above = room * 2 / 3;

	/* The lines that tell of others are among them. */
	if (lines >= LINES_MIN && above > room - 2)
		above = room - 2;
	*first = 0;
	*end = n;
	if (n <= room)
		return;
	*first = at < above ? 0 : at - above > n - room ? n - room : at - above;
	*end = *first + room;
	if (lines < LINES_MIN)
		return;
	if (*first > 0)
		++*first;
	if (*end < n)
		--*end;
}

static bool is_inside(struct rect r, int row)
{
	return row > r.row && row < r.row + r.rows;
}

/* A line: one call, or several that fold. */
struct item {
	uint32_t call, n;
};

static bool folds(const struct stack_list *list, uint32_t i)
{
	const struct heavy_stack *s = list->stack;
	const struct view *view = s->totals->view;

	return i != s->at &&
		fold_hides(s->totals->profile, &view->frames[view->tree->frame[s->nodes[i]]],
			   list->fold);
}

/* The lines of the stack; *at: that of the marked call. The caller frees them. */
static struct item *find_items(const struct stack_list *list, uint32_t *n, uint32_t *at)
{
	const struct heavy_stack *s = list->stack;
	struct item *items = xcalloc(s->n, sizeof *items);

	*n = *at = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		if (i && folds(list, i) && folds(list, i - 1)) {
			items[*n - 1].n++;
			continue;
		}
		if (i == s->at)
			*at = *n;
		items[(*n)++] = (struct item){ i, 1 };
	}
	return items;
}

/* Calls of these lines. */
static uint32_t count_calls(const struct item *items, uint32_t first, uint32_t end)
{
	uint32_t n = 0;

	while (first < end)
		n += items[first++].n;
	return n;
}

/* Cells of the widest time of the lines [first, end), and of a blank before it. */
static int time_cells(const struct heavy_stack *stack, const struct item *items, uint32_t first,
		      uint32_t end)
{
	const struct totals *totals = stack->totals;
	int cells = TIME_CELLS;

	for (uint32_t i = first; i < end; i++) {
		int width;
		const char *time = profile_value(
			totals->profile, totals->total[stack->nodes[items[i].call]], UNITS_ROOM);

		width = 1 + text_cells(time, strlen(time));
		cells = width > cells ? width : cells;
	}
	return cells;
}

static void draw_more(struct grid *g, struct rect r, int row, int cells, uint32_t n)
{
	char text[UNITS_MAX + 16];

	if (!is_inside(r, row))
		return;
	snprintf(text, sizeof text, "\342\200\246 %s more", units_count(n, UNITS_ROOM));
	grid_puts(g, row, r.col + cells + 3, r.cols - cells - 3, text, ROLE_DIM);
}

struct line {
	int row, time_cells, indent;
	uint32_t i, n;     /* the call, or the first of n calls */
	bool is_first;     /* of the calls that are shown */
	str_id file_above; /* of the line above, if that tells; 0: none */
};

/* `express > compression`: calls that fold. */
static void draw_run(struct grid *g, int row, int col, int room, const struct stack_list *list,
		     const struct line *line)
{
	const struct view *view = list->stack->totals->view;
	ALLOC_LOCAL frame_id *calls = xmalloc(line->n * sizeof *calls);
	BUF_LOCAL name = { 0 };

	for (uint32_t i = 0; i < line->n; i++)
		calls[i] = view->tree->frame[list->stack->nodes[line->i + i]];
	fold_add_name(list->stack->totals->profile, view->frames, calls, line->n, &name);
	grid_put_fit(g, row, col, room, buf_text(&name), name.len, ROLE_DIM);
}

/* Returns the file that a line below need not tell again; 0: none. */
static str_id draw_call(struct grid *g, struct rect r, const struct stack_list *list,
			const struct line *line)
{
	const struct totals *totals = list->stack->totals;
	const struct view *view = totals->view;
	const node_id *nodes = list->stack->nodes;
	node_id node = nodes[line->i];
	frame_id id = view->tree->frame[node];
	const struct frame *frame = &view->frames[id];
	const struct table_name name = { .profile = totals->profile,
					 .frame = frame,
					 .id = id,
					 .ink = ROLE_PLAIN,
					 .place_ink = ROLE_DIM,
					 .is_short = true,
					 .has_file = frame->url && frame->line > 0 &&
						 frame->url == line->file_above };
	int col = r.col + 1 + line->time_cells + 2 + line->indent;
	bool is_marked = line->i == list->stack->at, has_place;
	char time[UNITS_MAX] = "";

	if (!is_inside(r, line->row))
		return 0;
	if (is_marked)
		grid_puts(g, line->row, r.col, r.cols, list->is_ascii ? ">" : "\342\226\214",
			  ROLE_ROW_MARK);
	if (line->is_first || is_marked || totals->total[node] != totals->total[nodes[line->i - 1]])
		profile_value(totals->profile, totals->total[node], time);
	table_cell_number(g, line->row, r.col + 1, line->time_cells, time, ROLE_PLAIN);
	if (line->n > 1) {
		draw_run(g, line->row, col, r.col + r.cols - col, list, line);
		return 0;
	}
	has_place = table_cell_name(g, line->row, col, r.col + r.cols - col, &name);
	if (is_marked)
		grid_flag(g, line->row, r.col, r.cols, CELL_BOLD);
	return has_place ? frame->url : 0;
}

static void draw_head(struct grid *g, struct rect r, const struct stack_list *list)
{
	const struct totals *totals = list->stack->totals;
	const struct view *view = totals->view;
	frame_id id = view->tree->frame[list->stack->nodes[list->stack->at]];
	BUF_LOCAL text = { 0 };

	/* Words of the same length: few cells differ between the two. */
	buf_adds(&text, list->is_previous ? "previous" : "heaviest");
	buf_adds(&text, " stack through ");
	label_text(totals->profile, &view->frames[id], &text);
	grid_put_fit(g, r.row, r.col + 1, r.cols - 1, text.data, text.len, ROLE_HEAD);
}

static void draw_stack(struct grid *g, struct rect r, const struct stack_list *list)
{
	uint32_t first, end, n, at;
	ALLOC_LOCAL struct item *items = find_items(list, &n, &at);
	int row = r.row + 1 - list->shift, step, cells;
	str_id file = 0;

	stack_list_cut(n, at, r.rows - 1, &first, &end);
	cells = time_cells(list->stack, items, first, end);
	/* Names keep two thirds of the width. */
	step = (int)(end - first) * 2 <= r.cols / 3 ? 2 : 1;
	draw_head(g, r, list);
	if (first > 0 && r.rows - 1 >= LINES_MIN)
		draw_more(g, r, row++, cells, count_calls(items, 0, first));
	for (uint32_t i = first; i < end; i++) {
		int indent = (int)(i - first) * step;
		const struct line line = { .row = row,
					   .time_cells = cells,
					   .indent = indent < r.cols / 3 ? indent : r.cols / 3,
					   .i = items[i].call,
					   .n = items[i].n,
					   .is_first = i == first,
					   .file_above = file };

		file = draw_call(g, r, list, &line);
		row++;
	}
	if (end < n && r.rows - 1 >= LINES_MIN)
		draw_more(g, r, row, cells, count_calls(items, end, n));
}

void stack_list_draw(struct grid *g, struct rect r, const struct stack_list *list)
{
	const struct grid *before = list->before;

	if (r.rows < 2 || r.cols < 2 * TIME_CELLS)
		return;
	if (list->stack)
		draw_stack(g, r, list);
	else if (before && before->rows == r.rows && before->cols == r.cols)
		for (int row = 0; row < r.rows && r.row + row < g->rows; row++)
			for (int col = 0; col < r.cols && r.col + col < g->cols; col++)
				*grid_at(g, r.row + row, r.col + col) = *grid_at(before, row, col);
}
