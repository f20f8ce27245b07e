/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the rows in view are made into lines, and only for them the longest call is looked for,
 * CALLS_STEP calls for each picture. */
#include "config.h"

#include "ui/chart/lane_picker.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/lane_title.h"
#include "model/profile.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

#define CALLS_STEP 200000
#define FIGURE_CELLS 10
#define BAR_COLS 100 /* from this width on bars are long */
#define KIND_CELLS 8
#define INDENT 2 /* cells of a step of the tree */
#define DEEPEST 10
#define GROUPS_FROM 50 /* lanes; fewer are listed without groups */

static const char *const kinds[] = {
	[LANE_SAMPLES] = "samples", [LANE_SLICES] = "slices", [LANE_ASYNC] = "async",
	[LANE_COUNTER] = "counter", [LANE_MARKS] = "marks",   [LANE_OBJECTS] = "objects",
};

static const struct lane *lane_at(const struct app *app, int i)
{
	return &app->s.profile->lanes[i];
}

/* What is open on other lanes is not busy. */
static bool has_time(const struct lane *lane)
{
	return lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES;
}

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct lane *x = lane_at(ctx, *(const int *)a), *y = lane_at(ctx, *(const int *)b);

	return lane_page_compare(x, has_time(x) ? lane_worked_ns(x) : -1, y,
				 has_time(y) ? lane_worked_ns(y) : -1) < 0;
}

/* The name of a lane, with the labels of its file. */
static void name_of(const struct app *app, int lane, bool is_brief, struct buf *out)
{
	const struct profile *p = app->s.profile;
	const struct lane *of = lane_at(app, lane);

	if (is_brief)
		lane_name_brief(p, of, out);
	else
		lane_name(p, of, true, out);
	if (p->inputs[of->input].labels)
		buf_adds(out, "  ");
	labels_add(&p->labels, &p->strings, p->inputs[of->input].labels, out);
}

static bool is_found(const struct app *app, int lane, struct buf *name)
{
	if (lane_at(app, lane)->is_joined)
		return false;
	buf_clear(name);
	name_of(app, lane, false, name);
	return strcasestr(buf_text(name), buf_text(&app->prompt.text)) != NULL;
}

/* Names without a lane belong to the time order, in which all lanes are listed. */
static int n_named(const struct app *app)
{
	return app->mode == VIEW_TIME ? (int)app->s.profile->n_named : 0;
}

static const struct profile_named *named_at(const struct app *app, int i)
{
	return &app->s.profile->named[i - app->s.chart.n_lanes];
}

static bool is_lane(const struct app *app, int i)
{
	return i < app->s.chart.n_lanes;
}

/* The group of a row, which is -1 for the first one; NULL: the row is of a lane or a name. */
static struct lane_group *group_at(const struct app *app, int row)
{
	return row < 0 ? &app->lane_picker.groups[-1 - row] : NULL;
}

static void find_named(struct app *app, struct buf *name)
{
	struct lane_picker *p = &app->lane_picker;

	for (int i = app->s.chart.n_lanes; i < app->s.chart.n_lanes + n_named(app); i++) {
		buf_clear(name);
		lane_name_of_named(app->s.profile, named_at(app, i), name);
		if (strcasestr(buf_text(name), buf_text(&app->prompt.text)))
			p->found[p->n_found++] = i;
	}
}

/* ---- the tree of processes ---- */

/* The lane below which this one is: of a worker, that of the main thread; of a main thread, that of
 * the process that started it. Processes are in the order in which they began, so it comes before;
 * -1: none does. */
static int find_above(const struct app *app, int lane)
{
	const struct lane *of = lane_at(app, lane);
	int64_t pid = of->tid == 0 ? of->parent_pid : of->pid;

	for (int i = lane; of->has_parent && i-- > 0;)
		if (lane_at(app, i)->pid == pid && lane_at(app, i)->tid == 0 &&
		    lane_at(app, i)->group == of->group)
			return i;
	return -1;
}

/* Number the lanes from each root on down; next: where those below a lane, or the roots (at n), and
 * those beside it go on. */
static void number_tree(struct lane_picker *p, int n, const int *above, int *below, int *beside)
{
	int at = 0, lane;

	for (int i = 0; i <= n; i++)
		below[i] = -1;
	for (int i = n; i-- > 0;) {
		int up = above[i] >= 0 ? above[i] : n;

		beside[i] = below[up];
		below[up] = i;
	}
	for (lane = below[n]; lane >= 0;) {
		p->tree[at++] = lane;
		p->depth[lane] = above[lane] >= 0 ? p->depth[above[lane]] + 1 : 0;
		if (below[lane] >= 0) {
			lane = below[lane];
			continue;
		}
		while (lane >= 0 && beside[lane] < 0)
			lane = above[lane];
		lane = lane >= 0 ? beside[lane] : -1;
	}
}

