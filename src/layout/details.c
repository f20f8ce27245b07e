/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line is a name, a location and parts. Parts have a rank; while name and
 * location would get less room than they need to be recognised, the part with the
 * highest rank goes. What is then left is theirs: the name is cut in its middle,
 * the location at its start. */
#include "config.h"

#include "layout/details.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/counter.h"
#include "layout/labels.h"
#include "model/lane_name.h"

#include <stdio.h>
#include <string.h>

#define MAX_PARTS 8
#define MIN_NAME 14
#define MIN_LOCATION 14
#define GAP 2
#define EXACT_COLS 130

struct part {
	char text[512];
	int rank;             /* -1: left out */
	enum role ink;
};

struct line {
	struct buf name;
	struct buf location;
	struct part parts[MAX_PARTS];
	int n_parts;
};

static void line_done(struct line *line)
{
	buf_done(&line->name);
	buf_done(&line->location);
}

static void add_part(struct line *line, int rank, enum role ink, const char *text)
{
	struct part *part;

	if (line->n_parts == MAX_PARTS || !*text)
		return;
	part = &line->parts[line->n_parts++];
	snprintf(part->text, sizeof(part->text), "%s", text);
	part->rank = rank;
	part->ink = ink;
}

static int at_most(int a, int b)
{
	return a < b ? a : b;
}

static int part_cells(const struct part *part)
{
	return part->rank < 0 ? 0 : GAP + text_cells(part->text, strlen(part->text));
}

static int parts_cells(const struct line *line)
{
	int cells = 0;

	for (int i = 0; i < line->n_parts; i++)
		cells += part_cells(&line->parts[i]);
	return cells;
}

static struct part *least_important(struct line *line)
{
	struct part *least = NULL;

	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0 && (!least || line->parts[i].rank >= least->rank))
			least = &line->parts[i];
	return least;
}

static void line_draw(struct grid *g, struct rect r, struct line *line, enum role ink)
{
	int name = text_cells(buf_text(&line->name), line->name.len);
	int location = text_cells(buf_text(&line->location), line->location.len), col = r.col + 1, room, least;
	struct buf fit = { 0 };
	struct part *part;

	least = at_most(name, MIN_NAME) + (location ? GAP + at_most(location, MIN_LOCATION) : 0);
	while (parts_cells(line) + least > r.cols - 2 && (part = least_important(line)))
		part->rank = -1;
	room = r.cols - 2 - parts_cells(line);
	if (location && room < GAP + MIN_LOCATION)
		location = 0;
	name = at_most(name, room - (location ? GAP + at_most(location, MIN_LOCATION) : 0));
	location = location ? at_most(location, room - name - GAP) : 0;
	if (name > 0) {
		text_fit(&fit, buf_text(&line->name), line->name.len, name);
		col += grid_put(g, r.row, col, name, buf_text(&fit), fit.len, ink);
	}
	if (location > 0) {
		buf_clear(&fit);
		text_fit_end(&fit, buf_text(&line->location), line->location.len, location);
		col += GAP;
		col += grid_put(g, r.row, col, location, buf_text(&fit), fit.len, ROLE_DIM);
	}
	for (int i = 0; i < line->n_parts; i++)
		if (line->parts[i].rank >= 0)
			col += GAP + grid_puts(g, r.row, col + GAP, r.col + r.cols - col - GAP, line->parts[i].text, line->parts[i].ink);
	buf_done(&fit);
}

