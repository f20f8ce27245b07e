/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "draw/heat_map.h"

#include "analyse/period.h"
#include "base/alloc.h"
#include "base/text.h"
#include "draw/flame/label.h"
#include "draw/ruler.h"
#include "draw/shade_grid.h"
#include "findings/verdict.h"

#include <stdlib.h>
#include <string.h>

/* ==== heat grid ==== */

int64_t heat_grid_time(const struct heat_grid *grid, int64_t col, int row)
{
	/* Rounded up, so that heat_grid_find() of it is this cell. */
	return grid->t0 + col * grid->period + (grid->period * row + grid->rows - 1) / grid->rows;
}

int64_t heat_grid_find(const struct heat_grid *grid, int64_t t, int *row)
{
	int64_t col = (t - grid->t0) / grid->period;

	*row = (int)((t - grid->t0) % grid->period * grid->rows / grid->period);
	return col;
}

/* Such as 2, 15 or 125, and a unit. */
static bool is_round(int64_t ns)
{
	while (ns % 10 == 0)
		ns /= 10;
	return ns < 10 || (ns % 5 == 0 && ns <= 125);
}

int heat_grid_rows(int64_t period, int most)
{
	for (int n = most; n > 1 && n >= most * 2 / 3; n--)
		if (period % n == 0 && is_round(period / n))
			return n;
	return most > 1 ? most : 1;
}

/* ==== heat map ==== */

#define SIGNAL_MAX 8192  /* values of the signal */
#define SIGNAL_SAMPLES 2 /* of a value, at least */
#define NAME_CELLS 40
#define LINE_MIN 30 /* cells for what comes back; beside it is the legend, if it has room */

void heat_map_forget(struct heat_map *map)
{
	struct heat_map old = *map;

	*map = (struct heat_map){ 0 };
	free(old.cells);
	free(old.signal);
	buf_done(&old.found);
	findings_done(&old.findings);
}

/* ---- cells ---- */

static bool is_same(const struct heat_grid *a, const struct heat_grid *b)
{
	return a->lane == b->lane && a->t0 == b->t0 && a->period == b->period &&
		a->first == b->first && a->cols == b->cols && a->rows == b->rows &&
		a->has_search == b->has_search && a->search == b->search;
}

/* Make the next cell: they are known column by column. */
static void make_cell(struct heat_map *map, const struct chart *chart, struct search *search)
{
	const struct heat_grid *grid = &map->grid;
	const struct viewport *v = chart->view;
	int row = map->n_rows;
	int64_t t0 = heat_grid_time(grid, grid->first + map->n_made, row),
		t1 = heat_grid_time(grid, grid->first + map->n_made, row + 1);
	struct overview_times times = { 0 };

	t0 = t0 > v->t_min ? t0 : v->t_min;
	t1 = t1 < v->t_max ? t1 : v->t_max;
	if (t0 < t1)
		overview_times(chart, grid->lane, search, t0, t1, &times);
	map->cells[(size_t)map->n_made * (size_t)grid->rows + (size_t)row] = (struct heat_cell){
		activity_share(times.busy, t1 - t0), activity_share(times.gc, t1 - t0),
		activity_share(times.match, t1 - t0)
	};
	if (++map->n_rows == grid->rows) {
		map->n_rows = 0;
		map->n_made++;
	}
}

/* ---- whose time it is ---- */

struct blame {
	const struct profile *profile;
	const struct lane *lane;
	int64_t *ns; /* by frame */
};

/* The nearest own code is to blame, or what ran if there is none. */
static void add_blame(void *ctx, node_id leaf, int64_t ns)
{
	const struct blame *b = ctx;
	const struct lane *lane = b->lane;
	enum category category = profile_node_frame(b->profile, lane, leaf)->category;
	node_id node = leaf;

	if (leaf == NODE_ROOT || category == CATEGORY_IDLE)
		return;
	while (node != NODE_ROOT && category != CATEGORY_GC && category != CATEGORY_PROGRAM &&
	       profile_node_frame(b->profile, lane, node)->category != CATEGORY_APP)
		node = lane->tree.parent[node];
	b->ns[lane->tree.frame[node != NODE_ROOT ? node : leaf]] += ns;
}

BLOCKS_MANY(add_blames, add_blame)

