/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is made again when its numbers, its findings or its width change; without the stretches
 * at first if there are many samples. What the user has done is kept as a spot, from which cursor
 * and first line are found anew in each page: pages that were only shown meanwhile leave no trace.
 */
#include "config.h"

#include "ui/pane/summary_page.h"

#include "analyse/label_share.h"
#include "analyse/summary.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "draw/ruler.h"
#include "draw/standout.h"
#include "model/profile.h"
#include "ui/chart/lanes.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== summary text ====
 *
 * The lines and links of the summary pane.
 *
 * The page is made from top to bottom in summary_text_make(). Links come first: what is added
 * later, such as stretches, changes no number of a link before it. With one column, both columns
 * follow each other. */

#define FUNCTIONS_MAX 20 /* that changed */
#define NAME_CELLS 60    /* of these */
#define SHARES_MAX 8
#define STACK_MAX 12
#define STRETCHES_MAX 4
#define LINES_MAX 6
#define HOTTEST_MAX 6
#define COLUMNS_COLS 100 /* from this width on there are two columns */
#define SIDES_COLS 120   /* the same while two sides are compared */
#define RIGHT_COLS 45    /* of the right one, at least */
#define FIGURES_CELLS 20 /* before a name */
#define FILE_MIN 12      /* cells of a path that is cut, at least */
#define LANE_CELLS 30
#define TEXT_NAME_CELLS 1000 /* of a name or location, which are wrapped */

/* Add a line, as a link if the page has one. */
static void add_line(struct page_text *p, const struct buf *line, int indent)
{
	struct summary_page *s = &p->app->summary;

	if (!p->link) {
		lines_add(p->lines, buf_text(line), line->len, p->cols, indent, false);
		return;
	}
	*ARRAY_ADD(s->links, s->n_links, s->cap_links) = *p->link;
	lines_add_link(p->lines, buf_text(line), line->len, p->cols, indent);
}

void summary_text_head(struct page_text *p, enum summary_section section, const char *text)
{
	struct summary_page *s = &p->app->summary;
	char words[AMOUNT_WORDS_MAX];

	text = amount_words(&p->app->base->unit, text, words);
	/* Lines about the work belong to the findings. */
	if (p->lines->n && section != SUMMARY_FINDINGS)
		lines_add(p->lines, "", 0, p->cols, 0, false);
	if (p->lines == &s->lines && s->heads[section] == SIZE_MAX)
		s->heads[section] = p->lines->n;
	lines_add(p->lines, text, strlen(text), p->cols, 0, true);
}

static void add_right(struct buf *out, const char *text, int width)
{
	for (int cells = text_cells(text, strlen(text)); cells < width; cells++)
		buf_addc(out, ' ');
	buf_adds(out, text);
}

/* `  511 ms  35.1 %  formatPrice  catalogue.js:28:21` */
void summary_text_row(struct page_text *p, int64_t ns, bool has_share, const char *name, size_t len,
		      const char *place)
{
	BUF_LOCAL line = { 0 };

	add_right(&line, profile_value(p->app->base, ns, UNITS_ROOM), 10);
	add_right(&line, units_percent(ns, has_share ? p->whole : 0, UNITS_ROOM), 8);
	buf_adds(&line, "  ");
	text_fit(&line, name, len, TEXT_NAME_CELLS);
	if (*place) {
		buf_adds(&line, "  ");
		text_fit_end(&line, place, strlen(place), TEXT_NAME_CELLS);
	}
	add_line(p, &line, 20);
}

/* `  428 ms  at 2.95 s (formatPrice 42 %; from parserOnIncoming)`. Where it began stands only if
 * there is room in the line. */
static void stretch_row(struct page_text *p, const struct stretch *stretch, bool has_lane)
{
	const struct profile *profile = p->totals->profile;
	BUF_LOCAL line = { 0 }, entry = { 0 };

	add_right(&line, profile_value(p->app->base, stretch->t1 - stretch->t0, UNITS_ROOM), 10);
	buf_addf(&line, "  at %s",
		 time_label_place(p->app->base, &p->clock, stretch->t0, UNITS_ROOM));
	if (has_lane) {
		buf_adds(&line, " on ");
		lane_name(profile, stretch->lane, true, &line);
	}
	buf_adds(&line, " (");
	if (stretch->leaf == FRAME_NONE) {
		buf_adds(&line, stretch->is_sampled ? "idle" : "not sampled");
	} else if (stretch->most == FRAME_NONE) {
		label_frame(profile, stretch->outer, TEXT_NAME_CELLS, &line);
	} else {
		label_frame(profile, stretch->most, TEXT_NAME_CELLS, &line);
		buf_addf(&line, " %s",
			 units_share(stretch->most_ns, stretch->t1 - stretch->t0, UNITS_ROOM));
		buf_adds(&entry, "; from ");
		label_frame(profile, stretch->outer, TEXT_NAME_CELLS, &entry);
		if (stretch->most != stretch->outer &&
		    text_cells(buf_text(&line), line.len) +
				    text_cells(buf_text(&entry), entry.len) <
			    p->cols)
			buf_add(&line, buf_text(&entry), entry.len);
	}
	buf_addc(&line, ')');
	add_line(p, &line, 12);
}

