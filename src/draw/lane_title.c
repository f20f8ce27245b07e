/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An open lane has its name and the figures of the whole lane; a folded one its name, its share of
 * the window, and its strip. */
#include "config.h"

#include "draw/lane_title.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/flame_request.h"
#include "draw/flame/label.h"
#include "draw/overview.h"
#include "findings/served_time.h"
#include "model/profile.h"

#include <inttypes.h>
#include <string.h>

/* ==== pool ====
 *
 * The scope and the type of objects are in the title of their lane (model/profile.h). */

/* By the title of the thread: static text, the same for the same kind; NULL: none. */
static const char *thread_pool(const struct profile *profile, const struct lane *lane)
{
	static const struct {
		const char *thread, *name;
	} pools[] = { { "Thread pool ", "Thread pool" },
		      { "ThreadPool", "Thread pool" },
		      { "Raster ", "Raster threads" } };
	const char *thread = profile_text(
		profile, lane->thread_title ? lane->thread_title : lane->thread_name);

	for (size_t i = 0; i < ARRAY_LEN(pools) && lane->tid != LANE_NO_ID; i++)
		if (strncmp(thread, pools[i].thread, strlen(pools[i].thread)) == 0)
			return pools[i].name;
	return NULL;
}

static struct object_name names_of(const struct profile *profile, const struct lane *lane)
{
	return object_name_of_lane((struct str){ profile_text(profile, lane->title),
						 intern_len(&profile->strings, lane->title) });
}