/* ---- header ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void details_lane_name(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name), *thread = profile_text(profile, lane->thread_name);
	size_t start = out->len;

	if (lane->pid >= 0)
		buf_addf(out, "pid %lld", (long long)lane->pid);
	if (*process) {
		buf_adds(out, out->len > start ? " " : "");
		text_fit(out, process, strlen(process), 24);
	}
	if (lane->tid >= 0)
		buf_addf(out, "%stid %lld", out->len > start ? " " : "", (long long)lane->tid);
	if (*thread) {
		buf_adds(out, out->len > start ? " " : "");
		text_fit(out, thread, strlen(thread), 24);
	}
}

static void add_lane_parts(struct line *line, const struct chart *chart, const struct lane *lane)
{
	char a[UNITS_MAX], b[UNITS_MAX], c[UNITS_MAX], text[160];
	int64_t whole = lane->t1 - lane->t0;
	struct buf name = { 0 };

	if (chart->n_lanes > 1)
		buf_addf(&name, "lane %d/%d ", chart->lane + 1, chart->n_lanes);
	details_lane_name(chart->profile, lane, &name);
	add_part(line, chart->n_lanes > 1 ? 3 : 5, ROLE_HEADER, buf_text(&name));
	buf_done(&name);
	if (!lane->has_timeline) {
		add_part(line, 1, ROLE_WARN, "no samples, only hit counts");
		return;
	}
	if (lane->kind != LANE_SAMPLES) {
		struct buf facts = { 0 };

		label_lane_facts(lane, chart->is_merged, &facts);
		add_part(line, 2, ROLE_HEADER, buf_text(&facts));
		buf_done(&facts);
		return;
	}
	units_time(whole, a);
	add_part(line, 1, ROLE_HEADER, a);
	units_count(lane->samples.n, a);
	units_time(lane->interval_ns, b);
	if (lane->interval_ns > 0)
		snprintf(text, sizeof(text), "%s samples every %s", a, b);
	else
		snprintf(text, sizeof(text), "%s sample%s", a, lane->samples.n == 1 ? "" : "s");
	add_part(line, 4, ROLE_HEADER, text);
	units_percent(lane->busy_ns, whole, a);
	units_percent(lane->idle_ns, whole, b);
	units_percent(lane->gc_ns, whole, c);
	snprintf(text, sizeof(text), "busy %s idle %s gc %s", a, b, c);
	add_part(line, 2, ROLE_HEADER, text);
}

/* What is done to the calls is never left out: where there is no room for all of it, it is cut. */
static void add_about(struct line *line, const char *about, int cols)
{
	int room = at_most(cols - MIN_NAME - 12, 120);
	struct buf fit = { 0 };

	text_fit(&fit, about, strlen(about), room > 10 ? room : 10);
	add_part(line, 0, ROLE_WARN, buf_text(&fit));
	buf_done(&fit);
}

void details_draw_header(struct grid *g, struct rect r, const struct chart *chart)
{
	const struct profile *profile = chart->profile;
	const struct lane *lane = chart->lane >= 0 ? chart->lanes[chart->lane].lane : NULL;
	size_t n_warnings = profile_warning_count(profile);
	struct line line = { 0 };
	char text[64];

	if (profile->n_inputs > 0)
		buf_adds(&line.name, base_name(profile_text(profile, profile->inputs[lane ? lane->input : 0].path)));
	if (profile->n_inputs > 1)
		buf_addf(&line.name, " (of %lu files)", (unsigned long)profile->n_inputs);
	if (lane && !chart->is_merged)
		add_lane_parts(&line, chart, lane);
	if (profile->has_own_zero && profile->n_inputs > 1)
		add_part(&line, 1, ROLE_WARN, "clocks differ: each from 0");
	if (chart->about && *chart->about)
		add_about(&line, chart->about, r.cols);
	if (profile->is_raw)
		add_part(&line, 1, ROLE_WARN, "raw samples");
	if (n_warnings > 0) {
		snprintf(text, sizeof(text), "⚠%zu", n_warnings);
		add_part(&line, 0, ROLE_WARN, text);
	}
	grid_fill(g, r.row, r.col, r.cols, ROLE_HEADER);
	line_draw(g, r, &line, ROLE_HEADER);
	line_done(&line);
}

/* ---- selection ---- */

static void add_time(struct line *line, int rank, const char *what, int64_t ns, bool is_exact)
{
	char value[UNITS_MAX], text[UNITS_MAX + 32];

	if (is_exact)
		units_exact(ns, value);
	else
		units_time(ns, value);
	snprintf(text, sizeof(text), "%s %s", what, value);
	add_part(line, rank, ROLE_STATUS, text);
}

static void add_frame(struct line *line, const struct profile *profile, const struct frame *frame)
{
	buf_add(&line->name, intern_text(&profile->strings, frame->name), intern_len(&profile->strings, frame->name));
	profile_location(profile, frame, true, &line->location);
	/* Names in brackets say themselves what they are. */
	if (line->location.len == 0 && *buf_text(&line->name) != '(')
		buf_addf(&line->location, "(%s)", category_name(frame->category));
}

