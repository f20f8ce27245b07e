/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the cells are follows from the size of the pane, so commands compute it as pictures do. */
#include "config.h"

#include "ui/pane/heat_pane.h"

#include "base/alloc.h"
#include "draw/ruler.h"
#include "ui/actions.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdio.h>
#include <string.h>

/* For a picture; the rest comes later. What many lanes need takes more than one in any case. */
#define PICTURE_NS (30 * NS_PER_MS)
#define LANES_PICTURE_NS (5 * NS_PER_MS)
#define LANES_MANY 1000

/* The lengths of columns, in us; that of the period found is one, too. */
static const int64_t lengths[] = { 10,         20,         50,        100,       200,
				   500,        1000,       2000,      5000,      10000,
				   20000,      50000,      100000,    200000,    500000,
				   1000000,    2000000,    5000000,   10000000,  20000000,
				   30000000,   60000000,   120000000, 300000000, 600000000,
				   1200000000, 1800000000, 3600000000 };

static const struct viewport *view_of(const struct app *app)
{
	return &state_time_line(app)->view;
}

/* The time line, whatever view is on. */
static struct chart chart_of(const struct app *app)
{
	struct chart chart = state_time_line(app)->chart;

	chart.view = view_of(app);
	return chart;
}

/* The complete search; NULL: none. */
static struct search *search_of(struct app *app)
{
	struct finder *f = &app->finder;

	return finder_is_on(app) && f->is_ready && app->mode == VIEW_TIME ? &f->target.search
									  : NULL;
}

/* ---- where the cells are ---- */

static int64_t columns(const struct app *app, int64_t period)
{
	const struct viewport *v = view_of(app);

	return (v->t_max - v->t_min + period - 1) / period;
}

static int64_t default_period(const struct app *app, int cols)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(lengths) && columns(app, lengths[i] * NS_PER_US) > cols)
		i++;
	return lengths[i] * NS_PER_US;
}

/* Scroll to the cursor, by a third of the screen. */
static void scroll(struct heat_grid *grid, int64_t at, int64_t n)
{
	int64_t most = n > grid->cols ? n - grid->cols : 0;

	if (at < grid->first)
		grid->first = at - grid->cols / 3;
	else if (at >= grid->first + grid->cols)
		grid->first = at + grid->cols / 3 - grid->cols + 1;
	grid->first = grid->first > most ? most : grid->first < 0 ? 0 : grid->first;
	grid->cols = n < grid->cols ? (int)n : grid->cols;
}

/* False: there is no map. */
static bool place(struct app *app, const struct rect *area)
{
	const struct chart chart = chart_of(app);
	const struct viewport *v = chart.view;
	struct heat_pane *h = &app->heat;
	struct heat_grid *grid = &h->grid;
	int rows = area->rows - HEAT_MAP_HEAD - HEAT_MAP_FOOT, row, lane = overview_lane(&chart);

	if (lane >= 0 &&
	    !(chart.lanes[lane].lane->has_timeline && amount_is_time(&app->base->unit)))
		lane = -1;
	*grid = (struct heat_grid){ .lane = lane, .first = grid->first };
	grid->cols = area->cols - HEAT_MAP_LEFT - 1;
	if (rows < 1 || grid->cols < 1 || lane < 0)
		return false;
	grid->period = h->period_ns ? h->period_ns : default_period(app, grid->cols);
	grid->rows = heat_grid_rows(grid->period, chart.is_ascii ? rows : rows * 2);
	grid->has_search = search_of(app) != NULL;
	grid->search = app->finder.serial;
	grid->t0 = v->t_min;
	/* Columns of one second and the next are about the same times. */
	if (app->live)
		grid->t0 -= (app->base->origin_ns + v->t_min) % grid->period;
	h->t = h->t < v->t_min ? v->t_min : h->is_last || h->t >= v->t_max ? v->t_max - 1 : h->t;
	scroll(grid, heat_grid_find(grid, h->t, &row),
	       heat_grid_find(grid, v->t_max - 1, &row) + 1);
	return true;
}

