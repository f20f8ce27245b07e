/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "ui/pane/fleet_pane.h"

#include "analyse/compare/compare.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "findings/verdict.h"
#include "ui/actions.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdio.h>
#include <string.h>

static const char *const axes[] = { "host", "version", "time" };

static const char *text_of(const struct app *app, str_id text)
{
	return intern_text(&app->fleet.grid.answers->hosts.fleet->strings, text);
}

static const struct fleet_function *function_at(const struct app *app, size_t at)
{
	const struct fleet_grid *grid = &app->fleet.grid;

	return &grid->table->fleet->functions[grid->table->rows[grid->order[at]]];
}

/* ---- order ---- */

static bool comes_before(const void *a, const void *b, const void *ctx)
{
	const struct app *app = ctx;
	const struct fleet_pane *p = &app->fleet;
	const struct fleet_table *t = p->grid.table;
	uint32_t x = *(const uint32_t *)(p->is_reversed ? b : a),
		 y = *(const uint32_t *)(p->is_reversed ? a : b);

	if (p->sort == FLEET_ORDER_NAME)
		return strcmp(text_of(app, t->fleet->functions[t->rows[x]].name),
			      text_of(app, t->fleet->functions[t->rows[y]].name)) < 0;
	return p->key[x] > p->key[y];
}

/* Put the rows of the table in order. The cursor stays on its function. */
static void put_in_order(struct app *app)
{
	struct fleet_pane *p = &app->fleet;
	const struct fleet_table *t = p->grid.table;
	ALLOC_LOCAL double *shares = xcalloc(t->n_cols + 1, sizeof *shares);
	uint32_t at = p->order && p->grid.row < t->n_rows ? p->order[p->grid.row] : 0;

	p->order = xrealloc(p->order, t->n_rows + 1, sizeof *p->order);
	p->median = xrealloc(p->median, t->n_rows + 1, sizeof *p->median);
	p->key = xrealloc(p->key, t->n_rows + 1, sizeof *p->key);
	for (size_t row = 0; row < t->n_rows; row++) {
		uint32_t n = 0;
		double most = 0;

		for (size_t c = 0; c < t->n_cols; c++) {
			double share = fleet_table_share(t, row, c, p->grid.is_total);

			most = share > most ? share : most;
			if (t->facts[c].busy_ns > 0)
				shares[n++] = share;
		}
		p->median[row] = n ? compare_stats_median(shares, n) : 0;
		p->key[row] = p->sort == FLEET_ORDER_COLUMN
			? fleet_table_share(t, row, p->grid.col, p->grid.is_total)
			: p->sort == FLEET_ORDER_SPREAD ? most - p->median[row]
							: p->median[row];
		p->order[row] = (uint32_t)row;
	}
	sort_stable(p->order, t->n_rows, sizeof *p->order, comes_before, app);
	p->grid.order = p->order;
	p->grid.median = p->median;
	for (size_t i = 0; i < t->n_rows; i++)
		if (p->order[i] == at)
			p->grid.row = i;
}

static void go_to(struct app *app, uint32_t function, size_t col)
{
	struct fleet_grid *grid = &app->fleet.grid;

	grid->col = col < grid->table->n_cols ? col : 0;
	for (size_t i = 0; i < grid->table->n_rows; i++)
		if (grid->table->rows[grid->order[i]] == function)
			grid->row = i;
}

/* Show the table of an axis, with the cursor on the same function. */
static void show_axis(struct app *app, enum fleet_axis axis)
{
	struct fleet_pane *p = &app->fleet;
	const struct fleet_answers *answers = p->grid.answers;
	uint32_t function = UINT32_MAX;

	if (p->grid.table && p->grid.table->n_rows)
		function = p->grid.table->rows[p->grid.order[p->grid.row]];
	fleet_table_done(&p->other);
	if (axis != FLEET_BY_HOST)
		fleet_table_init(&p->other, answers->hosts.fleet, axis, FLEET_NO_SIDE);
	p->grid.table = axis == FLEET_BY_HOST ? &answers->hosts : &p->other;
	p->grid.row = p->grid.col = p->grid.top = p->grid.first = 0;
	p->grid.wanted = 0;
	put_in_order(app);
	if (function != UINT32_MAX)
		go_to(app, function, 0);
}