static void frame_row(struct page_text *p, int64_t ns, frame_id id)
{
	const struct profile *profile = p->totals->profile;
	const struct frame *f = &p->totals->view->frames[id];
	BUF_LOCAL place = { 0 }, name = { 0 };

	if (profile_is_placed(profile, f)) {
		profile_location_ends(profile, f, false, &name);
	} else {
		text_add_ends(&name, profile_text(profile, f->name),
			      intern_len(&profile->strings, f->name));
		profile_location_ends(profile, f, false, &place);
	}
	summary_text_row(p, ns, true, buf_text(&name), name.len, buf_text(&place));
}

static void say(struct page_text *p, const char *text)
{
	lines_add(p->lines, text, strlen(text), p->cols, 2, false);
}

static void more(struct page_text *p, size_t n, const char *what)
{
	BUF_LOCAL line = { 0 };

	buf_addf(&line, "  \342\200\246 %zu more%s%s", n, n > 1 ? " " : "", n > 1 ? what : "");
	say(p, buf_text(&line));
}

static void add_shares(struct page_text *p, enum summary_by by, const char *title, const char *what)
{
	const struct profile *profile = p->totals->profile;
	ALLOC_LOCAL struct share *list = NULL;
	size_t n = summary_shares(p->totals, by, &list), shown = 0, left = 0;
	BUF_LOCAL name = { 0 };

	summary_text_head(p, SUMMARY_REST, title);
	for (size_t i = 0; i < n; i++) {
		bool is_idle = list[i].category == CATEGORY_IDLE && !list[i].is_named;
		bool is_own = by == SUMMARY_PACKAGE && !list[i].is_named;

		/* Frames without a package or file are in the table of categories. */
		if (by == SUMMARY_PACKAGE
			    ? !summary_is_package(list, n, i)
			    : (by == SUMMARY_FILE && !list[i].is_named) || list[i].self == 0)
			continue;
		if (shown == SHARES_MAX) {
			left++;
			continue;
		}
		buf_clear(&name);
		/* The end of a path is what differs. */
		if (by == SUMMARY_FILE)
			text_fit_end(&name, profile_text(profile, list[i].name),
				     intern_len(&profile->strings, list[i].name),
				     p->cols > FIGURES_CELLS + FILE_MIN ? p->cols - FIGURES_CELLS
									: TEXT_NAME_CELLS);
		else if (is_own)
			buf_adds(&name, "own code");
		else
			buf_add(&name, profile_text(profile, list[i].name),
				intern_len(&profile->strings, list[i].name));
		summary_text_row(p, list[i].self, p->app->pane.has_idle || !is_idle,
				 buf_text(&name), name.len, "");
		shown++;
	}
	if (left)
		more(p, left, what);
	if (shown == 0)
		say(p, "  none");
}

/* Self time of the slices of the pane by event category. */
static void add_event_cats(struct page_text *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	const struct profile *profile = p->app->s.profile;
	ALLOC_LOCAL struct event_cat_share *list = NULL;
	int64_t t0, t1;
	size_t n;

	pane_scope_range(p->app, &t0, &t1);
	n = event_cats_shares(profile, lanes, n_lanes, t0, t1, &list);
	if (n)
		summary_text_head(p, SUMMARY_REST, "Self time by event category (cat)");
	for (size_t i = 0; i < n && i < SHARES_MAX; i++) {
		str_id name = list[i].name ? list[i].name : profile->no_event_cat;

		summary_text_row(p, list[i].self, true, profile_text(profile, name),
				 intern_len(&profile->strings, name), "");
	}
	if (n > SHARES_MAX)
		more(p, n - SHARES_MAX, "event categories");
}