static void find_tree(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;
	size_t n = (size_t)app->s.chart.n_lanes;
	bool has_tree = false;
	ALLOC_LOCAL int *room = NULL;

	for (size_t i = 0; i < n; i++)
		has_tree |= lane_at(app, (int)i)->has_parent;
	if (!has_tree)
		return;
	p->tree = xcalloc(n, sizeof *p->tree);
	p->depth = xcalloc(n, sizeof *p->depth);
	room = xcalloc(3 * n + 1, sizeof *room);
	for (size_t i = 0; i < n; i++)
		room[i] = find_above(app, (int)i);
	number_tree(p, (int)n, room, room + n, room + 2 * n + 1);
}

/* Whether the tree is shown: the whole list is. */
static bool shows_tree(const struct app *app)
{
	return app->lane_picker.tree && app->prompt.text.len == 0;
}

/* ---- groups ---- */

/* 0: it is not known. */
static str_id host_of(const struct app *app, int lane)
{
	const struct profile *p = app->s.profile;
	const str_id *of = p->inputs[lane_at(app, lane)->input].host;

	return of[INPUT_HOST_LABEL] ? of[INPUT_HOST_LABEL] : of[INPUT_HOST_NAME];
}

static bool has_hosts(const struct app *app)
{
	for (int i = 1; i < app->s.chart.n_lanes; i++)
		if (host_of(app, i) != host_of(app, 0))
			return true;
	return false;
}

/* Lanes of one host are together, and of one process where no host is known. */
static int compare_groups(const struct app *app, const struct lane_group *a,
			  const struct lane_group *b)
{
	const struct lane *x = lane_at(app, a->first), *y = lane_at(app, b->first);

	if (a->host || b->host)
		return SORT_BY_1(a->host, b->host);
	if (x->pid == LANE_NO_ID && y->pid == LANE_NO_ID)
		return 0;
	return SORT_BY_2(x->pid, y->pid, x->group, y->group);
}

static bool is_group_before(const void *a, const void *b, const void *ctx)
{
	return compare_groups(ctx, a, b) < 0;
}

static bool is_busier(const void *a, const void *b, const void *ctx)
{
	const struct lane_group *x = a, *y = b;

	(void)ctx;
	return x->busy_ns > y->busy_ns;
}

static void add_to_group(const struct app *app, struct lane_group *group, int lane)
{
	const struct lane *of = lane_at(app, lane);

	app->lane_picker.members[group->from + group->n++] = lane;
	if (has_time(of))
		group->busy_ns += lane_worked_ns(of);
	group->gc_ns += of->gc_ns;
}

/* Group the lanes. Too few lanes, and groups of hardly more than one lane, need none. */
static void find_groups(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;
	size_t n = 0, n_groups = 0;
	bool by_host = has_hosts(app);
	ALLOC_LOCAL struct lane_group *one = NULL;

	if (p->tree || app->s.chart.n_lanes < GROUPS_FROM)
		return;
	one = xcalloc((size_t)app->s.chart.n_lanes, sizeof *one);
	p->members = xcalloc((size_t)app->s.chart.n_lanes, sizeof *p->members);
	for (int i = 0; i < app->s.chart.n_lanes; i++)
		if (!lane_at(app, i)->is_joined)
			one[n++] = (struct lane_group){ .first = i,
							.host = by_host ? host_of(app, i) : 0 };
	sort_stable(one, n, sizeof *one, is_group_before, app);
	for (size_t i = 0; i < n; i++) {
		int lane = one[i].first;

		if (i == 0 || compare_groups(app, &one[n_groups - 1], &one[i]) != 0) {
			one[n_groups] = one[i];
			one[n_groups++].from = i;
		}
		add_to_group(app, &one[n_groups - 1], lane);
	}
	if (n < GROUPS_FROM || n_groups < 2 || 2 * n_groups > n)
		return;
	for (size_t i = 0; i < n_groups; i++)
		sort_stable(p->members + one[i].from, one[i].n, sizeof *p->members, is_before, app);
	sort_stable(one, n_groups, sizeof *one, is_busier, NULL);
	p->groups = one;
	p->n_groups = (int)n_groups;
	one = NULL;
}

/* Whether groups are shown: the whole list is. */
static bool shows_groups(const struct app *app)
{
	return app->lane_picker.groups && app->prompt.text.len == 0;
}