/* The same for a command. */
static bool is_placed(struct app *app)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	return place(app, &layout.pane);
}

/* The time of the cell with t. */
static void cell_range(const struct app *app, int64_t t, int64_t *t0, int64_t *t1)
{
	const struct heat_grid *grid = &app->heat.grid;
	const struct viewport *v = view_of(app);
	int row;
	int64_t col = heat_grid_find(grid, t, &row);

	*t0 = heat_grid_time(grid, col, row);
	*t1 = heat_grid_time(grid, col, row + 1);
	*t0 = *t0 > v->t_min ? *t0 : v->t_min;
	*t1 = *t1 < v->t_max ? *t1 : v->t_max;
}

/* What the words are about: the range that is selected, or the cell with the cursor. */
static void range_of(const struct app *app, int64_t *t0, int64_t *t1)
{
	const struct heat_pane *h = &app->heat;
	int64_t from, to;

	cell_range(app, h->t, t0, t1);
	if (!h->has_anchor)
		return;
	cell_range(app, h->anchor, &from, &to);
	*t0 = from < *t0 ? from : *t0;
	*t1 = to > *t1 ? to : *t1;
}

/* After the cursor has moved: so has the end of the range. */
static void follow(struct app *app)
{
	struct heat_pane *h = &app->heat;
	int64_t t0, t1;

	h->has_anchor = h->has_anchor && app->range.is_pinned;
	range_of(app, &t0, &t1);
	if (h->has_anchor)
		range_set(app, t0, t1);
}

/* Move the cursor by cells, as far as there are some. */
static void move(struct app *app, int64_t n, const struct rect *area)
{
	const struct viewport *v = view_of(app);
	struct heat_grid *grid = &app->heat.grid;
	int64_t at, last;
	int row;

	if (!place(app, area))
		return;
	at = heat_grid_find(grid, app->heat.t, &row) * grid->rows + row + n;
	last = heat_grid_find(grid, v->t_max - 1, &row) * grid->rows;
	last += row;
	at = at < 0 ? 0 : at > last ? last : at;
	app->heat.is_last = app->live && at == last;
	app->heat.t = heat_grid_time(grid, at / grid->rows, (int)(at % grid->rows));
	place(app, area);
	follow(app);
}

/* ---- the pane ---- */

/* By the clock of the ruler, of the day to a millisecond. */
static void add_time(const struct time_label *label, int64_t t, struct buf *out)
{
	char text[UNITS_MAX];

	if (label->times == CHART_TIMES_WALL)
		date_clock(t + label->origin, 3, text);
	else
		time_label_format(label, t, false, text);
	buf_adds(out, text);
}

static void make_words(struct app *app)
{
	const struct chart chart = chart_of(app);
	struct heat_pane *h = &app->heat;
	struct time_label label = time_label_of(&chart);
	int64_t t0, t1;

	buf_clear(&h->words);
	range_of(app, &t0, &t1);
	label.step = h->grid.period / h->grid.rows / 2;
	buf_adds(&h->words, h->has_anchor ? "range " : "");
	add_time(&label, t0, &h->words);
	buf_adds(&h->words, " to ");
	add_time(&label, t1, &h->words);
	buf_adds(&h->words, ": ");
	heat_map_tell(&chart, h->grid.lane, t0, t1, search_of(app), &h->words);
}

static bool make(struct app *app, struct budget *budget)
{
	const struct chart chart = chart_of(app);

	return heat_map_make(&app->heat.map, &app->heat.grid, &chart, search_of(app), budget);
}

/* Where a search or a finding has selected a call, the cursor goes. */
static void go_to_selection(struct app *app)
{
	const struct chart *chart = &app->s.chart;
	struct heat_pane *h = &app->heat;

	if (app->mode != VIEW_TIME || !chart->has_selection)
		return;
	if (h->has_seen && h->seen != chart->selected.t0) {
		h->is_last = false;
		h->t = chart->selected.t0;
	}
	h->has_seen = true;
	h->seen = chart->selected.t0;
}