static void blame(const struct chart *chart, int lane, int64_t t0, int64_t t1, int64_t *ns)
{
	for (int i = 0; i < chart->n_lanes; i++) {
		struct blame b = { chart_as_is(chart), chart_lane_as_is(chart, i), ns };
		const struct samples *s = &b.lane->samples;
		const struct blocks_visitor visitor = { &b, add_blames, add_blame, NULL };

		if (overview_is_same(chart, lane, i) && s->n && samples_time(s, s->n) > t0 &&
		    samples_time(s, 0) < t1)
			blocks_each(s, t0, t1, &visitor);
	}
}

static frame_id most_of(const int64_t *ns, size_t n)
{
	frame_id most = FRAME_NONE;

	for (frame_id i = 0; i < n; i++)
		if (ns[i] > 0 && (most == FRAME_NONE || ns[i] > ns[most]))
			most = i;
	return most;
}

static void add_name(const struct profile *p, frame_id id, struct buf *out)
{
	if (profile_frame(p, id)->category == CATEGORY_GC)
		buf_adds(out, "GC");
	else
		label_frame(p, id, NAME_CELLS, out);
}

void heat_map_tell(const struct chart *chart, int lane, int64_t t0, int64_t t1,
		   struct search *search, struct buf *out)
{
	const struct profile *p = chart_as_is(chart);
	ALLOC_LOCAL int64_t *ns = xcalloc(p->frames.n, sizeof *ns);
	struct overview_times times;
	frame_id most;

	overview_times(chart, lane, search, t0, t1, &times);
	blame(chart, lane, t0, t1, ns);
	most = most_of(ns, p->frames.n);
	if (search)
		buf_addf(out, "search %s, ", units_share(times.match, t1 - t0, UNITS_ROOM));
	buf_addf(out, "busy %s", units_share(times.busy, t1 - t0, UNITS_ROOM));
	if (most != FRAME_NONE) {
		buf_adds(out, ", mostly ");
		add_name(p, most, out);
		buf_addf(out, " %s", units_share(ns[most], t1 - t0, UNITS_ROOM));
	}
	if (times.gc)
		buf_addf(out, ", GC %s", units_share(times.gc, t1 - t0, UNITS_ROOM));
}

/* ---- what comes back ---- */

/* A value is as long as several samples, whose own interval would come back otherwise. */
static void begin_signal(struct heat_map *map, const struct chart *chart)
{
	const struct lane *lane = chart_lane_as_is(chart, map->grid.lane);
	int64_t all = chart->view->t_max - chart->view->t_min,
		least = lane->interval_ns > 0 ? lane->interval_ns * SIGNAL_SAMPLES : 1;
	int n = 0;

	map->n = all / least < SIGNAL_MAX ? (size_t)(all / least) : SIGNAL_MAX;
	map->signal = xcalloc(map->n + 1, sizeof *map->signal);
	map->has_signal = true;
	/* Findings are of one recording. */
	for (int i = 0; i < chart->n_lanes; i++)
		n += overview_is_same(chart, map->grid.lane, i);
	if (n == 1 && findings_is_for(lane)) {
		findings_init(&map->findings, chart_as_is(chart), lane);
		findings_begin(&map->findings, chart->view->t_min, chart->view->t_max);
	}
}

static bool make_signal(struct heat_map *map, const struct chart *chart, struct budget *budget)
{
	const struct viewport all = { .t0 = chart->view->t_min, .t1 = chart->view->t_max };

	while (map->n_signal < map->n) {
		int64_t t0 = viewport_time(&all, (int)map->n_signal, (int)map->n),
			t1 = viewport_time(&all, (int)map->n_signal + 1, (int)map->n);
		struct overview_times times = { 0 };

		if (t1 > t0)
			overview_times(chart, map->grid.lane, NULL, t0, t1, &times);
		map->signal[map->n_signal++] = (float)activity_share(times.busy, t1 - t0) /
			ACTIVITY_MAX;
		if (budget_spent(budget))
			return false;
	}
	return true;
}

/* The function that has more time in the bursts of a period than at other times. ns: the period. */
static frame_id find_function(const struct heat_map *map, const struct chart *chart,
			      const struct period *period, int64_t ns)
{
	size_t n = chart_as_is(chart)->frames.n;
	ALLOC_LOCAL int64_t *in = xcalloc(n, sizeof *in), *all = xcalloc(n, sizeof *all);
	int64_t t = chart->view->t_min;

	for (int k = 0; k < PERIOD_FOLDED && t + ns < chart->view->t_max; k++, t += ns)
		blame(chart, map->grid.lane, t + (int64_t)(period->begin * (double)ns),
		      t + (int64_t)(period->end * (double)ns), in);
	blame(chart, map->grid.lane, chart->view->t_min, t, all);
	for (size_t i = 0; i < n; i++)
		in[i] -= (int64_t)((double)all[i] * (period->end - period->begin));
	return most_of(in, n);
}

