/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows are made again for each picture and key: there are tens of them, not thousands. */
#include "config.h"

#include "ui/pane/process_list.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/table/table.h"
#include "ui/chart/lane_picker.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define STRIP_CELLS 12
#define LONG_STRIP_CELLS 24
#define LONG_STRIP_COLS 180 /* wider panes have long strips */
#define FUNCTION_MIN 12
#define FUNCTION_MAX 60
#define NAME_CELLS 40
#define SILENT_NS (3 * NS_PER_S)
#define COUNTER_MAX 1e12 /* of a counter in the file: no process has more */

/* What the cell of a column is. */
enum process_cell { CELL_NAME, CELL_PID, CELL_ROLE, CELL_STRIP, CELL_VALUE, CELL_FUNCTION };

/* COLUMN(heading, width, narrower tables leave it out, what it is, metric or order) */
#define COLUMNS(COLUMN)                                                                            \
	COLUMN("Process", 24, 0, CELL_NAME, PROCESS_BY_NAME)                                       \
	COLUMN("Pid", 9, 44, CELL_PID, PROCESS_BY_PID)                                             \
	COLUMN("Role", 9, 110, CELL_ROLE, PROCESS_BY_PID)                                          \
	COLUMN("busy", 0, 0, CELL_STRIP, METRIC_BUSY)                                              \
	COLUMN("Busy", 7, 0, CELL_VALUE, METRIC_BUSY)                                              \
	COLUMN("GC", 6, 56, CELL_VALUE, METRIC_GC)                                                 \
	COLUMN("Delay", 9, 64, CELL_VALUE, METRIC_DELAY)                                           \
	COLUMN("Task", 9, 90, CELL_VALUE, METRIC_TASK)                                             \
	COLUMN("RSS", 8, 72, CELL_VALUE, METRIC_RSS)                                               \
	COLUMN("heap", 0, 130, CELL_STRIP, METRIC_HEAP)                                            \
	COLUMN("Heap", 8, 100, CELL_VALUE, METRIC_HEAP)                                            \
	COLUMN("Req/s", 8, 0, CELL_VALUE, METRIC_REQUESTS)                                         \
	COLUMN("p99", 8, 92, CELL_VALUE, METRIC_P99)                                               \
	COLUMN("Own function", FUNCTION_MAX, 0, CELL_FUNCTION, PROCESS_BY_FUNCTION)

static const struct {
	struct text_column column;
	enum process_cell cell;
	unsigned order;
} columns[PROCESS_COLUMNS] = {
#define COLUMN_ROW(heading, width, cols, cell, order)                                              \
	{ { heading, width, cols,                                                                  \
	    cell == CELL_ROLE || cell == CELL_STRIP || cell == CELL_FUNCTION },                    \
	  cell,                                                                                    \
	  order },
	COLUMNS(COLUMN_ROW)
};

/* ---- rows ---- */

static void bring_up_to_date(struct app *app)
{
	struct process_list *l = &app->process_list;
	struct process_list_order *o = &l->order;
	size_t column = o->sort ? o->sort : 4, at;
	int64_t t0 = 0, t1 = app->base->t1;

	if (!app->live)
		pane_scope_time_range(app, &t0, &t1);
	process_rows_done(&l->rows);
	process_rows_make(&l->rows, app->base, t0, t1, app->live != NULL,
			  app->filter.target.search.pattern);
	process_rows_sort(&l->rows, columns[column].order, o->is_reversed);
	at = process_rows_find(&l->rows, o->pid);
	if (o->has_pid && at < l->rows.n)
		o->cursor = at;
	if (o->cursor >= l->rows.n)
		o->cursor = l->rows.n ? l->rows.n - 1 : 0;
}

/* The cursor was moved: it is on this process from now on. */
static void keep_pid(struct app *app)
{
	struct process_list *l = &app->process_list;

	l->order.has_pid = l->order.cursor < l->rows.n;
	if (l->order.has_pid)
		l->order.pid = l->rows.rows[l->order.cursor].pid;
}

static bool has_metric(const struct process_rows *rows, unsigned metric)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->rows[i].value[metric] >= 0)
			return true;
	return false;
}