/* ---- words ---- */

static void add_share(struct buf *out, double share)
{
	buf_addf(out, "%.*f %%", share < 0.0995 && share > 0, share * 100);
}

static void tell_fleet(struct app *app)
{
	struct fleet_pane *p = &app->fleet;
	const struct fleet_answers *a = p->grid.answers;
	const struct fleet *fleet = a->hosts.fleet;
	const struct fleet_function *functions = fleet->functions;

	buf_addf(&p->title, "fleet  %s host%s, ", units_count(a->hosts.n_cols, UNITS_ROOM),
		 a->hosts.n_cols == 1 ? "" : "s");
	buf_adds(&p->title, units_count(fleet->all.n_profiles, UNITS_ROOM));
	buf_addf(&p->title, " profiles, %s busy", units_time(fleet->all.busy_ns, UNITS_ROOM));
	if (fleet->is_stopped)
		buf_adds(&p->title, ": what was read until C-c");
	if (a->n_outliers) {
		const struct fleet_outlier *o = &a->outliers[0];

		buf_addf(&p->verdict, "%s: %s ", fleet_grid_name(&a->hosts, o->col),
			 text_of(app, functions[o->function].name));
		add_share(&p->verdict, o->share);
		buf_adds(&p->verdict, ", elsewhere ");
		add_share(&p->verdict, o->median);
		if (a->n_outliers > 1)
			buf_addf(&p->verdict, "; %s more stand out",
				 units_count(a->n_outliers - 1, UNITS_ROOM));
	} else {
		buf_addf(&p->verdict,
			 a->hosts.n_cols > 1 ? "no host is different" : "one host only");
	}
	if (a->n_breaks) {
		const struct fleet_break *b = &a->breaks[0];

		buf_addf(&p->heaviest, "since %s: %s ", text_of(app, fleet->bins[b->bin].value),
			 text_of(app, functions[b->function].name));
		add_share(&p->heaviest, b->before);
		buf_adds(&p->heaviest, " -> ");
		add_share(&p->heaviest, b->after);
		buf_adds(&p->heaviest, "   ");
	}
	if (!a->n_tops)
		return;
	buf_addf(&p->heaviest, "heaviest: %s ", text_of(app, functions[a->tops[0].function].name));
	add_share(&p->heaviest, a->tops[0].median);
	buf_addf(&p->heaviest, " (%.0f to %.0f on %s of %s hosts)", a->tops[0].least * 100,
		 a->tops[0].most * 100, units_count(a->tops[0].n_hosts, UNITS_ROOM),
		 units_count(a->tops[0].n_all, UNITS_ROOM));
}

/* Why a host is not judged; NULL: it is. */
static const char *why_unjudged(const struct fleet_grid *grid)
{
	const struct fleet_unjudged *u = fleet_grid_unjudged(grid, grid->col);

	return !u                                 ? NULL
		: u->reason == FLEET_BAD_SAMPLING ? "; not judged: badly sampled"
						  : "; not judged: little work";
}