static void list_groups(struct lane_picker *p)
{
	for (int i = 0; i < p->n_groups; i++) {
		const struct lane_group *group = &p->groups[i];

		p->found[p->n_found++] = -1 - i;
		for (size_t k = 0; group->is_open && k < group->n; k++)
			p->found[p->n_found++] = p->members[group->from + k];
	}
}

/* ---- the list ---- */

static void find_lanes(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;
	BUF_LOCAL name = { 0 };

	p->n_found = p->n_all = p->top = p->cursor = 0;
	if (shows_groups(app))
		list_groups(p);
	for (int i = 0; i < app->s.chart.n_lanes; i++) {
		int lane = shows_tree(app) ? p->tree[i] : i;

		p->n_all += !lane_at(app, lane)->is_joined;
		if (!shows_groups(app) && is_found(app, lane, &name))
			p->found[p->n_found++] = lane;
	}
	if (!shows_tree(app) && !shows_groups(app))
		sort_stable(p->found, (size_t)p->n_found, sizeof *p->found, is_before, app);
	p->n_lanes = p->n_found;
	find_named(app, &name);
}

unsigned lane_picker_open(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;
	size_t n = (size_t)app->s.chart.n_lanes + (size_t)n_named(app);

	if (app->prompt.kind != PROMPT_NONE || n == 0)
		return APP_REDRAW;
	find_tree(app);
	find_groups(app);
	p->found = xrealloc(p->found, n + (size_t)p->n_groups, sizeof *p->found);
	p->longest = xrealloc(p->longest, n, sizeof *p->longest);
	for (size_t i = 0; i < n; i++)
		p->longest[i] = -1;
	p->walk_lane = -1;
	prompt_open(&app->prompt, PROMPT_LANES, NULL);
	find_lanes(app);
	return APP_REDRAW;
}

void lane_picker_done(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;

	free(p->found);
	free(p->longest);
	free(p->tree);
	free(p->depth);
	free(p->groups);
	free(p->members);
	lines_done(&p->lines);
	*p = (struct lane_picker){ 0 };
}

static void cancel(struct app *app)
{
	prompt_close(&app->prompt, false);
	lane_picker_done(app);
}

void lane_picker_go(struct app *app, int lane)
{
	app->is_touched = true;
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	app->s.lanes[lane].is_hidden = false;
	lanes_open(&app->s, lane, true);
	select_lane(app, lane);
	/* Its title, with as many of its rows as there is room for. */
	app->s.view.scroll = chart_lane_top(&app->s.chart, lane);
	state_clamp_scroll(app);
	select_reveal_row(app);
	if (!app->s.chart.has_selection && lane_at(app, lane)->kind != LANE_COUNTER)
		state_say(app, false, "nothing here in this window; 0 shows the whole");
}

static void accept(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;
	int at = p->cursor, top = p->top, lane = at < p->n_found ? p->found[at] : 0;
	struct lane_group *group = group_at(app, lane);
	bool has_row = at < p->n_found;

	if (group) {
		group->is_open = !group->is_open;
		find_lanes(app);
		p->cursor = at;
		p->top = top;
		return;
	}
	cancel(app);
	if (!has_row)
		return;
	if (!is_lane(app, lane)) {
		state_say(app, true, "nothing to go to: a name without events");
		return;
	}
	lane_picker_go(app, lane);
}

const struct prompt_user lane_picker_prompt = { find_lanes, accept, cancel };

void lane_picker_move(struct app *app, int rows)
{
	struct lane_picker *p = &app->lane_picker;
	int last = p->n_found - 1, to = p->cursor + rows;

	to = to > last ? last : to;
	p->cursor = to < 0 ? 0 : to;
}

/* Go on to look for the longest time that one function other than idle time stays in the first row
 * of a lane. *left: how many calls may still be looked at. */
static void find_longest(struct app *app, int lane, int *left)
{
	struct lane_picker *p = &app->lane_picker;
	const struct lane *of = lane_at(app, lane);
	const struct samples *s = &of->samples;

	if (p->walk_lane != lane) {
		p->walk_lane = lane;
		p->walk_at = 0;
		p->walk_longest = 0;
	}
	while (p->walk_at < s->n && --*left > 0) {
		size_t at = p->walk_at, end = samples_run_end(s, at, 1) + 1;
		node_id node = s->leaf[at];

		p->walk_at = end;
		if (samples_time(s, end) - samples_time(s, at) <= p->walk_longest ||
		    node == NODE_ROOT)
			continue;
		while (of->tree.rows[node] > 1)
			node = of->tree.parent[node];
		if (profile_node_frame(app->s.profile, of, node)->category != CATEGORY_IDLE)
			p->walk_longest = samples_time(s, end) - samples_time(s, at);
	}
	if (p->walk_at >= s->n)
		p->longest[lane] = p->walk_longest;
}