/* Findings know the calls of timers one by one, so these count unless bursts of something else have
 * much more time. */
static void find_period(struct heat_map *map, const struct chart *chart)
{
	double step = (double)(chart->view->t_max - chart->view->t_min) / (double)map->n;
	const struct finding_timer *timer = &map->findings.result.timer;
	frame_id function = timer->function;
	struct period period;
	bool has_period = period_find(map->signal, map->n, &period);
	double bursts_ns = has_period ? period.more * step * (double)map->n / period.length : 0;
	int64_t ns;

	map->has_found = true;
	if (timer->interval && bursts_ns < 2 * (double)timer->ns) {
		map->found_ns = timer->interval;
		ns = timer->ns / (int64_t)timer->n;
	} else if (has_period) {
		map->found_ns = (int64_t)(period.length * step);
		ns = (int64_t)(period.more * step);
		function = find_function(map, chart, &period, map->found_ns);
	} else {
		return;
	}
	buf_addf(&map->found, "every %s: ", units_time(map->found_ns, UNITS_ROOM));
	if (function != FRAME_NONE) {
		add_name(chart_as_is(chart), function, &map->found);
		buf_adds(&map->found, ", ");
	}
	buf_adds(&map->found, units_time(ns, UNITS_ROOM));
}

bool heat_map_make(struct heat_map *map, const struct heat_grid *grid, const struct chart *chart,
		   struct search *search, struct budget *budget)
{
	if (map->grid.lane != grid->lane)
		heat_map_forget(map);
	if (!is_same(&map->grid, grid)) {
		map->grid = *grid;
		map->n_made = map->n_rows = 0;
		map->cells = xrealloc(map->cells, (size_t)grid->cols * (size_t)grid->rows,
				      sizeof *map->cells);
	}
	while (map->n_made < grid->cols) {
		make_cell(map, chart, grid->has_search ? search : NULL);
		if (map->n_made < grid->cols && budget_spent(budget))
			return false;
	}
	if (map->has_found)
		return true;
	if (!map->has_signal)
		begin_signal(map, chart);
	if (!make_signal(map, chart, budget) ||
	    (map->findings.work && !findings_work(&map->findings, budget)))
		return false;
	find_period(map, chart);
	findings_done(&map->findings);
	free(map->signal);
	map->signal = NULL;
	return true;
}

/* ---- drawing ---- */

/* The role of a cell; ROLE_PAGE: nothing. */
static enum role role_of(const struct heat_map *map, int col, int row)
{
	const struct heat_cell *c;

	if (row >= map->grid.rows)
		return ROLE_PAGE;
	c = &map->cells[(size_t)col * (size_t)map->grid.rows + (size_t)row];
	if (map->grid.has_search)
		return shade_grid_role((double)c->match / ACTIVITY_MAX);
	return c->gc && c->gc * 2 >= c->busy ? ROLE_GC
					     : shade_grid_role((double)c->busy / ACTIVITY_MAX);
}

/* Times of the rows: fifths or quarters of the period, and the row with the cursor. */
static void draw_left(struct grid *g, struct rect r, const struct heat_picture *p)
{
	const struct heat_grid *grid = &p->map->grid;
	int per_char = p->chart.is_ascii ? 1 : 2, parts = grid->rows % 5 == 0 ? 5 : 4, row, at;
	const struct amount_unit *unit = &p->chart.profile->unit;

	heat_grid_find(grid, p->cursor, &at);
	for (int i = 0; i <= parts; i++) {
		bool is_cursor = i == parts;
		char text[UNITS_MAX];

		row = is_cursor ? at : grid->rows * i / parts;
		/* Two times in neighbouring rows could not be told apart. */
		if (r.rows < 2 * parts && i % 2 && !is_cursor)
			continue;
		amount_mark(unit, heat_grid_time(grid, 0, row) - grid->t0,
			    grid->period / (is_cursor ? grid->rows * 2 : parts), text);
		grid_fill(g, r.row + row / per_char, r.col, HEAT_MAP_LEFT, ROLE_PLAIN);
		grid_puts(g, r.row + row / per_char,
			  r.col + HEAT_MAP_LEFT - 1 - text_cells(text, strlen(text)), HEAT_MAP_LEFT,
			  text, is_cursor ? ROLE_KEY : ROLE_DIM);
	}
}