/* Whether the next lane belongs to the pool of a lane. */
static bool goes_on(const struct profile *profile, const struct lane *lane, const struct lane *next)
{
	struct str a, b;

	if (lane->pid != next->pid || lane->input != next->input)
		return false;
	if (lane->kind != LANE_OBJECTS || next->kind != LANE_OBJECTS)
		return lane->kind != LANE_OBJECTS && next->kind != LANE_OBJECTS &&
			thread_pool(profile, lane) == thread_pool(profile, next);
	a = names_of(profile, lane).scope;
	b = names_of(profile, next).scope;
	return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

int pool_end(const struct profile *profile, const struct chart_lane *lanes, int n_lanes, int first,
	     int *n)
{
	const struct lane *lane = lanes[first].lane;
	int end = first + 1;

	*n = lane->kind == LANE_OBJECTS || thread_pool(profile, lane) ? 1 : 0;
	for (; *n && end < n_lanes && goes_on(profile, lane, lanes[end].lane); end++) {
		const struct lane *before = lane;

		lane = lanes[end].lane;
		*n += lane->kind == LANE_OBJECTS ? !lane->is_joined : lane->tid != before->tid;
	}
	return end;
}

/* Append the name of the pool that begins with a lane and has n such: `Thread pool, 5 threads`,
 * `Objects in shop (pid 7), 2 lanes`. has_process: objects have name and id of the process. */
static void pool_name(const struct profile *profile, const struct lane *first, int n,
		      bool has_process, struct buf *out)
{
	const struct str none = { "", 0 };
	const char *process = profile_text(profile, first->process_name);
	BUF_LOCAL title = { 0 };

	if (first->kind != LANE_OBJECTS) {
		buf_addf(out, "%s, %d threads", thread_pool(profile, first), n);
		return;
	}
	if (*process && has_process) {
		text_visible(out, process, strlen(process));
		buf_adds(out, ": ");
	}
	object_name_title(names_of(profile, first).scope, none, &title);
	text_visible(out, buf_text(&title), title.len);
	if (first->pid != LANE_NO_ID && has_process)
		buf_addf(out, " (pid %" PRId64 ")", first->pid);
	buf_addf(out, ", %d lanes", n);
}

/* ==== lane title ==== */

/* Texts that would be truncated to less than this are left out. */
#define TEXT_MIN 12
#define FIGURE_CELLS 9   /* a share, with what is before and after it */
#define HINT_NAME_MAX 32 /* cells of the name of a selection that is off the screen */

/* Put `text`, truncated to the rest of the row; returns the cells used. */
static int put_fit(struct grid *g, int row, int col, int room, const struct buf *text)
{
	return grid_put_fit(g, row, col, room, buf_text(text), text->len, ROLE_TITLE);
}

static const char *fold_mark(const struct chart *chart, bool is_open)
{
	if (chart->is_ascii)
		return is_open ? "v " : "> ";
	return is_open ? "\342\226\276 " : "\342\226\270 ";
}

static void draw_group(struct grid *g, struct rect r, const struct chart *chart, bool is_open,
		       const struct buf *text, bool is_bold)
{
	int used;

	grid_fill(g, r.row, r.col, r.cols, ROLE_TITLE);
	used = grid_puts(g, r.row, r.col, r.cols, fold_mark(chart, is_open), ROLE_TITLE);
	put_fit(g, r.row, r.col + used, r.cols - used, text);
	if (is_bold)
		grid_flag(g, r.row, r.col, r.cols, CELL_BOLD);
}

void lane_title_process(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *name = profile_text(profile, lane->process_name);

	if (lane->pid == LANE_NO_ID) {
		buf_adds(out, "no process");
	} else if (!*name) {
		buf_addf(out, "process %" PRId64, lane->pid);
	} else {
		text_visible(out, name, strlen(name));
		buf_addf(out, " (pid %" PRId64 ")", lane->pid);
	}
	if (lane->is_twin && lane->input < profile->n_inputs) {
		const str_id *of = profile->inputs[lane->input].host;
		str_id host = of[INPUT_HOST_LABEL] ? of[INPUT_HOST_LABEL] : of[INPUT_HOST_NAME];
		const char *where = host ? profile_text(profile, host)
					 : profile_input_name(profile, lane->input);

		buf_adds(out, " \302\267 ");
		text_visible(out, where, strlen(where));
	}
}

/* The process that begins with a lane: its name and its number of lanes. */
static void draw_process(struct grid *g, struct rect r, const struct chart *chart, int index)
{
	const struct chart_lane *cl = &chart->lanes[index];
	BUF_LOCAL text = { 0 };
	int n = 0, end = index;

	if (cl->is_lone) {
		lane_name(chart->profile, cl->lane, true, &text);
		draw_group(g, r, chart, false, &text, chart->lane == index);
		return;
	}
	do
		n += !chart->lanes[end].lane->is_joined &&
			lane_is_of_process(chart->lanes[end].lane, cl->lane);
	while (++end < chart->n_lanes && !chart->lanes[end].has_group);
	lane_title_process(chart->profile, cl->lane, &text);
	buf_addf(&text, "  %d lane%s", n, n == 1 ? "" : "s");
	draw_group(g, r, chart, !cl->is_shut, &text,
		   cl->is_shut && chart->lane >= index && chart->lane < end);
}

/* The pool that begins with a lane. */
static void draw_pool(struct grid *g, struct rect r, const struct chart *chart, int index)
{
	const struct chart_lane *cl = &chart->lanes[index];
	BUF_LOCAL text = { 0 };
	int n, end = pool_end(chart->profile, chart->lanes, chart->n_lanes, index, &n);

	pool_name(chart->profile, cl->lane, n, !chart->has_groups, &text);
	if (chart->has_groups) {
		grid_fill(g, r.row, r.col, 2, ROLE_TITLE);
		r.col += 2;
		r.cols -= 2;
	}
	draw_group(g, r, chart, !cl->is_pooled, &text,
		   cl->is_pooled && chart->lane >= index && chart->lane < end);
}

void lane_title_draw_groups(struct grid *g, struct rect r, const struct chart *chart, int index,
			    int at)
{
	const struct chart_lane *cl = &chart->lanes[index];
	int end = at + lane_title_group_rows(cl);

	for (int first = at; at < end && at < r.rows; at++) {
		struct rect row = { r.row + at, r.col, 1, r.cols };

		if (at < 0)
			continue;
		if (cl->is_away) {
			/* All processes that are folded into one row. */
			BUF_LOCAL text = { 0 };
			int n = 0;
			bool are_lone = true;

			for (int i = 0; i < chart->n_lanes; i++) {
				n += chart->lanes[i].is_away && !chart->lanes[i].lane->is_joined;
				are_lone &= !chart->lanes[i].is_away || chart->lanes[i].is_lone;
			}
			buf_addf(&text,
				 are_lone ? "%d other lane%s" : "%d lane%s of other processes", n,
				 n == 1 ? "" : "s");
			draw_group(g, row, chart, false, &text,
				   chart->lane >= 0 && chart->lanes[chart->lane].is_away);
		} else if (cl->has_group && at == first) {
			draw_process(g, row, chart, index);
		} else {
			draw_pool(g, row, chart, index);
		}
	}
}

/* Name at the left, `figure` at the right of r.cols cells; returns what the name leaves. */
static void put_name(struct grid *g, struct rect r, const struct buf *name,
		     const struct buf *figure)
{
	int cells = text_cells(buf_text(figure), figure->len), room = r.cols - cells - 2;

	if (room < TEXT_MIN) {
		put_fit(g, r.row, r.col, r.cols - 1, name);
		return;
	}
	put_fit(g, r.row, r.col, room, name);
	put_fit(g, r.row, r.col + r.cols - cells - 1, cells, figure);
}

/* Name and figures, as far as they fit; returns the cells used. */
static int put_facts(struct grid *g, struct rect r, const struct chart *chart, int index,
		     const struct buf *name, bool has_path)
{
	BUF_LOCAL facts = { 0 };
	int used, room;

	/* Of two sides, the width of the lane is the time of neither; live, its length is none. */
	if (!chart->sides && !chart->live_name)
		label_lane_facts(chart_as_is(chart), chart_lane_as_is(chart, index),
				 chart->is_merged, &facts);
	if (chart->served && chart->lanes[index].lane->served == LANE_WAITS)
		served_time_tell_pools(chart->served, chart->lanes[index].lane,
				       r.cols - 3 - text_cells(buf_text(name), name->len) -
					       text_cells(buf_text(&facts), facts.len),
				       NULL, &facts);
	if (chart->served && chart->lanes[index].lane->served == LANE_SERVED)
		flame_request_legend(chart->is_ascii,
				     r.cols - 3 - text_cells(buf_text(name), name->len) -
					     text_cells(buf_text(&facts), facts.len),
				     &facts);
	if (!has_path) {
		/* Say what is folded, if there is room for all of it. */
		const char *text = chart->lanes[index].has_packages
			? " \302\267 packages, Node.js folded"
			: " \302\267 Node.js folded";
		int cells = text_cells(text, strlen(text)) + text_cells(buf_text(name), name->len) +
			text_cells(buf_text(&facts), facts.len);

		if (chart_is_folded(chart, index) && facts.len && cells + 3 <= r.cols)
			buf_adds(&facts, text);
	}
	/* The figures of the lane matter more than the end of a long name. */
	room = r.cols - text_cells(buf_text(&facts), facts.len) - 2;
	used = put_fit(g, r.row, r.col, room < TEXT_MIN ? r.cols : room, name) + 2;
	if (r.cols - used >= TEXT_MIN)
		used += put_fit(g, r.row, r.col + used, r.cols - used, &facts);
	return used;
}

/* The selected span's callers in rows that have scrolled away, as many as fit, the outermost first.
 */
static void put_path(struct grid *g, struct rect r, const struct chart *chart, int n_above)
{
	const struct chart_lane *cl = &chart->lanes[chart->lane];
	const struct calltree *tree = &cl->lane->tree;
	const char *arrow = chart->is_ascii ? " > " : " \342\200\272 ";
	node_id node = chart->selected.node;
	const struct chart_lane *head = &chart->lanes[chart_head(chart, chart->lane)];
	BUF_LOCAL text = { 0 }, name = { 0 };
	int depth = chart->selected.depth, first = chart_first_row(cl), room;

	/* If the span itself has scrolled away, a mark names it. */
	if (chart_row_of_depth(head, first + depth) < n_above)
		return;
	for (; depth >= 0; depth--, node = tree->parent[node]) {
		if (chart_row_of_depth(head, first + depth) >= n_above)
			continue;
		room = r.cols - text_cells(buf_text(&text), text.len);
		if (room <= TEXT_MIN)
			break;
		buf_clear(&name);
		label_box(chart->profile, tree->frame[node], room - 3, &name);
		buf_adds(&name, arrow);
		buf_add(&name, buf_text(&text), text.len);
		buf_clear(&text);
		buf_add(&text, buf_text(&name), name.len);
	}
	put_fit(g, r.row, r.col, r.cols, &text);
}

/* Whether the process of a lane need not be said, as there is no other one. */
static bool has_one_process(const struct chart *chart)
{
	for (int i = 1; i < chart->n_lanes; i++)
		if (!lane_is_of_process(chart->lanes[i].lane, chart->lanes[0].lane))
			return false;
	return true;
}

void lane_title_draw(struct grid *g, struct rect r, const struct chart *chart, int index,
		     int n_above)
{
	const struct chart_lane *cl = &chart->lanes[index];
	const char *fold = cl->lane->has_timeline ? fold_mark(chart, cl->is_open) : "  ";
	int strip = lane_strip_cols(chart, index, r.cols), title = r.cols - strip, used = 0;
	BUF_LOCAL name = { 0 }, figure = { 0 };
	struct rect rest = r;

	grid_fill(g, r.row, r.col, r.cols, ROLE_TITLE);
	if (chart->has_groups && !cl->is_above && !cl->is_lone)
		used = grid_puts(g, r.row, r.col, title, "  ", ROLE_TITLE);
	if (cl->in_pool)
		used += grid_puts(g, r.row, r.col + used, title - used, "  ", ROLE_TITLE);
	used += grid_puts(g, r.row, r.col + used, title - used, fold, ROLE_TITLE);
	if (chart->titles) {
		buf_adds(&name, chart->titles[index]);
	} else if (cl->in_pool && cl->lane->kind == LANE_OBJECTS) {
		struct str type = names_of(chart->profile, cl->lane).type;

		if (type.len)
			text_visible(&name, type.p, type.len);
		else
			buf_adds(&name, "other types");
	} else {
		lane_name(chart->profile, cl->lane,
			  !chart->has_groups && !(cl->lane->served && has_one_process(chart)),
			  &name);
	}
	rest.col += used;
	rest.cols = title - used;
	if (strip) {
		if (chart->served && cl->lane->served == LANE_WAITS)
			served_time_tell_pools(chart->served, cl->lane,
					       rest.cols - 2 -
						       text_cells(buf_text(&name), name.len),
					       chart->is_ascii ? "<= " : "\342\211\244 ", &name);
		/* How busy connections are matters more than for how long. */
		if (cl->lane->served != LANE_WAITS ||
		    rest.cols - text_cells(buf_text(&name), name.len) > FIGURE_CELLS)
			lane_strip_format(chart, index, &figure);
		put_name(g, rest, &name, &figure);
		lane_strip_draw(g, (struct rect){ r.row, r.col + title, 1, strip }, chart, index);
	} else {
		used = put_facts(g, rest, chart, index, &name, n_above > 0) + 2;
		rest.col += used;
		rest.cols -= used;
		if (n_above > 0 && chart->has_selection && rest.cols > TEXT_MIN)
			put_path(g, rest, chart, n_above);
	}
	if (chart->lane >= 0 && index == chart_head(chart, chart->lane))
		grid_flag(g, r.row, r.col, title, CELL_BOLD);
}

/* `< 1.23 s` or `1.23 s >`: how far the span is outside of the window; nothing if it is inside. */
static bool add_distance(const struct chart *chart, bool *is_right, struct buf *out)
{
	const struct span *span = &chart->selected;
	const struct viewport *view = chart->view;
	bool is_left = span->t1 < view->t0 || (span->t1 == view->t0 && span->t0 < span->t1);
	char time[UNITS_MAX];

	*is_right = !is_left;
	if (!is_left && span->t0 < viewport_end(view))
		return false;
	profile_value(chart->profile, is_left ? view->t0 - span->t1 : span->t0 - view->t1, time);
	if (is_left)
		buf_addf(out, "%s %s", chart->is_ascii ? "<" : "\342\227\202", time);
	else
		buf_addf(out, "%s %s", time, chart->is_ascii ? ">" : "\342\226\270");
	return true;
}

void lane_title_mark_selection(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct chart_lane *cl = chart->lane >= 0 ? &chart->lanes[chart->lane] : NULL;
	BUF_LOCAL text = { 0 }, distance = { 0 };
	bool is_right = true, is_above, is_below;
	int row, cells;

	if (!cl || !chart->has_selection || r.rows < 2 ||
	    !chart_lane_rows(&chart->lanes[chart_head(chart, chart->lane)]))
		return;
	row = chart_row_of(chart, chart->lane, chart->selected.depth) - chart->view->scroll;
	is_above = row < (chart_sticky(chart, r.rows) >= 0 ? 1 : 0);
	is_below = row >= r.rows;
	if (is_above)
		buf_adds(&text, chart->is_ascii ? "^ " : "\342\226\264 ");
	else if (is_below)
		buf_adds(&text, chart->is_ascii ? "v " : "\342\226\276 ");
	if (is_above || is_below)
		label_box(chart->profile, cl->lane->tree.frame[chart->selected.node], HINT_NAME_MAX,
			  &text);
	if (add_distance(chart, &is_right, &distance))
		buf_addf(&text, "%s%s", text.len ? "  " : "", buf_text(&distance));
	row = is_above ? 0 : is_below ? r.rows - 1 : row;
	cells = text_cells(buf_text(&text), text.len);
	if (text.len && cells + 2 <= r.cols) {
		int col = is_right ? r.col + r.cols - cells - 2 : r.col;

		grid_fill(g, r.row + row, col, cells + 2, ROLE_PLAIN);
		grid_put(g, r.row + row, col + 1, cells, buf_text(&text), text.len, ROLE_KEY);
	}
}