/* Where all are of one kind, the list does not say of which. */
static bool has_kinds(const struct app *app)
{
	for (int i = 1; i < app->s.chart.n_lanes; i++)
		if (lane_at(app, i)->kind != lane_at(app, 0)->kind)
			return true;
	return n_named(app) > 0;
}

enum figure { BUSY, GC, LONGEST, FIGURES };

/* A line of the list. All bars are on one scale, whose end is the time of the busiest lane, or of
 * the busiest group. */
struct figures {
	const struct app *app;
	struct buf line;
	struct line_bar bars[FIGURES];
	int n_bars;
	int cells[FIGURES]; /* of bars */
};

static void begin_line(struct figures *f, const struct app *app, int cols)
{
	*f = (struct figures){ .app = app };
	/* In a narrow list names need the room. */
	for (int i = 0; i < FIGURES; i++)
		f->cells[i] = cols >= BAR_COLS                     ? 8
			: i == BUSY || !app->lane_picker.has_kinds ? 4
								   : 0;
}

/* A figure, and the gap for its bar. */
static void add_figure(struct figures *f, enum figure i, const char *text)
{
	for (int cells = text_cells(text, strlen(text)); cells < FIGURE_CELLS; cells++)
		buf_addc(&f->line, ' ');
	buf_adds(&f->line, text);
	for (int cells = f->cells[i] ? -1 : 0; cells < f->cells[i]; cells++)
		buf_addc(&f->line, ' ');
}

static void add_time(struct figures *f, enum figure i, int64_t ns, bool is_known)
{
	static const enum role roles[FIGURES] = { ROLE_BUSY, ROLE_GC, ROLE_SCRIPTING };
	int most = f->cells[i] * 8;
	int64_t full = f->app->lane_picker.full_ns;
	double part = full > 0 ? (double)ns / (double)full * most : 0;

	add_figure(f, i,
		   !is_known         ? "-"
			   : ns < 0  ? "\342\200\246"
			   : ns == 0 ? "0"
				     : profile_value(f->app->base, ns > 0 ? ns : 0, UNITS_ROOM));
	if (is_known && ns > 0 && most)
		f->bars[f->n_bars++] = (struct line_bar){
			.col = text_cells(buf_text(&f->line), f->line.len) - f->cells[i],
			.eighths = part < 1   ? 1
				: part > most ? most
					      : (int)(part + 0.5),
			.role = roles[i],
		};
}

static void add_kind(struct figures *f, const char *kind)
{
	buf_adds(&f->line, f->cells[LONGEST] ? " " : "  ");
	if (f->app->lane_picker.has_kinds)
		buf_addf(&f->line, "%-*s  ", KIND_CELLS, kind);
}

static void end_line(struct figures *f, struct lines *lines, const struct buf *name, int cols)
{
	text_fit(&f->line, buf_text(name), name->len,
		 cols - 2 - text_cells(buf_text(&f->line), f->line.len));
	/* One line each: the list is never wrapped. */
	lines_add_link(lines, buf_text(&f->line), f->line.len, cols, 0);
	for (int i = 0; i < f->n_bars; i++)
		lines_add_bar(lines, &f->bars[i], f->app->s.chart.is_ascii);
	buf_done(&f->line);
}

/* The mark of a row that is open, or folded. depth: steps of the tree before it. */
static void add_mark(struct figures *f, int depth, bool is_open)
{
	static const char *const marks[2][2] = { { "\342\226\270", "\342\226\276" }, { ">", "v" } };

	buf_addf(&f->line, "%*s%s ", INDENT * depth, "", marks[f->app->s.chart.is_ascii][is_open]);
}

static int line_depth(const struct app *app, int lane)
{
	const struct lane_picker *p = &app->lane_picker;

	if (!shows_tree(app))
		return shows_groups(app);
	return p->depth[lane] < DEEPEST ? p->depth[lane] : DEEPEST;
}