/* Add the time that the shares leave out, so that the rows add up to the whole range. */
static void add_rest(struct page_text *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	static const char not_sampled[] = "not sampled", left_out[] = "left out by transforms";
	const struct totals *t = p->totals;
	int64_t t0, t1, rest = -t->sampled_ns - t->dropped_ns, dropped = t->dropped_ns;

	/* The axis of a merged view consists of samples: nothing is left out. */
	if (p->app->mode != VIEW_TIME)
		return;
	pane_scope_range(p->app, &t0, &t1);
	for (uint32_t i = 0; i < n_lanes; i++) {
		int64_t from = lanes[i]->t0 > t0 ? lanes[i]->t0 : t0,
			end = lanes[i]->t1 < t1 ? lanes[i]->t1 : t1;
		int64_t out = lanes[i]->kind == LANE_SAMPLES && p->app->scoped
			? scoped_dropped(p->app->scoped, lanes[i], t0, t1)
			: 0;

		if (lanes[i]->kind != LANE_SAMPLES || !lanes[i]->has_timeline)
			return;
		rest += end > from ? end - from : 0;
		dropped += out;
		rest -= out;
	}
	if (dropped > 0)
		summary_text_row(p, dropped, false, left_out, sizeof left_out - 1, "");
	if (rest > 0)
		summary_text_row(p, rest, false, not_sampled, sizeof not_sampled - 1, "");
}

static void add_stack(struct page_text *p)
{
	ALLOC_LOCAL node_id *nodes = NULL;
	size_t n = summary_stack(p->totals, &nodes);

	summary_text_head(p, SUMMARY_REST, "Heaviest stack, by total time, outermost first");
	for (size_t i = 0; i < n; i++) {
		/* Show both ends of a long stack. */
		if (n > STACK_MAX && i == STACK_MAX / 2) {
			more(p, n - STACK_MAX, "calls between (6 Top-down, E)");
			i = n - STACK_MAX / 2;
		}
		frame_row(p, p->totals->total[nodes[i]], p->totals->view->tree->frame[nodes[i]]);
	}
}

static void add_lines(struct page_text *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	const struct totals *t = p->totals;
	const struct summary_range range = { t->profile, lanes, n_lanes, t->t0, t->t1 };
	ALLOC_LOCAL struct hot_line *list = NULL;
	size_t all, n = summary_lines(&range, LINES_MAX, &list, &all);

	if (n)
		summary_text_head(p, SUMMARY_REST, "Hottest lines: about, by V8's ticks");
	for (size_t i = 0; i < n; i++) {
		const struct profile *profile = t->profile;
		const struct frame *f = profile_frame(profile, list[i].frame);
		BUF_LOCAL place = { 0 }, name = { 0 };

		profile_location(profile, f, false, &place);
		profile_add_name(profile, f, &name);
		buf_addf(&place, " line %d", (int)list[i].line);
		summary_text_row(p, list[i].about_ns, false, buf_text(&name), name.len,
				 buf_text(&place));
	}
	if (all > n)
		more(p, all - n, "lines (report --table=lines)");
}

static void add_stretches(struct page_text *p, const struct stretches *found, uint32_t n_lanes,
			  bool is_busy)
{
	summary_text_head(p, is_busy ? SUMMARY_BUSY : SUMMARY_PAUSES,
			  is_busy ? "Longest busy stretches" : "Longest pauses");
	for (size_t i = 0; i < found->n; i++) {
		const struct stretch *s = &found->list[i];
		const struct summary_link link = {
			.section = is_busy ? SUMMARY_BUSY : SUMMARY_PAUSES,
			.finding = -1,
			.function = s->most != FRAME_NONE ? s->most : s->outer,
			.lane = s->lane,
			.t0 = s->t0,
			.t1 = s->t1
		};

		p->link = &link;
		stretch_row(p, s, n_lanes > 1);
		p->link = NULL;
	}
	if (found->all > found->n)
		more(p, found->all - found->n, "shorter ones");
	if (found->n == 0)
		say(p, "  none");
}

/* Those of the range that the pane is about. */
static void add_all_stretches(struct page_text *p, const struct lane *const *lanes,
			      uint32_t n_lanes)
{
	struct summary_range range = { p->totals->profile, lanes, n_lanes, 0, 0 };
	struct stretches found[2] = { { .most = STRETCHES_MAX }, { .most = STRETCHES_MAX } };

	pane_scope_range(p->app, &range.t0, &range.t1);
	summary_stretches(&range, found);
	add_stretches(p, &found[true], n_lanes, true);
	add_stretches(p, &found[false], n_lanes, false);
	summary_stretches_done(found);
}