static void draw_columns(struct grid *g, struct rect r, const struct heat_picture *p)
{
	const struct heat_map *map = p->map;
	const struct heat_grid *grid = &map->grid;
	bool is_ascii = p->chart.is_ascii;
	int per_char = is_ascii ? 1 : 2, at;
	int64_t col = heat_grid_find(grid, p->cursor, &at) - grid->first;

	for (int c = 0; c < grid->cols; c++)
		for (int i = 0; i * per_char < grid->rows && i < r.rows; i++) {
			enum role role[2] = { ROLE_PAGE, ROLE_PAGE };
			int64_t t = heat_grid_time(grid, grid->first + c, i * per_char);

			for (int k = 0; k < per_char && c < map->n_made; k++)
				role[k] = role_of(map, c, i * per_char + k);
			if (c == col && at / per_char == i)
				role[at % per_char] = ROLE_BUSY;
			if (c >= map->n_made)
				grid_puts(g, r.row + i, r.col + c, 1,
					  is_ascii ? "." : CHART_UNFINISHED, ROLE_DIM);
			else
				shade_grid_put(g, r.row + i, r.col + c, role[0], role[1], is_ascii);
			if (p->has_range && (t < p->t0 || t >= p->t1))
				grid_flag(g, r.row + i, r.col + c, 1, CELL_FAR);
		}
}

/* The ruler of a chart that shows these columns. */
static void draw_ruler(struct grid *g, struct rect r, const struct heat_picture *p)
{
	const struct heat_grid *grid = &p->map->grid;
	struct viewport view = { .t0 = heat_grid_time(grid, grid->first, 0),
				 .t1 = heat_grid_time(grid, grid->first + grid->cols, 0) };
	struct chart chart = p->chart;
	int row, col = (int)(heat_grid_find(grid, p->cursor, &row) - grid->first);

	view.t_min = view.t0;
	view.t_max = view.t1;
	chart.view = &view;
	chart.has_focus = false;
	chart.has_range = p->has_range;
	chart.range_t0 = p->t0;
	chart.range_t1 = p->t1;
	chart.n_marks = 0;
	ruler_draw(g, r, &chart);
	if (col < 0 || col >= r.cols)
		return;
	if (grid_at(g, r.row, r.col + col)->ch == ' ')
		grid_puts(g, r.row, r.col + col, 1, "\342\226\274", ROLE_KEY);
	else
		grid_at(g, r.row, r.col + col)->fill = ROLE_WINDOW;
}

void heat_map_draw(struct grid *g, struct rect r, const struct heat_picture *p)
{
	const struct heat_map *map = p->map;
	int room, rows = r.rows - HEAT_MAP_HEAD - HEAT_MAP_FOOT;
	BUF_LOCAL fit = { 0 };

	if (p->empty) {
		grid_put_fit(g, r.row, r.col + 1, r.cols - 2, p->empty, SIZE_MAX, ROLE_DIM);
		return;
	}
	room = shade_grid_legend(g, r, LINE_MIN, "100 %", p->what, !map->grid.has_search,
				 p->chart.is_ascii);
	sentence_fit(&fit,
		     !map->has_found          ? "looking for what comes back\342\200\246"
			     : map->found.len ? buf_text(&map->found)
					      : "no period: nothing comes back regularly",
		     room - 2);
	grid_puts(g, r.row, r.col + 1, room - 1, buf_text(&fit),
		  map->found_ns ? ROLE_PLAIN : ROLE_DIM);
	draw_ruler(g, (struct rect){ r.row + 1, r.col + HEAT_MAP_LEFT, 1, map->grid.cols }, p);
	r.row += HEAT_MAP_HEAD;
	draw_left(g, (struct rect){ r.row, r.col, rows, HEAT_MAP_LEFT }, p);
	draw_columns(g, (struct rect){ r.row, r.col + HEAT_MAP_LEFT, rows, map->grid.cols }, p);
	buf_clear(&fit);
	sentence_fit(&fit, p->words, r.cols - 2);
	grid_puts(g, r.row + rows, r.col + 1, r.cols - 2, buf_text(&fit), ROLE_PLAIN);
}