static void add_group(struct app *app, const struct lane_group *group, int cols)
{
	const struct profile *p = app->s.profile;
	const char *host = profile_text(p, group->host);
	BUF_LOCAL name = { 0 };
	struct figures f;

	begin_line(&f, app, cols);
	add_time(&f, BUSY, group->busy_ns, true);
	add_time(&f, GC, group->gc_ns, true);
	add_time(&f, LONGEST, 0, false);
	add_kind(&f, "");
	add_mark(&f, 0, group->is_open);
	if (group->host) {
		buf_adds(&name, "host ");
		text_visible(&name, host, strlen(host));
	} else {
		lane_title_process(p, lane_at(app, group->first), &name);
	}
	buf_addf(&name, ", %zu lane%s", group->n, group->n == 1 ? "" : "s");
	end_line(&f, &app->lane_picker.lines, &name, cols);
}

static void add_line(struct app *app, int lane, int cols)
{
	struct lane_picker *p = &app->lane_picker;
	const struct lane *of = lane_at(app, lane);
	BUF_LOCAL name = { 0 };
	struct figures f;

	begin_line(&f, app, cols);
	add_time(&f, BUSY, lane_worked_ns(of), has_time(of));
	add_time(&f, GC, of->gc_ns, of->kind == LANE_SAMPLES);
	add_time(&f, LONGEST, p->longest[lane], has_time(of) && of->has_timeline);
	add_kind(&f, kinds[of->kind]);
	add_mark(&f, line_depth(app, lane), chart_lane_rows(&app->s.lanes[lane]) > 0);
	name_of(app, lane, of->page || shows_groups(app), &name);
	end_line(&f, &p->lines, &name, cols);
}

static void add_head(struct app *app, int cols)
{
	struct figures f;

	begin_line(&f, app, cols);
	add_figure(&f, BUSY, "Busy");
	add_figure(&f, GC, "GC");
	add_figure(&f, LONGEST, "Longest");
	add_kind(&f, "Kind");
	buf_adds(&f.line, "  Lane");
	lines_add(&app->lane_picker.lines, buf_text(&f.line), f.line.len, cols, 0, true);
	buf_done(&f.line);
}

/* Find what all lines share. */
static void find_scale(struct app *app)
{
	struct lane_picker *p = &app->lane_picker;

	p->has_kinds = has_kinds(app);
	p->full_ns = shows_groups(app) ? p->groups->busy_ns : 0;
	for (int i = 0; !shows_groups(app) && i < app->s.chart.n_lanes; i++)
		if (has_time(lane_at(app, i)) && lane_worked_ns(lane_at(app, i)) > p->full_ns)
			p->full_ns = lane_worked_ns(lane_at(app, i));
}

bool lane_picker_update(struct app *app, int rows, int cols)
{
	struct lane_picker *p = &app->lane_picker;
	int page = rows > 2 ? rows - 2 : 1, left = CALLS_STEP;

	if (p->cursor < p->top)
		p->top = p->cursor;
	if (p->cursor >= p->top + page)
		p->top = p->cursor - page + 1;
	lines_clear(&p->lines);
	find_scale(app);
	add_head(app, cols);
	for (int i = p->top; i < p->n_found && i < p->top + page; i++) {
		int lane = p->found[i];

		if (group_at(app, lane)) {
			add_group(app, group_at(app, lane), cols);
			continue;
		}
		if (!is_lane(app, lane)) {
			BUF_LOCAL name = { 0 };
			struct figures f;

			begin_line(&f, app, cols);
			for (enum figure n = 0; n < FIGURES; n++)
				add_figure(&f, n, "-");
			add_kind(&f, "no event");
			buf_adds(&f.line, "  ");
			lane_name_of_named(app->s.profile, named_at(app, lane), &name);
			end_line(&f, &app->lane_picker.lines, &name, cols);
			continue;
		}
		if (p->longest[lane] < 0 && left > 0 && has_time(lane_at(app, lane)))
			find_longest(app, lane, &left);
		add_line(app, lane, cols);
	}
	p->lines.link = p->cursor - p->top;
	return left > 0;
}

void lane_picker_answer(const struct app *app, struct buf *out)
{
	const struct lane_picker *p = &app->lane_picker;

	if (shows_groups(app))
		buf_addf(out, "%d groups, ", p->n_groups);
	else
		buf_addf(out, "%d of ", p->n_lanes);
	buf_addf(out, "%d lane%s", p->n_all, p->n_all == 1 ? "" : "s");
	if (n_named(app))
		buf_addf(out, ", %d name%s without events", p->n_found - p->n_lanes,
			 p->n_found - p->n_lanes == 1 ? "" : "s");
	buf_adds(out,
		 shows_groups(app)      ? "; Enter: open, go there, Esc: cancel"
			 : n_named(app) ? "; Enter: go there, Esc: cancel"
					: "; Up, Down: choose, Enter: go there, Esc: cancel");
}