#define STANDOUT_CELLS 1000 /* lines are wrapped, so nothing needs to be shortened */

static void add_standouts(struct page_text *p, const struct lane *const *lanes, uint32_t n_lanes)
{
	const struct totals *t = p->totals;
	const struct summary_range range = { t->profile, lanes, n_lanes, t->t0, t->t1 };
	struct stretches found[2] = { { .most = 1 }, { .most = 1 } };
	struct standout list[STANDOUT_COUNT];
	size_t n;

	summary_stretches(&range, found);
	n = summary_standouts(t, lanes, n_lanes, p->whole, found, list);
	summary_stretches_done(found);
	summary_text_head(p, SUMMARY_REST, "What stands out");
	for (size_t i = 0; i < n; i++) {
		BUF_LOCAL text = { 0 };

		buf_adds(&text, "  ");
		standout_format(p->totals->profile, &list[i], n_lanes > 1, STANDOUT_CELLS,
				&p->clock, &text);
		lines_add(p->lines, buf_text(&text), text.len, p->cols, 4, false);
	}
	if (n == 0)
		say(p, "  nothing");
}

/* The heading says what the findings are about where that is not what the pane is about: one lane
 * of several, or the window in which the walk through them began. They are in the order of their
 * scores, which is not that of their shares. */
static void head_findings(struct page_text *p)
{
	static const char how[] = ": Enter or ! shows the place";
	const struct findings_walk *w = &p->app->walk;
	const struct viewport *view = &p->app->s.view;
	BUF_LOCAL title = { 0 };
	char from[UNITS_MAX], length[UNITS_MAX];
	int64_t t0, t1;

	buf_adds(&title, "Findings");
	if (!w->lane) {
		buf_adds(&title, " of all lanes");
	} else if (p->app->pane.n_lanes > 1) {
		buf_adds(&title, " of ");
		lane_name_fit(p->totals->profile, w->lane, LANE_CELLS, &title);
	}
	pane_scope_range(p->app, &t0, &t1);
	profile_value(p->app->base, w->t1 - w->t0, length);
	if (p->clock.is_wall || p->clock.is_file)
		time_label_place(p->app->base, &p->clock, w->t0, from);
	else
		profile_value_near(p->app->base, w->t0, (w->t1 - w->t0) / 100, from);
	if (p->app->mode == VIEW_TIME && (w->t0 != t0 || w->t1 != t1)) {
		if (w->t1 - w->t0 == view->t_max - view->t_min)
			buf_addf(&title, " of all %s", length);
		else
			buf_addf(&title, " of %s from %s on", length, from);
	}
	buf_adds(&title, ", likeliest culprits first");
	if (title.len < strlen("Findings, likeliest culprits first") + 1 &&
	    (int)(title.len + strlen(how)) <= p->cols)
		buf_adds(&title, how);
	summary_text_head(p, SUMMARY_FINDINGS, buf_text(&title));
}

/* What else a finding says, a line each. */
static void add_notes(struct page_text *p, int finding)
{
	BUF_LOCAL notes = { 0 }, line = { 0 };

	findings_walk_notes(p->app, finding, &notes);
	for (const char *at = buf_text(&notes); *at;) {
		size_t n = strcspn(at, "\n");

		buf_clear(&line);
		buf_addf(&line, "      %.*s", (int)n, at);
		lines_add(p->lines, buf_text(&line), line.len, p->cols, 8, false);
		at += n + (at[n] != '\0');
	}
}

/* The findings of the lane with the cursor, as links to their places. */
static void add_findings(struct page_text *p)
{
	bool is_complete;
	const char *text;

	head_findings(p);
	for (int i = 0; (text = findings_walk_sentence(p->app, i, &is_complete)) != NULL; i++) {
		struct summary_link link = { .section = SUMMARY_FINDINGS, .finding = i };
		BUF_LOCAL line = { 0 };

		link.function = findings_walk_place(p->app, i, &link.lane, &link.t0, &link.t1);
		buf_addf(&line, "  %s", text);
		p->link = &link;
		add_line(p, &line, 4);
		p->link = NULL;
		add_notes(p, i);
	}
	if (!p->lines->n_links)
		say(p, is_complete ? "  none" : "  being computed");
}