/* The last column gets what is left. */
static void find_widths(struct process_list *l, int cols)
{
	int strip = cols >= LONG_STRIP_COLS ? LONG_STRIP_CELLS : STRIP_CELLS, left = cols - 4;
	int name = 8;

	for (size_t i = 0; i < l->rows.n; i++) {
		int cells = text_cells(l->rows.rows[i].name, strlen(l->rows.rows[i].name));

		name = cells > name ? cells : name;
	}
	name = name < cols / 4 ? name : cols / 4;
	name = name < NAME_CELLS ? name : NAME_MAX;
	for (size_t i = 0; i < PROCESS_COLUMNS; i++) {
		struct text_column *c = &l->columns[i];

		*c = columns[i].column;
		if (columns[i].cell == CELL_STRIP)
			c->width = strip + 2;
		if (columns[i].cell == CELL_NAME)
			c->width = name;
		if (columns[i].cell == CELL_VALUE && columns[i].order >= METRIC_REQUESTS &&
		    !has_metric(&l->rows, columns[i].order))
			c->cols = INT_MAX;
		if (columns[i].cell == CELL_FUNCTION)
			c->width = left < FUNCTION_MAX ? left : FUNCTION_MAX;
		if (columns[i].cell == CELL_FUNCTION && left < FUNCTION_MIN)
			c->cols = INT_MAX;
		left -= cols >= c->cols ? c->width : 0;
	}
}

/* ---- cells ---- */

static void add_strip(const struct app *app, const struct process_row *row, unsigned metric,
		      int cells, struct buf *out)
{
	const struct process_rows *rows = &app->process_list.rows;
	const struct series *s = row->series[metric];
	double most = 0, all = metric == METRIC_BUSY ? 100 : 0;

	if (!s || (all == 0 && !series_most(s, rows->t0, rows->t1, &all)))
		return;
	for (int i = 0; i < cells; i++) {
		int64_t t0 = rows->t0 + (rows->t1 - rows->t0) / cells * i,
			t1 = rows->t0 + (rows->t1 - rows->t0) / cells * (i + 1);
		bool is_there = series_most(s, t0, t1, &most) && all > 0 && t0 <= row->last;
		double part = most < 0 ? 0 : most < all ? most / all : 1;

		/* Anything is more than nothing. */
		buf_adds(out,
			 table_bar(!is_there ? 0 : (size_t)(part * 7.99 + 1),
				   app->s.chart.is_ascii));
	}
}

static void add_value(double value, unsigned metric, struct buf *out)
{
	if (!(value >= 0))
		return;
	value = value < COUNTER_MAX ? value : COUNTER_MAX;
	switch (metric) {
	case METRIC_BUSY:
	case METRIC_GC:
		buf_addf(out, "%.*f %%", value < 9.95 && value > 0 ? 1 : 0, value);
		break;
	case METRIC_RSS:
	case METRIC_HEAP:
	case METRIC_EXTERNAL:
		buf_adds(out, units_bytes((int64_t)(value * 1e6), UNITS_ROOM));
		break;
	case METRIC_HANDLES:
		buf_addf(out, "%.0f", value);
		break;
	case METRIC_REQUESTS:
		buf_addf(out, "%.*f", value < 9.95 && value > 0 ? 1 : 0, value);
		break;
	default:
		buf_adds(out, units_time((int64_t)(value * NS_PER_MS), UNITS_ROOM));
	}
}

/* What is wrong with a process, or the function that it runs. */
static void add_function(const struct app *app, const struct process_row *row, struct buf *out)
{
	int64_t silence = row->last == INT64_MIN ? 0 : app->process_list.rows.t1 - row->last;

	if (*row->state)
		buf_adds(out, row->state);
	else if (app->live && silence > SILENT_NS)
		buf_addf(out, "no answer since %s", units_time_whole(silence, UNITS_ROOM));
	else if (*row->function)
		buf_addf(out, "%.0f %%  %s", row->share, row->function);
}