static void tell_cell(const struct app *app, struct buf *out)
{
	const struct fleet_grid *grid = &app->fleet.grid;
	const struct fleet_table *t = grid->table;
	const struct fleet_facts *facts = &t->facts[grid->col];
	size_t row = grid->order[grid->row];
	double least = 1, most = 0;
	const char *why = why_unjudged(grid);

	buf_addf(out, "%s, %s: own ", fleet_grid_name(t, grid->col),
		 text_of(app, function_at(app, grid->row)->name));
	add_share(out, fleet_table_share(t, row, grid->col, false));
	buf_adds(out, ", total ");
	add_share(out, fleet_table_share(t, row, grid->col, true));
	if (fleet_grid_is_marked(grid, t->rows[row], grid->col))
		buf_adds(out, "; stands out");
	if (why)
		buf_adds(out, why);
	for (size_t c = 0; c < t->n_cols; c++) {
		double share = fleet_table_share(t, row, c, grid->is_total);

		if (c == grid->col || t->facts[c].busy_ns <= 0)
			continue;
		least = share < least ? share : least;
		most = share > most ? share : most;
	}
	if (most >= least)
		buf_addf(out, "; others %.1f to %.1f", least * 100, most * 100);
	buf_addf(out, "; in %s of %s profiles, %s busy",
		 units_count(t->n_profiles[row * t->n_cols + grid->col], UNITS_ROOM),
		 units_count(facts->n_profiles, UNITS_ROOM),
		 units_time(facts->busy_ns, UNITS_ROOM));
	if (facts->n_expected)
		buf_addf(out, "; %s of samples arrived",
			 units_share((int64_t)facts->n_samples, (int64_t)facts->n_expected,
				     UNITS_ROOM));
}

static void tell_function(const struct app *app, struct buf *out)
{
	const struct fleet_function *f = function_at(app, app->fleet.grid.row);

	buf_adds(out, text_of(app, f->name));
	if (f->url)
		buf_addf(out, "  %s", text_of(app, f->url));
	if (f->url && f->line > 0)
		buf_addf(out, ":%lld", (long long)f->line);
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	struct fleet_pane *p = &app->fleet;
	BUF_LOCAL words = { 0 };

	(void)is_current;
	buf_clear(&p->words);
	buf_clear(&p->function);
	p->grid.is_ascii = app->s.chart.is_ascii;
	if (!p->grid.answers || !p->grid.table->n_rows || !p->grid.table->n_cols)
		return;
	fleet_grid_place(&p->grid, *area);
	tell_cell(app, &words);
	sentence_fit(&p->words, buf_text(&words), app->cols - 2);
	tell_function(app, &p->function);
	p->grid.function = buf_text(&p->function);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	static const char *const orders[] = { "median", "column", "spread", "name" };
	const struct fleet_pane *p = &app->fleet;

	if (!p->grid.answers) {
		picture->table.empty = "this is no fleet: flametty fleet -i DIR shows one";
		return;
	}
	picture->screen->fleet = &p->grid;
	snprintf(picture->scope.forms[0], sizeof picture->scope.forms[0],
		 "%s shares of busy time by %s, in %%, sorted by %s",
		 p->grid.is_total ? "total" : "own", axes[p->grid.table->axis], orders[p->sort]);
	snprintf(picture->scope.forms[1], sizeof picture->scope.forms[1], "%s %% by %s",
		 p->grid.is_total ? "total" : "own", axes[p->grid.table->axis]);
	pane_picture_place(picture, p->grid.row, p->grid.table->n_rows);
}

static void done(struct app *app)
{
	struct fleet_pane *p = &app->fleet;

	fleet_table_done(&p->other);
	free(p->order);
	free(p->median);
	free(p->key);
	pattern_free(p->pattern);
	buf_done(&p->title);
	buf_done(&p->verdict);
	buf_done(&p->heaviest);
	buf_done(&p->words);
	buf_done(&p->function);
	*p = (struct fleet_pane){ 0 };
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	(void)area;
	if (app->fleet.grid.answers)
		panes_move(&app->fleet.grid.row, app->fleet.grid.table->n_rows, rows);
}

static bool aside(struct app *app, int n)
{
	if (app->fleet.grid.answers)
		panes_move(&app->fleet.grid.col, app->fleet.grid.table->n_cols, n);
	return true;
}