void heat_pane_follow(struct app *app, const struct rect *area)
{
	if (!app->is_pane_open || app->shown != &heat_pane)
		return;
	go_to_selection(app);
	if (place(app, area))
		follow(app);
}

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct budget budget = budget_ns(app->s.chart.n_lanes < LANES_MANY ? PICTURE_NS
									   : LANES_PICTURE_NS);

	(void)is_current;
	if (!place(app, area)) {
		heat_map_forget(&app->heat.map);
		return;
	}
	make(app, &budget);
	make_words(app);
}

static int wait_ms(const struct app *app)
{
	const struct heat_map *map = &app->heat.map;

	return map->n_made < map->grid.cols || (map->grid.cols && !map->has_found) ? 0 : -1;
}

static bool work(struct app *app, struct budget *budget)
{
	int n_made = app->heat.map.n_made;

	return make(app, budget) || n_made < app->heat.map.n_made;
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	const struct heat_pane *h = &app->heat;
	const struct heat_grid *grid = &h->map.grid;
	int row;

	picture->heat = (struct heat_picture){
		.map = &h->map,
		.chart = state_time_line(app)->chart,
		.cursor = h->t,
		.has_range = app->range.is_pinned,
		.t0 = app->range.t0,
		.t1 = app->range.t1,
		.words = buf_text(&h->words),
		.what = grid->has_search ? buf_text(&app->finder.target.name) : "busy",
		.empty = grid->cols ? NULL
			: h->grid.lane >= 0
			? "no room for the heat map: z shows it on all of the screen"
			: !state_lane(app) ? "no lane has samples or slices"
					   : "this lane has no samples or slices on a time line: "
					     "[ and ] go to another lane",
	};
	picture->screen->heat = &picture->heat;
	if (!grid->cols)
		return;
	snprintf(picture->scope.forms[0], sizeof picture->scope.forms[0],
		 "columns of %s, cells of %s", units_time(grid->period, UNITS_ROOM),
		 units_time(grid->period / grid->rows, UNITS_ROOM));
	snprintf(picture->scope.forms[1], sizeof picture->scope.forms[1], "columns of %s",
		 units_time(grid->period, UNITS_ROOM));
	pane_picture_place(picture, (size_t)heat_grid_find(grid, h->t, &row),
			   (size_t)(heat_grid_find(grid, view_of(app)->t_max - 1, &row) + 1));
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	const struct heat_grid *grid = &app->heat.grid;
	int per_char = app->s.chart.is_ascii ? 1 : 2,
	    at = (row - area->row - HEAT_MAP_HEAD) * per_char;

	col -= area->col + HEAT_MAP_LEFT;
	if (!is_placed(app) || at < 0 || at >= grid->rows || col < 0 || col >= grid->cols)
		return;
	app->heat.is_last = false;
	app->heat.t = heat_grid_time(grid, grid->first + col, at);
	move(app, 0, area);
}

/* Show the range, or the cell with its neighbours, in the chart. */
static void show(struct app *app)
{
	struct heat_pane *h = &app->heat;
	int64_t t0, t1, cell;

	if (!is_placed(app))
		return;
	follow(app);
	range_of(app, &t0, &t1);
	cell = t1 - t0;
	if (h->has_anchor)
		cell = 0;
	app->range.is_pinned = app->range.is_pinned && !h->has_anchor;
	h->has_anchor = false;
	if (app->mode != VIEW_TIME)
		views_leave(app);
	leave_pane(app);
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	viewport_set(&app->s.view, t0 - cell, t1 + cell);
	/* The recording of the thread that is about this time. */
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		const struct samples *s = &app->s.profile->lanes[i].samples;

		if (overview_is_same(&app->s.chart, h->grid.lane, i) && s->n &&
		    samples_time(s, 0) < t1 && samples_time(s, s->n) > t0)
			select_lane(app, i);
	}
	select_inside_at(app, t0 + (t1 - t0) / 2);
	h->is_away = true;
	h->away_t0 = app->s.view.t0;
	h->away_t1 = app->s.view.t1;
}