/* The functions with most self time, except idle time. */
static void add_hottest(struct page_text *p)
{
	const struct totals *t = p->totals;
	frame_id list[HOTTEST_MAX + 1];
	size_t n = 0;

	for (uint32_t i = 0; i < t->n_used; i++) {
		frame_id f = t->used[i];
		size_t at = n;

		if (!t->frame_self[f] || t->view->frames[f].category == CATEGORY_IDLE)
			continue;
		for (; at > 0 && t->frame_self[list[at - 1]] < t->frame_self[f]; at--)
			list[at] = list[at - 1];
		list[at] = f;
		n = n < HOTTEST_MAX ? n + 1 : n;
	}
	summary_text_head(p, SUMMARY_HOTTEST, "Hottest functions, by self time");
	for (size_t i = 0; i < n; i++) {
		const struct summary_link link = { .section = SUMMARY_HOTTEST,
						   .finding = -1,
						   .function = list[i] };

		p->link = &link;
		frame_row(p, t->frame_self[list[i]], list[i]);
		p->link = NULL;
	}
	if (n == 0)
		say(p, "  none");
}

/* ---- two sides ---- */

struct changed {
	frame_id frame;
	int64_t ns[SIDES];
};

static int64_t size_of(const struct changed *c)
{
	return llabs(c->ns[SIDE_AFTER] - c->ns[SIDE_BEFORE]);
}

/* The largest change first; equal ones by the numbers of the functions. */
SORT_ORDER(compare, struct changed, SORT_BY_2(size_of(y), size_of(x), x->frame, y->frame))

static void add(struct page_text *p, struct buf *line)
{
	lines_add(p->lines, buf_text(line), line->len, p->cols, 4, false);
	buf_clear(line);
}

/* `  before  a.cpuprofile: 1.45 s busy of 3.70 s`, and what else is known of both. */
static void add_sides(struct page_text *p)
{
	const struct sides *s = p->app->pane.sides.of;
	BUF_LOCAL line = { 0 };

	lines_add(p->lines, "Two sides", 9, p->cols, 0, true);
	for (enum side side = SIDE_BEFORE; side < SIDES; side++) {
		buf_addf(&line, "  %-6s  ", sides_word(&s->unit, side));
		text_visible(&line, s->name[side], strlen(s->name[side]));
		buf_addf(&line, "%s%s busy of %s", *s->name[side] ? ": " : "",
			 amount_text(&s->unit.amount, s->busy_ns[side], UNITS_ROOM),
			 amount_text(&s->unit.amount, s->length_ns[side], UNITS_ROOM));
		add(p, &line);
	}
	buf_addf(&line, "  figures: %s of each side", sides_per_name(s->unit.per));
	add(p, &line);
	if (p->app->diff.note.len) {
		buf_addf(&line, "  %s", buf_text(&p->app->diff.note));
		add(p, &line);
	}
}

/* What changed most. */
static void add_changes(struct page_text *p)
{
	const struct profile *profile = p->app->s.profile;
	const struct rows_change change = pane_change_get(&p->app->pane, false, false);
	ALLOC_LOCAL struct changed *list = xcalloc((size_t)p->totals->n_used + 1, sizeof *list);
	BUF_LOCAL line = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->totals->n_used; i++) {
		struct changed *c = &list[n];

		c->frame = p->totals->used[i];
		rows_change_sides_of_function(&change, c->frame, false, c->ns);
		n += sides_level(&change.unit, c->ns[SIDE_AFTER] - c->ns[SIDE_BEFORE]) > 0;
	}
	qsort(list, n, sizeof *list, compare);
	lines_add(p->lines, "Largest changes of self time", 28, p->cols, 0, true);
	for (uint32_t i = 0; i < n && i < FUNCTIONS_MAX; i++) {
		const struct frame *f = profile_frame(profile, list[i].frame);
		const char *name = profile_text(profile, f->name);
		enum sides_kind kind = sides_kind_of(&change.unit, list[i].ns[SIDE_BEFORE],
						     list[i].ns[SIDE_AFTER]);

		buf_adds(&line, "  ");
		change_text(&change.unit, list[i].ns, &line);
		buf_addf(&line, "  %s", change_sign(kind));
		if (!profile_is_placed(profile, f)) {
			text_fit(&line, name, strlen(name), NAME_CELLS);
			buf_addc(&line, ' ');
		}
		profile_location_ends(profile, f, false, &line);
		add(p, &line);
	}
	if (n == 0)
		lines_add(p->lines, "  none", 6, p->cols, 4, false);
}

/* ---- the page ---- */