static void cell(const void *ctx, size_t at, size_t column, struct buf *out)
{
	const struct app *app = ctx;
	const struct process_row *row = &app->process_list.rows.rows[at];
	unsigned order = columns[column].order;

	switch (columns[column].cell) {
	case CELL_NAME:
		buf_adds(out, row->name);
		break;
	case CELL_PID:
		buf_addf(out, "%" PRId64, row->pid);
		break;
	case CELL_ROLE:
		buf_adds(out, row->role);
		break;
	case CELL_STRIP:
		/* Where the last column is left out. */
		if (order == METRIC_BUSY &&
		    app->process_list.columns[PROCESS_COLUMNS - 1].cols == INT_MAX && *row->state) {
			buf_adds(out, row->state);
			break;
		}
		add_strip(app, row, order, app->process_list.columns[column].width - 2, out);
		break;
	case CELL_VALUE:
		add_value(row->value[order], order, out);
		break;
	case CELL_FUNCTION:
		add_function(app, row, out);
	}
}

static bool is_bad(const void *ctx, size_t at)
{
	const struct app *app = ctx;
	const struct process_row *row = &app->process_list.rows.rows[at];

	return *row->state != '\0';
}

/* Append a part of a line, if the line has room for all of it. */
static void add_part(const struct app *app, const struct buf *part, struct buf *line)
{
	if (text_cells(buf_text(line), line->len) + text_cells(buf_text(part), part->len) <
	    app->cols - 1)
		buf_add(line, buf_text(part), part->len);
}

/* Append the process with most of a metric. */
static void tell_most(const struct app *app, const char *what, unsigned metric, struct buf *out)
{
	const struct process_rows *rows = &app->process_list.rows;
	const struct process_row *most = NULL;
	BUF_LOCAL part = { 0 };

	for (size_t i = 0; i < rows->n; i++)
		if (rows->rows[i].value[metric] > 0 && !*rows->rows[i].state &&
		    (!most || rows->rows[i].value[metric] > most->value[metric]))
			most = &rows->rows[i];
	if (!most)
		return;
	buf_addf(&part, "%s%s: %s (%" PRId64 ") ", out->len ? "    " : "", what, most->name,
		 most->pid);
	add_value(most->value[metric], metric, &part);
	add_part(app, &part, out);
}

void process_list_tell(const struct app *app, struct buf *verdict, struct buf *text)
{
	/* The most needed first. */
	static const struct {
		const char *name;
		enum metric metric;
	} shown[] = { { "busy", METRIC_BUSY },         { "task", METRIC_TASK },
		      { "delay", METRIC_DELAY },       { "GC", METRIC_GC },
		      { "heap", METRIC_HEAP },         { "rss", METRIC_RSS },
		      { "external", METRIC_EXTERNAL }, { "handles", METRIC_HANDLES } };
	const struct process_list *l = &app->process_list;
	const struct process_row *row;
	BUF_LOCAL part = { 0 };

	tell_most(app, "busiest", METRIC_BUSY, verdict);
	tell_most(app, "longest task", METRIC_TASK, verdict);
	if (l->order.cursor >= l->rows.n)
		return;
	row = &l->rows.rows[l->order.cursor];
	buf_addf(text, "%s  %" PRId64, row->name, row->pid);
	if (*row->state)
		buf_addf(text, "  %s", row->state);
	for (size_t i = 0; i < ARRAY_LEN(shown) && !*row->state; i++) {
		if (row->value[shown[i].metric] < 0)
			continue;
		buf_clear(&part);
		buf_addf(&part, "  %s ", shown[i].name);
		add_value(row->value[shown[i].metric], shown[i].metric, &part);
		add_part(app, &part, text);
	}
}

bool process_list_is_alone(const struct app *app)
{
	return app->is_pane_open && app->is_pane_max && app->shown == &process_list_pane;
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct process_list *l = &app->process_list;

	(void)is_current;
	bring_up_to_date(app);
	find_widths(l, area->cols);
	l->order.top = table_scroll(area->rows, l->rows.n, l->order.top, l->order.cursor);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct process_list *l = &app->process_list;
	char range[UNITS_MAX];

	profile_value(app->base, l->rows.t1 - l->rows.t0, range);
	snprintf(picture->scope.forms[0], sizeof picture->scope.forms[0],
		 app->live ? "values of the last second, strips of the last %s"
			   : "means of load, GC and requests, the most of others, in %s",
		 range);
	snprintf(picture->scope.forms[1], sizeof picture->scope.forms[1],
		 app->live ? "now, and the last %s" : "in %s", range);
	picture->served = (struct text_table){
		.columns = l->columns,
		.n_columns = PROCESS_COLUMNS,
		.cell = cell,
		.is_bad = is_bad,
		.ctx = app,
		.n = l->rows.n,
		.top = l->order.top,
		.cursor = l->order.cursor,
		.sort = l->order.sort ? l->order.sort : 4,
		.is_reversed = l->order.is_reversed,
		.has_focus = picture->table.has_focus,
		.is_ascii = picture->table.is_ascii,
		.empty = l->rows.n_all
			? pane_picture_no_match
			: "no process was measured: flametty live and attach do that",
	};
	picture->screen->served = &picture->served;
	pane_picture_place(picture, l->order.cursor, l->rows.n);
}