static void span_line(struct line *line, const struct details *details, int cols)
{
	const struct chart *chart = details->chart;
	const struct lane *lane = chart->lanes[chart->lane].lane;
	const struct span *span = &chart->selected;
	const struct viewport *view = chart->view;
	int64_t t0 = span->t0 > view->t0 ? span->t0 : view->t0, t1 = span->t1 < view->t1 ? span->t1 : view->t1;
	bool is_exact = cols >= EXACT_COLS;
	char share[UNITS_MAX], text[UNITS_MAX + 16];

	add_frame(line, chart->profile, profile_node_frame(chart->profile, lane, span->node));
	add_time(line, 1, "self", details->self_ns, is_exact);
	add_time(line, 0, "total", span->t1 - span->t0, is_exact);
	if (chart->is_merged)
		;
	else if (chart->is_absolute)
		add_time(line, 2, "at", span->t0 + chart->profile->origin_ns, true);
	else
		add_time(line, 2, "at", span->t0, is_exact);
	units_percent(t1 > t0 ? t1 - t0 : 0, view->t1 - view->t0, share);
	snprintf(text, sizeof(text), "%s of window", share);
	add_part(line, 3, ROLE_STATUS, text);
	if (lane->slices.n) {
		size_t slice = slice_of_span(lane, span);
		unsigned flags = slice == SIZE_MAX ? 0 : lane->slices.flags[slice];

		if (flags & SLICE_UNFINISHED)
			add_part(line, 2, ROLE_WARN, "unfinished");
		if (flags & SLICE_CUT)
			add_part(line, 2, ROLE_WARN, "closed by an outer end");
		if (flags & SLICE_OVERLAPS)
			add_part(line, 2, ROLE_WARN, "overlaps");
	}
	if (lane->deopt && lane->deopt[span->node]) {
		const char *reason = profile_text(chart->profile, lane->deopt[span->node]);
		struct buf fit = { 0 };

		buf_adds(&fit, "deopt: ");
		text_fit(&fit, reason, strlen(reason), 40);
		add_part(line, 4, ROLE_WARN, buf_text(&fit));
		buf_done(&fit);
	}
}

static void row_line(struct line *line, const struct details *details, int cols)
{
	static const struct { enum column_id value, share; const char *name; int rank; } pairs[] = {
		{ COLUMN_SELF, COLUMN_SELF_SHARE, "self", 1 }, { COLUMN_TOTAL, COLUMN_TOTAL_SHARE, "total", 0 },
	};
	struct buf text = { 0 };

	add_frame(line, details->unit.profile, profile_frame(details->unit.profile, details->row->frame));
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		int64_t ns = i == 0 ? details->row->self : details->row->total;
		char exact[UNITS_MAX];

		buf_clear(&text);
		buf_addf(&text, "%s ", pairs[i].name);
		if (cols >= EXACT_COLS) {
			units_exact(ns, exact);
			buf_adds(&text, exact);
		} else {
			column_format(pairs[i].value, &details->unit, details->row, &text);
		}
		buf_adds(&text, " = ");
		column_format(pairs[i].share, &details->unit, details->row, &text);
		add_part(line, pairs[i].rank, ROLE_STATUS, buf_text(&text));
	}
	if (details->row->self > details->row->total)
		add_part(line, 2, ROLE_STATUS, "recursive: total is that of the outer call");
	buf_done(&text);
}

/* A counter: what its series are at the middle of the window. */
static void counter_line(struct line *line, const struct chart *chart)
{
	const struct lane *lane = chart->lanes[chart->lane].lane;
	int64_t t = chart->view->t0 + (chart->view->t1 - chart->view->t0) / 2;
	struct buf text = { 0 };

	lane_name(chart->profile, lane, true, &line->name);
	add_time(line, 0, "at the middle, ", t, false);
	for (uint32_t i = 0; i < lane->n_series && i < MAX_PARTS - 1; i++) {
		const struct series *s = &lane->series[i];
		const char *name = profile_text(chart->profile, s->name);
		size_t at = series_find(s, t);

		buf_clear(&text);
		text_fit(&text, name, strlen(name), 24);
		buf_adds(&text, " ");
		if (at == SIZE_MAX)
			buf_adds(&text, "not yet");
		else
			counter_format(s->value[at], &text);
		add_part(line, 1, ROLE_STATUS, buf_text(&text));
	}
	buf_done(&text);
}

void details_draw(struct grid *g, struct rect r, const struct details *details)
{
	const struct chart *chart = details->chart;
	struct line line = { 0 };

	grid_fill(g, r.row, r.col, r.cols, ROLE_STATUS);
	if (details->row) {
		row_line(&line, details, r.cols);
	} else if (chart->has_selection && chart->lane >= 0) {
		span_line(&line, details, r.cols);
	} else if (chart->lane >= 0 && chart->lanes[chart->lane].lane->kind == LANE_COUNTER) {
		counter_line(&line, chart);
	} else {
		buf_adds(&line.name, "nothing selected");
		add_time(&line, 0, "window", chart->view->t1 - chart->view->t0, r.cols >= EXACT_COLS);
	}
	line_draw(g, r, &line, ROLE_STATUS);
	line_done(&line);
}