/* What has places to go to. */
static void make_links(struct page_text *p, const struct lane *const *lanes, bool has_stretches)
{
	uint32_t n_lanes = p->app->pane.n_lanes;

	/* In the right column it is a table that is seen at once. */
	if (!p->app->summary.has_columns) {
		summary_work_vitals(p, true);
		if (p->work_ns)
			summary_work_line(p);
		if (p->lines->n)
			p->app->summary.heads[SUMMARY_FINDINGS] = 0;
	}
	if (p->app->walk.profile)
		add_findings(p);
	/* Bytes and counts keep no thread busy. The hottest functions are in the tables, too. */
	if (amount_is_time(&p->app->base->unit) && has_stretches) {
		add_all_stretches(p, lanes, n_lanes);
	} else if (amount_is_time(&p->app->base->unit)) {
		summary_text_head(p, SUMMARY_BUSY,
				  "Longest busy stretches and pauses: being computed");
	}
	add_hottest(p);
}

static void make_rest(struct page_text *p, const struct lane *const *lanes, bool has_stretches)
{
	const struct findings *walk = &p->app->walk.findings;
	uint32_t n_lanes = p->app->pane.n_lanes;

	if (p->app->summary.has_columns)
		summary_work_vitals(p, true);
	/* Findings say the same, and more. */
	if (has_stretches &&
	    (!p->app->walk.profile || (walk->result.is_of_slices && !walk->result.n)))
		add_standouts(p, lanes, n_lanes);
	if (p->work_ns)
		summary_work_table(p);
	summary_work_origins(p);
	summary_work_vitals(p, false);
	/* Slices of browsers have no other category, and no package. */
	if (!p->work_ns || lanes[0]->kind != LANE_SLICES) {
		add_shares(p, SUMMARY_CATEGORY, "Self time by category", "categories");
		add_rest(p, lanes, n_lanes);
	}
	add_event_cats(p, lanes, n_lanes);
	if (!p->work_ns || lanes[0]->kind != LANE_SLICES)
		add_shares(p, SUMMARY_PACKAGE, "Self time by package", "packages");
	add_shares(p, SUMMARY_FILE, "Self time by file", "files");
	add_stack(p);
	add_lines(p, lanes, n_lanes);
}

/* Make them from the pane's totals, which are up to date, for summary_page.cols cells. Stretches
 * and what stands out need a pass over the samples: they are left out unless has_stretches. */
static void summary_text_make(struct app *app, bool has_stretches)
{
	struct summary_page *s = &app->summary;
	const struct lane *const *lanes = (const struct lane *const *)app->pane.lanes;
	struct page_text page = { .app = app,
				  .lines = &s->lines,
				  .totals = &app->pane.totals,
				  .whole = pane_whole(&app->pane),
				  .clock = findings_walk_clock(app) };
	bool has_sides = pane_sides_exist(&app->pane);

	summary_work_find(&page);
	lines_clear(&s->lines);
	lines_clear(&s->right);
	s->n_links = 0;
	for (int i = 0; i < SUMMARY_SECTIONS; i++)
		s->heads[i] = SIZE_MAX;
	s->n_findings = app->walk.n_changes;
	s->clock = page.clock;
	s->has_stretches = has_stretches;
	s->has_columns = s->cols >= (has_sides ? SIDES_COLS : COLUMNS_COLS);
	/* Changes need more room than what the sides are. */
	s->left_cols = s->has_columns ? s->cols * (has_sides ? 2 : 3) / 5 : s->cols;
	if (s->has_columns && s->left_cols > s->cols - RIGHT_COLS)
		s->left_cols = s->cols - RIGHT_COLS;
	page.cols = s->left_cols > 4 ? s->left_cols - 2 : 2;
	if (has_sides)
		add_sides(&page);
	else
		make_links(&page, lanes, has_stretches);
	if (s->has_columns) {
		page.lines = &s->right;
		page.cols = s->cols - s->left_cols - 2;
	}
	if (has_sides)
		add_changes(&page);
	else
		make_rest(&page, lanes, has_stretches);
	if (s->has_columns) {
		while (s->lines.n < s->right.n)
			lines_add(&s->lines, "", 0, 1, 0, false);
		while (s->right.n < s->lines.n)
			lines_add(&s->right, "", 0, 1, 0, false);
	}
}

/* ==== summary page ==== */

#define MARGIN 10       /* a tenth of a stretch on both sides of it */
#define SILENCE_MS 250  /* without keys before a pass over all samples */
#define AT_ONCE 300000u /* up to this many samples, everything is computed at once */

static size_t samples_in_range(const struct app *app)
{
	int64_t t0, t1;
	size_t n = 0;

	pane_scope_range(app, &t0, &t1);
	for (uint32_t i = 0; i < app->pane.n_lanes; i++) {
		const struct samples *s = &app->pane.lanes[i]->samples;

		if (s->n)
			n += samples_find(s, t1) - samples_find(s, t0) + 1;
	}
	return n;
}