static void done(struct app *app)
{
	process_rows_done(&app->process_list.rows);
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	(void)area;
	bring_up_to_date(app);
	panes_move(&app->process_list.order.cursor, app->process_list.rows.n, rows);
	keep_pid(app);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct process_list *l = &app->process_list;

	(void)col;
	bring_up_to_date(app);
	table_hit(*area, row, l->rows.n, l->order.top, &l->order.cursor);
	keep_pid(app);
}

static void sort_by(struct app *app, size_t column)
{
	struct process_list_order *o = &app->process_list.order;

	bring_up_to_date(app);
	keep_pid(app);
	o->sort = column;
	o->is_reversed = false;
	state_say(app, false, "sorted by %s", columns[column].column.title);
}

static void sort(struct app *app, int step)
{
	struct process_list *l = &app->process_list;
	size_t to = l->order.sort ? l->order.sort : 4;

	do
		to = (to + (step < 0 ? PROCESS_COLUMNS - 1 : 1)) % PROCESS_COLUMNS;
	while (to &&
	       (columns[to].cell == CELL_STRIP || columns[to].cell == CELL_ROLE ||
		app->cols < l->columns[to].cols));
	sort_by(app, to);
}

static void reverse(struct app *app)
{
	bring_up_to_date(app);
	keep_pid(app);
	app->process_list.order.is_reversed = !app->process_list.order.is_reversed;
}

static void sort_at(struct app *app, const struct screen *screen, const struct rect *area, int col)
{
	struct process_list_order *o = &app->process_list.order;
	size_t column;

	if (!screen->served)
		return;
	column = text_table_column_at(screen->served, *area, col);
	if (column == (o->sort ? o->sort : 4))
		reverse(app);
	else
		sort_by(app, column);
}

/* The lane of a process with its samples, or else with a counter; -1: there is none. */
static int lane_of(const struct app *app, int64_t pid)
{
	int found = -1;

	for (int i = app->s.chart.n_lanes - 1; i >= 0; i--) {
		const struct lane *lane = app->s.lanes[i].lane;

		if (lane->pid == pid &&
		    (lane->kind == LANE_SAMPLES || lane->kind == LANE_COUNTER) &&
		    (found < 0 || lane->kind == LANE_SAMPLES ||
		     app->s.lanes[found].lane->kind == LANE_COUNTER))
			found = i;
	}
	return found;
}

/* Enter the process, or go to its lane. */
static void show(struct app *app)
{
	struct process_list *l = &app->process_list;
	int64_t pid;

	bring_up_to_date(app);
	if (l->order.cursor >= l->rows.n)
		return;
	keep_pid(app);
	pid = l->order.pid;
	if (app->live && app->live->is_list && *l->rows.rows[l->order.cursor].state) {
		state_say(app, false, "process %" PRId64 ": %s", pid,
			  l->rows.rows[l->order.cursor].state);
	} else if (app->live && app->live->is_list) {
		app->live->enters = pid;
		state_say(app, false, "process %" PRId64 " is recorded from now on\342\200\246",
			  pid);
	} else {
		int lane = lane_of(app, pid);

		if (lane >= 0)
			lane_picker_go(app, lane);
	}
}

const struct pane_kind process_list_pane = {
	.title = "P Processes",
	.command = CMD_PROCESSES,
	.table = PANE_TABS,
	.head_rows = 1,
	.is_filterable = true,
	.update = update,
	.draw = draw,
	.done = done,
	.move = move,
	.click = click,
	.show = show,
	.sort = sort,
	.sort_at = sort_at,
	.reverse = reverse,
};