/* To the cells that stand out. */
static bool next_marked(struct app *app, int n)
{
	struct fleet_grid *grid = &app->fleet.grid;
	size_t all, at;

	if (!grid->answers || !grid->table->n_rows)
		return true;
	all = grid->table->n_rows * grid->table->n_cols;
	at = grid->row * grid->table->n_cols + grid->col;
	for (size_t i = 1; i <= all; i++) {
		size_t to = (n > 0 ? at + i : at + all - i) % all, row = to / grid->table->n_cols;

		if (fleet_grid_is_marked(grid, grid->table->rows[grid->order[row]],
					 to % grid->table->n_cols)) {
			grid->row = row;
			grid->col = to % grid->table->n_cols;
			return true;
		}
	}
	state_say(app, false, "nothing stands out here");
	return true;
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	struct fleet_grid *grid = &app->fleet.grid;
	size_t r = grid->top + (size_t)(row - area->row - FLEET_GRID_HEAD);
	int c = col - area->col - grid->left;

	if (!grid->answers || row < area->row + FLEET_GRID_HEAD || r >= grid->table->n_rows ||
	    row >= area->row + area->rows - FLEET_GRID_FOOT)
		return;
	grid->row = r;
	if (c >= 0 && c < grid->cols * grid->width)
		grid->col = grid->first + (size_t)(c / grid->width);
}

static void sort(struct app *app, int step)
{
	struct fleet_pane *p = &app->fleet;
	static const char *const names[] = { "median", "the column with the cursor", "spread",
					     "name" };

	if (!p->grid.answers)
		return;
	p->sort = (enum fleet_order)(((int)p->sort + (step < 0 ? 3 : 1)) % 4);
	p->is_reversed = false;
	put_in_order(app);
	p->grid.row = 0;
	state_say(app, false, "sorted by %s", names[p->sort]);
}

static void reverse(struct app *app)
{
	app->fleet.is_reversed = !app->fleet.is_reversed;
	if (app->fleet.grid.answers)
		put_in_order(app);
}

/* Open the recordings of the column, with a search for the function. */
static void show(struct app *app)
{
	static const char anonymous[] = "(anonymous) in ";
	const struct fleet_grid *grid = &app->fleet.grid;
	struct app_group group = { 0 };
	BUF_LOCAL search = { 0 };
	const char *name;

	if (!grid->answers || !grid->table->n_rows)
		return;
	name = text_of(app, function_at(app, grid->row)->name);
	if (strncmp(name, anonymous, strlen(anonymous)) == 0)
		name += strlen(anonymous);
	pattern_quote(name, &search);
	group.axis = axes[grid->table->axis];
	group.value = grid->table->cols[grid->col] ? fleet_grid_name(grid->table, grid->col) : NULL;
	group.search = buf_text(&search);
	group.has_time = grid->table->axis == FLEET_BY_BIN && grid->table->fleet->has_times;
	group.at = group.has_time ? grid->table->fleet->bins[grid->col].at : 0;
	chart_diff_open_group(app, &group);
}

const struct pane_kind fleet_pane = {
	.title = "W Fleet",
	.command = CMD_ROUTES,
	.table = PANE_TABS,
	.head_rows = FLEET_GRID_HEAD + FLEET_GRID_FOOT,
	.update = update,
	.draw = draw,
	.done = done,
	.move = move,
	.aside = aside,
	.next_hot = next_marked,
	.click = click,
	.show = show,
	.sort = sort,
	.reverse = reverse,
};

void fleet_pane_open(struct app *app)
{
	panes_show(app, &fleet_pane);
	app->is_pane_max = true;
}

void fleet_pane_start(struct app *app, const struct fleet_answers *answers)
{
	struct fleet_pane *p = &app->fleet;
	const struct fleet *fleet = answers ? answers->hosts.fleet : NULL;

	if (!fleet)
		return;
	p->grid.answers = answers;
	show_axis(app, !answers->n_outliers && fleet->n_bins > 1 ? FLEET_BY_BIN : FLEET_BY_HOST);
	if (answers->n_outliers)
		go_to(app, answers->outliers[0].function, answers->outliers[0].col);
	else if (answers->n_breaks && fleet->n_bins > 1)
		go_to(app, answers->breaks[0].function, answers->breaks[0].bin);
	tell_fleet(app);
	app->is_pane_chosen = app->is_pane_open = app->is_pane_max = true;
	app->shown = &fleet_pane;
	app->focus = KEYMAP_PANE;
}