static void forget(struct app *app)
{
	app->summary.has_lines = false;
}

static void done(struct app *app)
{
	struct summary_page *page = &app->summary;

	lines_done(&page->lines);
	lines_done(&page->right);
	free(page->links);
	*page = (struct summary_page){ 0 };
}

/* ---- the spot of the user ---- */

/* A finding is that of its function, whatever number it has in this range. */
static bool is_same_place(const struct summary_link *a, const struct summary_link *b)
{
	if (a->section != b->section || a->function != b->function)
		return false;
	return a->section == SUMMARY_FINDINGS ? a->function != FRAME_NONE
		: a->section == SUMMARY_HOTTEST
		? true
		: a->lane == b->lane && a->t0 == b->t0 && a->t1 == b->t1;
}

/* Keep where the user has put cursor and page. */
static void take_spot(struct summary_page *s, int page)
{
	const struct lines *lines = &s->lines;
	struct summary_spot *spot = &s->spot;

	*spot = (struct summary_spot){ .is_visible = lines_is_link_visible(lines, page) };
	spot->has_link = spot->has_place = (size_t)lines->link < s->n_links;
	if (spot->has_link) {
		spot->link = s->links[lines->link];
		for (int i = 0; i < lines->link; i++) {
			spot->rank += s->links[i].section == spot->link.section;
			spot->n_same += is_same_place(&s->links[i], &spot->link);
		}
	}
	/* The first lines stay the first ones, whatever section they are of. */
	for (int i = 0; i < SUMMARY_SECTIONS && lines->top > 0; i++)
		if (s->heads[i] != SIZE_MAX && s->heads[i] <= lines->top) {
			spot->top = (enum summary_section)i;
			spot->offset = lines->top - s->heads[i];
		}
}

/* Put the cursor on its link; if that is gone, on the one that has its place in the section, or on
 * the last one before. */
static void place_link(struct summary_page *s)
{
	const struct summary_spot *spot = &s->spot;
	int rank = 0, n_same = 0;

	s->lines.link = 0;
	if (!spot->has_link)
		return;
	for (size_t i = 0; i < s->n_links; i++) {
		const struct summary_link *link = &s->links[i];

		if (link->section > spot->link.section)
			break;
		if (link->section < spot->link.section || rank++ <= spot->rank)
			s->lines.link = (int)i;
	}
	for (size_t i = 0; i < s->n_links && spot->has_place; i++)
		if (is_same_place(&s->links[i], &spot->link)) {
			s->lines.link = (int)i;
			if (n_same++ == spot->n_same)
				break;
		}
}

/* The line that the page begins with. */
static size_t find_top(const struct summary_page *s)
{
	const struct summary_spot *spot = &s->spot;
	size_t head = s->heads[spot->top], next = s->lines.n;

	for (int i = SUMMARY_SECTIONS - 1; i > (int)spot->top; i--)
		next = s->heads[i] < next ? s->heads[i] : next;
	if (head == SIZE_MAX)
		return spot->top == 0 ? 0 : next;
	return spot->offset < next - head ? head + spot->offset : next;
}

/* Put cursor and page where the user has put them. The lines alone decide where that is, not those
 * that were there before. */
static void place(struct summary_page *s, int page)
{
	place_link(s);
	s->lines.top = find_top(s);
	lines_scroll(&s->lines, 0, page);
	if (s->spot.is_visible && !lines_is_link_visible(&s->lines, page))
		lines_reveal(&s->lines, page);
}

static void bring_up_to_date(struct app *app, const struct rect *area)
{
	struct summary_page *s = &app->summary;
	struct place_clock clock = findings_walk_clock(app);

	if (!s->has_lines || s->generation != app->pane.generation || s->cols != area->cols ||
	    s->n_findings != app->walk.n_changes || !wall_clock_is_same(&s->clock, &clock)) {
		if (!s->has_lines || s->cols != area->cols) {
			s->spot.top = 0;
			s->spot.offset = 0;
		}
		/* The functions and lanes of another scene are others. */
		s->spot.has_place = s->spot.has_place && s->has_lines;
		s->has_lines = true;
		s->generation = app->pane.generation;
		s->cols = area->cols;
		summary_text_make(app, samples_in_range(app) <= AT_ONCE);
	}
	place(s, area->rows);
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	bring_up_to_date(app, area);
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	pane_picture_totals(app, picture, false);
	picture->screen->lines = &app->summary.lines;
	picture->screen->right = app->summary.has_columns ? &app->summary.right : NULL;
	picture->screen->left_cols = app->summary.left_cols;
}