static void forget(struct app *app)
{
	heat_map_forget(&app->heat.map);
}

static void done(struct app *app)
{
	heat_map_forget(&app->heat.map);
	buf_done(&app->heat.words);
}

const struct pane_kind heat_pane = {
	.title = "o2 Heat",
	.command = CMD_HEAT,
	.table = PANE_TABS,
	.head_rows = HEAT_MAP_HEAD,
	.update = update,
	.draw = draw,
	.wait_ms = wait_ms,
	.work = work,
	.forget = forget,
	.done = done,
	.move = move,
	.click = click,
	.show = show,
};

void heat_pane_open(struct app *app)
{
	app->heat.is_away = false;
	app->heat.has_seen = true;
	app->heat.seen = app->s.chart.selected.t0;
	panes_show(app, &heat_pane);
	app->is_pane_max = true;
}

bool heat_pane_is_away(const struct app *app)
{
	const struct heat_pane *h = &app->heat;

	return h->is_away && app->mode == VIEW_TIME && app->s.view.t0 == h->away_t0 &&
		app->s.view.t1 == h->away_t1;
}

/* ==== heat keys ==== */

unsigned heat_keys_open(struct app *app)
{
	const struct scene *s = state_time_line(app);

	if (!heat_pane_is_away(app) && !(app->is_pane_open && app->shown == &heat_pane)) {
		app->heat.is_last = live_is_moving(app);
		app->heat.t = s->chart.has_selection ? s->chart.selected.t0 : s->view.t0;
	}
	heat_pane_open(app);
	return APP_REDRAW;
}

unsigned heat_keys_show(struct app *app)
{
	show(app);
	return APP_REDRAW;
}

/* By n columns, or by n screens of them. */
unsigned heat_keys_column(struct app *app, int n)
{
	struct screen_layout layout;

	state_layout(app, &layout);
	if (is_placed(app))
		move(app, (int64_t)n * app->heat.grid.rows, &layout.pane);
	return APP_REDRAW;
}

unsigned heat_keys_page(struct app *app, int n)
{
	return is_placed(app) ? heat_keys_column(app, n * app->heat.grid.cols) : APP_REDRAW;
}

/* The next longer or shorter column; with it, the whole. */
unsigned heat_keys_period(struct app *app, int n)
{
	struct heat_pane *h = &app->heat;
	int64_t to = 0, found = h->map.found_ns;

	if (!is_placed(app))
		return APP_REDRAW;
	for (size_t i = 0; i <= ARRAY_LEN(lengths); i++) {
		int64_t ns = i < ARRAY_LEN(lengths) ? lengths[i] * NS_PER_US : found;

		if (n > 0 ? ns > h->grid.period && (!to || ns < to)
			  : ns < h->grid.period && ns > to)
			to = ns;
	}
	if (!to || (n > 0 && columns(app, h->grid.period) < 2))
		return state_say(app, false, "columns cannot be %s", n > 0 ? "longer" : "shorter");
	h->period_ns = to;
	return state_say(app, false, "columns of %s", units_time(to, UNITS_ROOM));
}

unsigned heat_keys_found(struct app *app)
{
	struct heat_pane *h = &app->heat;

	if (is_placed(app))
		make(app, BUDGET_UNLIMITED);
	if (!h->map.found_ns)
		return state_say(app, false, "no period was found");
	h->period_ns = h->map.found_ns;
	return state_say(app, false, "columns of %s: what comes back then is a line",
			 units_time(h->period_ns, UNITS_ROOM));
}

/* Begin a range at the cursor, or keep the one that is being selected. */
unsigned heat_keys_range(struct app *app)
{
	struct heat_pane *h = &app->heat;

	if (!is_placed(app))
		return APP_REDRAW;
	follow(app);
	if (h->has_anchor) {
		h->has_anchor = false;
		return range_keys_keep(app);
	}
	h->has_anchor = app->range.is_pinned = true;
	h->anchor = h->t;
	follow(app);
	return state_say(app, false,
			 "range: h j k l move its end; Enter zooms, v keeps it, Esc drops it");
}