bool fleet_pane_is_alone(const struct app *app)
{
	return app->fleet.grid.answers && app->is_pane_open && app->is_pane_max &&
		app->shown == &fleet_pane;
}

/* ---- search ---- */

static bool is_match(const struct app *app, const char *text)
{
	return pattern_find(app->fleet.pattern, text, strlen(text), NULL, NULL);
}

unsigned fleet_pane_walk(struct app *app, int n)
{
	struct fleet_grid *grid = &app->fleet.grid;
	size_t rows = grid->table->n_rows, cols = grid->table->n_cols;

	if (!app->fleet.pattern)
		return state_say(app, false, "/ looks for functions and columns");
	for (size_t i = 1; i <= rows; i++) {
		size_t to = (n > 0 ? grid->row + i : grid->row + rows - i) % rows;

		if (is_match(app, text_of(app, function_at(app, to)->name))) {
			grid->row = to;
			return APP_REDRAW;
		}
	}
	for (size_t i = 1; i <= cols; i++) {
		size_t to = (n > 0 ? grid->col + i : grid->col + cols - i) % cols;

		if (is_match(app, fleet_grid_name(grid->table, to))) {
			grid->col = to;
			return APP_REDRAW;
		}
	}
	return state_say(app, false, "no function and no %s matches", axes[grid->table->axis]);
}

unsigned fleet_pane_search(struct app *app)
{
	if (app->prompt.kind == PROMPT_NONE)
		prompt_open(&app->prompt, PROMPT_FLEET, NULL);
	return APP_REDRAW;
}

static void changed(struct app *app)
{
	(void)app;
}

static void cancel(struct app *app)
{
	prompt_close(&app->prompt, false);
}

static void accept(struct app *app)
{
	const char *text = buf_text(&app->prompt.text);
	struct error err = ERROR_INIT;
	struct pattern *pattern;

	if (!*text && prompt_last(&app->prompt))
		text = prompt_last(&app->prompt);
	pattern = pattern_new(text, strlen(text), app->prompt.is_plain, &err);
	prompt_close(&app->prompt, true);
	if (!pattern) {
		state_say(app, true, "%s", err.text);
		return;
	}
	pattern_free(app->fleet.pattern);
	app->fleet.pattern = pattern;
	fleet_pane_walk(app, 1);
}

const struct prompt_user fleet_prompt = { changed, accept, cancel };

/* ==== fleet keys ==== */

/* The next axis that has columns. */
unsigned fleet_keys_axis(struct app *app)
{
	const struct fleet_grid *grid = &app->fleet.grid;
	bool has_bins;
	int axis;

	if (!grid->answers)
		return APP_REDRAW;
	has_bins = grid->answers->hosts.fleet->n_bins > 1;
	axis = ((int)grid->table->axis + 1) % 3;
	if (axis == FLEET_BY_BIN && !has_bins)
		axis = FLEET_BY_HOST;
	show_axis(app, (enum fleet_axis)axis);
	return state_say(app, false, "columns by %s%s", axes[axis],
			 axis == FLEET_BY_HOST && !has_bins ? "; --by=hour has times, too" : "");
}

unsigned fleet_keys_total(struct app *app)
{
	app->fleet.grid.is_total = !app->fleet.grid.is_total;
	if (app->fleet.grid.table)
		put_in_order(app);
	return state_say(app, false, "%s time", app->fleet.grid.is_total ? "total" : "own");
}

/* Wider or narrower columns. */
unsigned fleet_keys_width(struct app *app, int n)
{
	struct fleet_grid *grid = &app->fleet.grid;
	int to = (grid->wanted ? grid->wanted : grid->width) + n;

	grid->wanted = to < 1 ? 1 : to > FLEET_GRID_WIDTH ? FLEET_GRID_WIDTH : to;
	return APP_REDRAW;
}