static int wait_ms(const struct app *app)
{
	const struct summary_page *s = &app->summary;

	/* Findings come after the pane in a picture. */
	if (s->has_lines && s->n_findings != app->walk.n_changes)
		return 0;
	return s->has_lines && !s->has_stretches && s->generation == app->pane.generation
		? SILENCE_MS
		: -1;
}

static bool work(struct app *app, struct budget *budget)
{
	(void)budget;
	summary_text_make(app, true);
	place_link(&app->summary);
	return true;
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	/* Lines that no picture showed yet can be scrolled, too. */
	bring_up_to_date(app, area);
	lines_move(&app->summary.lines, rows, area->rows);
	take_spot(&app->summary, area->rows);
}

/* Put the cursor on the first link of a section below or, with a negative number, above. */
static bool aside(struct app *app, int sections)
{
	struct summary_page *s = &app->summary;
	struct screen_layout layout;
	size_t at;

	if (!pane_rows_update(app))
		return false;
	state_layout(app, &layout);
	bring_up_to_date(app, &layout.pane);
	at = s->n_links ? (size_t)s->lines.link : 0;
	for (; sections > 0 && at < s->n_links; sections--) {
		while (at < s->n_links && s->links[at].section == s->links[s->lines.link].section)
			at++;
		s->lines.link = at < s->n_links ? (int)at : s->lines.link;
	}
	/* Back to the first one of the section, then of those before. */
	for (; sections < 0 && at > 0; sections++) {
		at--;
		while (at > 0 && s->links[at - 1].section == s->links[at].section)
			at--;
		s->lines.link = (int)at;
	}
	lines_reveal(&s->lines, layout.pane.rows);
	take_spot(s, layout.pane.rows);
	return true;
}

/* Show a stretch with some time around it, and select the longest span of its function there. */
static void go_to_stretch(struct app *app, const struct summary_link *link)
{
	int64_t margin = (link->t1 - link->t0) / MARGIN;
	int lane = 0;

	while (lane < app->s.chart.n_lanes && &app->s.profile->lanes[lane] != link->lane)
		lane++;
	if (lane == app->s.chart.n_lanes)
		return;
	app->focus = KEYMAP_CHART;
	app->is_pane_max = false;
	app->s.lanes[lane].is_hidden = false;
	lanes_open(&app->s, lane, true);
	select_lane(app, lane);
	viewport_set(&app->s.view, link->t0, link->t1);
	/* The place counts, also if it has no such call. */
	if (link->function != FRAME_NONE && !select_frame(app, link->function))
		buf_clear(&app->message);
	viewport_set(&app->s.view, link->t0 - margin, link->t1 + margin);
	select_inside(app);
}

/* Go to the place of a link. */
static void go_to_link(struct app *app, int link)
{
	const struct summary_page *s = &app->summary;
	const struct summary_link *to;

	if (link < 0 || (size_t)link >= s->n_links)
		return;
	to = &s->links[link];
	/* The findings may have changed since the lines were made: then the place that the line is
	 * about counts. */
	if (to->finding >= 0 && s->n_findings == app->walk.n_changes)
		findings_walk_show(app, to->finding);
	else if (to->lane)
		go_to_stretch(app, to);
	else
		select_frame(app, to->function);
}

/* The link at a cell of the screen inside the pane's area; -1: none. */
static int link_at(const struct app *app, const struct rect *area, int row, int col)
{
	const struct summary_page *s = &app->summary;

	return s->has_columns && col >= area->col + s->left_cols
		? -1
		: lines_hit(&s->lines, row - area->row);
}

static void show(struct app *app)
{
	go_to_link(app, app->summary.lines.link);
}

static void click(struct app *app, const struct rect *area, int row, int col)
{
	int link = link_at(app, area, row, col);

	if (link < 0)
		return;
	app->summary.lines.link = link;
	take_spot(&app->summary, area->rows);
	go_to_link(app, link);
}

const struct pane_kind summary_page_pane = { .title = "4 Summary",
					     .command = CMD_SUMMARY,
					     .table = PANE_TABS,
					     .head_rows = 1,
					     .has_totals = true,
					     .update = update,
					     .draw = draw,
					     .wait_ms = wait_ms,
					     .work = work,
					     .forget = forget,
					     .done = done,
					     .aside = aside,
					     .move = move,
					     .show = show,
					     .click = click };
