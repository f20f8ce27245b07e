/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A merged view is a scene of its own with a profile made for it; app->time keeps the scene of the
 * time line meanwhile.
 *
 * The profile is made in steps, between keys. Until it is complete, the view before is shown. It is
 * not replaced while a prompt is open, which keeps a span to go back to.
 *
 * The lanes of a comparison are those of the panes (pane.h). The two sides of one profile are
 * these lanes in two ranges. Sides that are files have all lanes of their arguments. */
#include "config.h"

#include "ui/chart/views.h"

#include "analyse/scope.h"
#include "analyse/view/merged.h"
#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/flame/label.h"
#include "model/profile.h"
#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

/* ==== chart diff open ====
 *
 * The app does not know when reading has ended: it asks for the progress every DIFF_OPEN_MS, and is
 * then replaced, or told why not. */

#define BAR_CELLS 20

void chart_diff_open_begin(struct app *app, const char *files)
{
	BUF_LOCAL said = { 0 };

	if (!app->host || !app->host->compare) {
		state_say(app, true, "files cannot be opened here");
	} else if (app->host->compare(app->host->ctx, files, &said)) {
		app->diff.is_reading = true;
		if (app->mode == VIEW_TIME && state_lane(app))
			app->diff.what.is_slices = state_lane(app)->kind == LANE_SLICES;
		chart_diff_open_look(app);
	} else {
		state_say(app, true, "%s", buf_text(&said));
	}
}

static void open_or_say(struct app *app, bool is_open, const struct buf *said)
{
	app->diff.is_reading = is_open;
	if (is_open)
		chart_diff_open_look(app);
	else
		state_say(app, true, "%s", said->len ? said->data : "files cannot be opened here");
}

void chart_diff_open_recording(struct app *app, uint32_t input, const char *file)
{
	const struct app_host *h = app->host;
	BUF_LOCAL said = { 0 };

	open_or_say(app, h && h->open && h->open(h->ctx, input, file, &said), &said);
}

void chart_diff_open_group(struct app *app, const struct app_group *group)
{
	const struct app_host *h = app->host;
	BUF_LOCAL said = { 0 };

	open_or_say(app, h && h->open_group && h->open_group(h->ctx, group, &said), &said);
}

static void add_bar(const struct app *app, const struct progress *p, struct buf *out)
{
	double share = progress_text_share(p);
	bool is_ascii = app->s.chart.is_ascii;

	for (int i = 0; share >= 0 && i < BAR_CELLS; i++)
		if (i < (int)(share * BAR_CELLS))
			buf_adds(out, is_ascii ? "#" : "\342\226\210");
		else
			buf_adds(out, is_ascii ? "." : "\342\226\221");
	if (share >= 0)
		buf_addc(out, ' ');
}

void chart_diff_open_look(struct app *app)
{
	struct buf *out = &app->diff.reading;
	char text[PROGRESS_TEXT_MAX];
	struct progress progress = { 0 };
	const char *name;

	buf_clear(out);
	if (!app->host->comparing || !app->host->comparing(app->host->ctx, &progress, &name)) {
		app->diff.is_reading = false;
		return;
	}
	add_bar(app, &progress, out);
	progress_text_short(&progress, text);
	buf_addf(out, "%s; Esc stops it", text);
}

bool chart_diff_open_cancel(struct app *app)
{
	/* It may have ended since then. */
	if (app->diff.is_reading)
		chart_diff_open_look(app);
	if (!app->diff.is_reading)
		return false;
	app->diff.is_reading = false;
	app->host->stop_comparing(app->host->ctx);
	state_say(app, false, "stopped; no file is opened");
	return true;
}

/* ==== chart diff ==== */

#define ROOM_PERCENT 80 /* of all growth */

const char *chart_diff_width_word(unsigned i)
{
	static const char *const words[] = { "mean", "larger", "before", "after" };

	return i < SIDES_WIDTHS ? words[i] : NULL;
}

void chart_diff_windows(struct app *app, const int64_t t0[SIDES], const int64_t t1[SIDES],
			bool is_rest)
{
	struct chart_diff_what *d = &app->diff.what;

	d->is_on = true;
	d->has_files = false;
	d->is_rest = is_rest;
	for (int k = 0; k < SIDES; k++) {
		d->t0[k] = t0[k];
		d->t1[k] = t1[k];
	}
	views_show(app, VIEW_MERGED, FRAME_NONE);
}

bool chart_diff_files(struct app *app)
{
	struct chart_diff_what *d = &app->diff.what;

	if (!d->n_files)
		return false;
	d->is_on = d->has_files = true;
	views_show(app, VIEW_MERGED, FRAME_NONE);
	return true;
}

void chart_diff_off(struct app *app)
{
	struct chart_diff_what *d = &app->diff.what;

	if (d->is_on && !d->has_files && chart_diff_files(app)) {
		state_say(app, false, "the files are compared again");
		return;
	}
	if (d->is_opened && app->host && app->host->end_comparing) {
		app->host->end_comparing(app->host->ctx);
		return;
	}
	if (!d->is_on) {
		state_say(app, false,
			  "nothing is compared; :diff compares the window with the rest, "
			  ":diff 1s,2s 3s,4s two windows, :diff FILE another recording");
		return;
	}
	d->is_on = false;
	views_show(app, VIEW_TIME, FRAME_NONE);
	state_say(app, false, "the comparison has ended");
}

/* ---- runs ---- */

uint32_t chart_diff_count_runs(const struct chart_diff_what *d)
{
	return d->is_one_before ? d->n_files - d->n_before + 1 : d->n_files;
}

bool chart_diff_find_runs(const struct chart_diff_what *d, const struct profile *p,
			  struct compare_run *runs, struct error *err)
{
	uint32_t n_joined = d->is_one_before ? d->n_before - 1 : 0;

	for (uint32_t i = 0; i < chart_diff_count_runs(d); i++) {
		uint32_t first = i ? i + n_joined : 0, end = i + n_joined + 1;

		runs[i].name = d->files[first];
		runs[i].is_slices = d->is_slices;
		runs[i].is_after = first >= d->n_before;
		if (!compare_run_of_arguments(&runs[i], p, first, end, err) ||
		    (d->lane && !compare_run_select(&runs[i], p, d->lane, err)) ||
		    !compare_run_restrict(&runs[i], p, d->from, d->to, err))
			return false;
	}
	return true;
}

/* Begin with the lanes of the runs. */
static struct sides_merge *begin_runs(const struct app *app, const struct profile *p,
				      const struct compare_run *runs, uint32_t n_runs)
{
	const struct chart_diff_what *d = &app->diff.what;
	ALLOC_LOCAL const struct lane **lanes = xcalloc((size_t)p->n_lanes + 1, sizeof(*lanes));
	struct sides_plan plan = { .lanes = lanes,
				   .runs = runs,
				   .n_runs = n_runs,
				   .per = d->per,
				   .count = d->count,
				   .all = app->base,
				   .width = d->width,
				   .has_idle = app->pane.has_idle };
	struct sides_merge *merge = NULL;

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		bool is_of = false;

		for (uint32_t r = 0; r < n_runs; r++)
			is_of |= runs[r].is_lane[i] != 0;
		if (is_of)
			lanes[plan.n_lanes++] = &p->lanes[i];
	}
	if (d->has_files) {
		plan.match = xcalloc((size_t)p->frames.n + 1, sizeof *plan.match);
		match_frames(p, runs, n_runs,
			     app->transforms.group == GROUP_FILE ? MATCH_FILES : d->match,
			     plan.match, NULL);
	}
	if (plan.n_lanes)
		merge = sides_merge_begin(p, &plan);
	else
		free(plan.match);
	return merge;
}

static struct sides_merge *begin_windows(const struct app *app, const struct profile *p)
{
	const struct chart_diff_what *d = &app->diff.what;
	ALLOC_LOCAL uint8_t *is_lane = xcalloc((size_t)p->n_lanes + 1, 1);
	struct compare_run runs[SIDES + 1];
	ALLOC_LOCAL const struct lane **lanes = NULL;
	int64_t t0, t1;
	uint32_t n = pane_scope_of_time(app, &t0, &t1, &lanes);
	const struct viewport *all = &state_time_line(app)->view;

	for (uint32_t i = 0; i < n; i++)
		is_lane[lanes[i] - p->lanes] = 1;
	for (int k = 0; k < SIDES; k++)
		runs[k] = (struct compare_run){ NULL, is_lane, d->t0[k], d->t1[k], k == SIDE_AFTER,
						true, false };
	/* The rest is two runs: before the window, and behind it, with what was recorded since the
	 * command. */
	runs[SIDES] = runs[SIDE_BEFORE];
	if (d->is_rest) {
		runs[SIDE_BEFORE].t1 = d->t0[SIDE_AFTER];
		runs[SIDES].t0 = d->t1[SIDE_AFTER];
		runs[SIDES].t1 = all->t_max > d->t1[SIDE_AFTER] ? all->t_max : d->t1[SIDE_AFTER];
	}
	return begin_runs(app, p, runs, d->is_rest ? SIDES + 1 : SIDES);
}

/* Begin to merge the calls of both sides. NULL: there is no time to compare, which a message may
 * say, or no memory. */
static struct sides_merge *begin_diff(struct app *app)
{
	const struct chart_diff_what *d = &app->diff.what;
	const struct profile *p = state_time_line(app)->profile;
	uint32_t n = chart_diff_count_runs(d);
	struct sides_merge *merge = NULL;
	struct error err = ERROR_INIT;
	ALLOC_LOCAL struct compare_run *runs = NULL;

	if (!d->has_files)
		return begin_windows(app, p);
	runs = xcalloc(n, sizeof *runs);
	if (chart_diff_find_runs(d, p, runs, &err))
		merge = begin_runs(app, p, runs, n);
	else
		state_say(app, true, "%s", err.text);
	for (uint32_t i = 0; i < n; i++)
		compare_run_done(&runs[i]);
	return merge;
}

const struct sides *chart_diff_shown(const struct app *app)
{
	return app->diff.sides.n ? &app->diff.sides : NULL;
}

/* ---- texts ---- */

/* `1.00 s to 2.00 s`. */
static char *name_of_range(const struct profile *p, int64_t t0, int64_t t1)
{
	BUF_LOCAL name = { 0 };

	buf_addf(&name, "%s to %s", profile_value_near(p, t0, (t1 - t0) / 100, UNITS_ROOM),
		 profile_value_near(p, t1, (t1 - t0) / 100, UNITS_ROOM));
	return xstrdup(buf_text(&name));
}

/* The path without the folders that another path begins with, too. */
static const char *skip_shared(const char *path, const char *other)
{
	const char *from = path;

	for (size_t i = 0; path[i] && path[i] == other[i]; i++)
		if (path[i] == '/' && path[i + 1])
			from = path + i + 1;
	return from;
}

/* What an argument is called: the path of its input, or of several, what the user gave. */
static const char *name_of_argument(const struct chart_diff_what *d, const struct profile *p,
				    uint32_t argument)
{
	const char *path = NULL;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		if (p->inputs[i].argument != argument)
			continue;
		if (path)
			return d->files[argument];
		path = profile_text(p, p->inputs[i].path);
	}
	return path ? path : "";
}

/* What a side of files is called: how many runs it has, or where its run is. */
static char *name_of_files(const struct chart_diff_what *d, const struct profile *p, enum side side)
{
	uint32_t n = side == SIDE_BEFORE ? d->n_before : d->n_files - d->n_before;
	bool is_one = side == SIDE_BEFORE && d->is_one_before;
	const char *path = name_of_argument(d, p, side == SIDE_BEFORE ? 0 : d->n_before);
	const char *other = name_of_argument(d, p, side == SIDE_BEFORE ? d->n_before : 0);
	BUF_LOCAL name = { 0 };

	if (n > 1 && !is_one) {
		buf_addf(&name, "%u runs", (unsigned)n);
	} else {
		path = skip_shared(path, other);
		text_visible(&name, path, strlen(path));
		if (n > 1)
			buf_addf(&name, " and %u more", (unsigned)n - 1);
	}
	return xstrdup(buf_text(&name));
}

/* The function whose self time changed most; FRAME_NONE: none. */
static frame_id find_largest(const struct sides *s, const struct profile *p, int64_t ns[SIDES])
{
	frame_id best = FRAME_NONE;
	int64_t most = 0;

	for (frame_id f = 1; f < p->frames.n; f++) {
		int64_t change = s->frame_self[SIDE_AFTER][f] - s->frame_self[SIDE_BEFORE][f];

		change = change < 0 ? -change : change;
		if (change <= most)
			continue;
		most = change;
		best = f;
		for (int k = 0; k < SIDES; k++)
			ns[k] = s->frame_self[k][f];
	}
	return best;
}

/* Whether a share grew so that those of others shrink: it is most of all growth. */
static bool makes_room(const struct sides *s, const struct profile *p, frame_id frame)
{
	int64_t grown = 0, change = 0;
	uint32_t n_shrunk = 0;

	for (frame_id f = 1; f < p->frames.n; f++) {
		int64_t of_f = s->frame_self[SIDE_AFTER][f] - s->frame_self[SIDE_BEFORE][f];

		change = f == frame ? of_f : change;
		grown += of_f > 0 ? of_f : 0;
		n_shrunk += of_f < 0 && sides_level(&s->unit, of_f);
	}
	return s->unit.per == SIDES_PER_TOTAL && n_shrunk > 1 &&
		(double)change * 100 >= (double)grown * ROOM_PERCENT;
}

/* Whether the sides are called rest and window. */
static bool is_of_rest(const struct chart_diff_what *d)
{
	return !d->has_files && d->is_rest;
}

/* As chart_diff_width_word(), with the words of the sides that are compared. */
static const char *width_said(const struct app *app, enum sides_width width)
{
	const struct sides_unit unit = { .is_rest = is_of_rest(&app->diff.what) };

	return width == SIDES_BEFORE   ? sides_word(&unit, SIDE_BEFORE)
		: width == SIDES_AFTER ? sides_word(&unit, SIDE_AFTER)
				       : chart_diff_width_word(width);
}

/* How sure the largest change is. */
static void describe_sureness(struct app *app, frame_id frame, const int64_t ns[SIDES])
{
	struct chart_diff *d = &app->diff;
	const struct sides *s = &d->sides;
	const char *more = "";

	buf_clear(&d->note);
	if (sides_add_error(s, ns, &d->note))
		return;
	if (frame != FRAME_NONE && makes_room(s, app->s.profile, frame))
		more = "the shares of the others shrink with it; :set per count:NAME compares times";
	else if (d->what.has_files && (s->n_runs[SIDE_BEFORE] == 1 || s->n_runs[SIDE_AFTER] == 1))
		more = "two runs of one program differ, too: several of each tell more";
	else if (d->what.has_files)
		more = "flametty diff tells which changes are more than chance";
	buf_addf(&d->note, "%s%s", d->note.len && *more ? "; " : "", more);
}

static void describe_change(struct app *app)
{
	struct chart_diff *d = &app->diff;
	const struct sides *s = &d->sides;
	int64_t ns[SIDES] = { 0, 0 };
	frame_id frame = find_largest(s, app->s.profile, ns);

	d->largest = FRAME_NONE;
	buf_clear(&d->verdict);
	if (frame != FRAME_NONE && sides_level(&s->unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE])) {
		d->largest = frame;
		buf_adds(&d->verdict,
			 change_sign(sides_kind_of(&s->unit, ns[SIDE_BEFORE], ns[SIDE_AFTER])));
		label_frame(app->s.profile, frame, 40, &d->verdict);
		buf_adds(&d->verdict, " self ");
		change_text(&s->unit, ns, &d->verdict);
	} else {
		buf_adds(&d->verdict, "no function changed");
	}
	describe_sureness(app, frame, ns);
	buf_clear(&app->views.text);
	if (d->what.width != SIDES_MEAN)
		buf_addf(&app->views.text, "width %s", width_said(app, d->what.width));
	if (d->what.per == SIDES_PER_COUNT)
		buf_addf(&app->views.text, "%scalls of /%s/", app->views.text.len ? ", " : "",
			 d->what.count);
}

/* The merged view is shown: take its sides, name them, and describe them for the header. */
static void take_sides(struct app *app, struct sides *sides)
{
	const struct chart_diff_what *d = &app->diff.what;

	for (int k = 0; k < SIDES; k++)
		sides->name[k] = d->has_files ? name_of_files(d, app->time.profile, (enum side)k)
			: d->is_rest && k == SIDE_BEFORE
			? xstrdup("")
			: name_of_range(app->base, d->t0[k], d->t1[k]);
	app->diff.sides = *sides;
	app->diff.sides.unit.is_rest = is_of_rest(d);
	app->pane.sides.of = &app->diff.sides;
	describe_change(app);
}

bool chart_diff_add_figures(const struct app *app, frame_id frame, struct buf *out)
{
	const struct sides *s = chart_diff_shown(app);
	const struct calltree *tree;
	int64_t self[SIDES] = { 0, 0 }, total[SIDES] = { 0, 0 };

	if (!s)
		return false;
	tree = &app->s.profile->lanes[0].tree;
	for (uint32_t i = 1; i < s->n; i++)
		for (int k = 0; tree->frame[i] == frame && k < SIDES; k++) {
			self[k] += s->self[k][i];
			total[k] += tree->is_outer[i] ? s->total[k][i] : 0;
		}
	buf_adds(out, " - self ");
	change_text(&s->unit, self, out);
	buf_adds(out, ", total ");
	change_text(&s->unit, total, out);
	buf_addf(out, " (%s); ", sides_per_name(s->unit.per));
	if (s->unit.is_rest)
		buf_addf(out, "the rest, and window: %s", s->name[SIDE_AFTER]);
	else
		buf_addf(out, "before: %s, after: %s", s->name[SIDE_BEFORE], s->name[SIDE_AFTER]);
	return true;
}

/* The span of the merged lane to begin with: the call of the function that changed most whose own
 * change is the largest. False: none. */
static bool find_start(const struct app *app, struct span *span)
{
	const struct sides *s = chart_diff_shown(app);
	const struct lane *lane = s ? &app->s.profile->lanes[0] : NULL;
	int64_t most = 0;

	for (node_id i = 1; s && app->diff.largest != FRAME_NONE && i < s->n; i++) {
		int64_t change = s->self[SIDE_AFTER][i] - s->self[SIDE_BEFORE][i];
		struct span at;

		change = change < 0 ? -change : change;
		if (lane->tree.frame[i] != app->diff.largest || change <= most ||
		    !same_stack_span(lane, i, 0, &at))
			continue;
		most = change;
		*span = at;
	}
	return most > 0;
}

void chart_diff_bar(const struct app *app, struct verdict_bar *bar)
{
	if (chart_diff_shown(app))
		*bar = (struct verdict_bar){ .text = buf_text(&app->diff.verdict),
					     .second = buf_text(&app->diff.note) };
}

/* ---- options ---- */

/* Compare again, by other widths or in another unit. */
static void merge_again(struct app *app)
{
	if (chart_diff_shown(app) || (app->diff.what.is_on && views_wanted(app) == VIEW_MERGED))
		views_show(app, VIEW_MERGED, FRAME_NONE);
}

void chart_diff_set_width(struct app *app, enum sides_width width)
{
	app->diff.what.width = width;
	merge_again(app);
}

void chart_diff_set_per(struct app *app, enum sides_per per)
{
	app->diff.what.per = per;
	merge_again(app);
}

bool chart_diff_set_count(struct app *app, const char *pattern, struct error *err)
{
	struct chart_diff_what *d = &app->diff.what;

	if (!*pattern)
		return error_set(err, ERR_FORMAT, -1, "per wants a pattern: per count:handle");
	if (strlen(pattern) >= sizeof d->count)
		return error_set(err, ERR_LIMIT, -1, "the pattern is too long");
	if (!frame_set_check(pattern, err))
		return false;
	strcpy(d->count, pattern);
	d->per = SIDES_PER_COUNT;
	merge_again(app);
	return true;
}

/* There is no merged tree: say why. */
static void say_no_sides(struct app *app, const struct sides *sides)
{
	struct chart_diff_what *d = &app->diff.what;
	const struct sides_unit unit = { .is_rest = is_of_rest(d) };
	const char *side = sides_word(&unit,
				      sides->n_calls[SIDE_BEFORE] ? SIDE_AFTER : SIDE_BEFORE);

	if (d->per != SIDES_PER_COUNT ||
	    (sides->n_calls[SIDE_BEFORE] && sides->n_calls[SIDE_AFTER])) {
		state_say(app, false, "nothing was sampled in the range");
		return;
	}
	d->per = SIDES_PER_TOTAL;
	views_show(app, VIEW_MERGED, FRAME_NONE);
	state_say(app, true, "no call of /%s/ %s: shares of busy time are compared", d->count,
		  side);
}

/* ==== views ==== */

#define MERGED_BYTES 154 /* for each node, at most */

static const char *const hits_titles[] = {
	"All calls, merged. No time order: hit counts only, no samples"
};

static const char *const diff_titles[] = { change_legend };

static const char *const sandwich_titles[] = { "Callers, merged (read upwards)",
					       "Callees, merged (read downwards)" };

struct views_change {
	enum app_view view;
	frame_id frame;
	bool is_inverted;
	struct pane_scope scope;
	struct merged *merged;    /* NULL: not begun */
	struct sides_merge *diff; /* of two sides, instead of both; NULL: none */
	bool is_ready;            /* the work is complete */
};

bool views_stop(struct app *app)
{
	struct views_change *c = app->views.next;

	if (!c)
		return false;
	if (c->merged)
		profile_free(merged_end(c->merged, NULL, NULL));
	if (c->diff) {
		struct sides sides;

		profile_free(sides_merge_end(c->diff, &sides));
		sides_done(&sides);
	}
	pane_scope_done(&c->scope);
	free(c);
	app->views.next = NULL;
	return true;
}

enum app_view views_wanted(const struct app *app)
{
	return app->views.next ? app->views.next->view : app->mode;
}

void views_leave(struct app *app)
{
	views_stop(app);
	if (app->mode == VIEW_TIME)
		return;
	app->pane.sides.of = NULL;
	sides_done(&app->diff.sides);
	buf_done(&app->diff.verdict);
	buf_done(&app->diff.note);
	scene_end(app);
	app->s = app->time;
	app->s.chart.view = &app->s.view;
	app->s.chart.overview = &app->s.overview;
	profile_free(app->views.merged);
	app->views.merged = NULL;
	app->mode = VIEW_TIME;
	scene_forget_panes(app);
	folds_renew(app);
}

/* Whether any lane has samples or slices, and not only hit counts. */
static bool has_time_order(const struct app *app)
{
	const struct profile *p = app->base;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].has_timeline)
			return true;
	return p->n_lanes == 0;
}

/* The first lane that has no time line. NULL: all lanes have one. */
static const struct lane *first_of_sums(const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_lanes; i++)
		if (!profile->lanes[i].has_timeline)
			return &profile->lanes[i];
	return NULL;
}

/* Whether all that the profile has are sums by stack. */
static bool has_sums(const struct app *app)
{
	const struct lane *lane = first_of_sums(app->base);

	return !has_time_order(app) && lane && lane->value.type;
}

/* Write the title of a view of one lane of calls: which calls these are. */
static void make_title(struct app *app, const struct pane_scope *scope, bool is_inverted)
{
	const struct viewport *view = &app->s.view;
	struct buf *title = &app->views.title;
	char length[UNITS_MAX], from[UNITS_MAX];
	enum lane_kind kind;

	buf_clear(title);
	if (app->has_all_lanes && pane_scope_count(app, &kind) > 1)
		buf_addf(title, "%u lanes together", (unsigned)pane_scope_count(app, &kind));
	else if (app->s.chart.n_lanes > 1 && state_lane(app))
		lane_name(app->s.profile, state_lane(app), true, title);
	else
		buf_adds(title, "All calls");
	profile_value(app->base, scope->t1 - scope->t0, length);
	profile_value_near(app->base, scope->t0, (scope->t1 - scope->t0) / 100, from);
	if (live_is_moving(app) && !app->range.is_pinned)
		buf_addf(title, " of the last %s", length);
	else if (scope->t0 > view->t_min || scope->t1 < view->t_max)
		buf_addf(title, ", %s from %s on", length, from);
	buf_adds(title,
		 is_inverted ? ", inverted (read upwards: callers)" : ", merged, heaviest first");
	if (has_sums(app))
		buf_adds(title,
			 amount_is_time(&app->base->unit) ? ". No times of samples"
							  : ". Sums without order");
}

/* Describe what the view shows, for the header. n_levels: of callers; 0: all. */
static void describe(struct app *app, enum app_view view, frame_id frame,
		     const struct totals *totals, uint32_t n_levels)
{
	const char *time = profile_value(app->base, totals->sampled_ns, UNITS_ROOM);
	const char *levels = units_count(n_levels, UNITS_ROOM);

	buf_clear(&app->views.text);
	if (view == VIEW_MERGED) {
		buf_addf(&app->views.text, "merged: %s", time);
		if (!has_time_order(app)) {
			buf_adds(&app->views.text, " of ");
			lane_value_text(app->base, first_of_sums(app->base), &app->views.text);
		}
	} else {
		BUF_LOCAL name = { 0 };

		buf_adds(&app->views.text, "callers and callees of ");
		profile_add_name(totals->profile, &totals->view->frames[frame], &name);
		text_fit(&app->views.text, buf_text(&name), name.len, 24);
	}
	if (!n_levels)
		return;
	buf_addf(&app->views.text, ", %s levels of callers", levels);
	state_say(app, true, "too many callers: only %s levels of them are shown", levels);
}

/* Find the call that was selected in the view before, where all calls of its stack are one. */
static bool find_before(const struct app *app, const struct same_stack *before, struct span *out)
{
	const struct scene *s = &app->s;
	const struct lane *lane = s->profile->lanes;
	node_id node = before->n ? same_stack_find(before, s->profile, &lane->tree) : NODE_ROOT;

	if (node == NODE_ROOT || !same_stack_is(before, s->profile, &lane->tree, node) ||
	    !same_stack_span(lane, node, 0, out))
		return false;
	folds_close(s, 0, out, out);
	return true;
}

/* before: the call that was selected. */
static void open_all(struct app *app, enum app_view view, bool is_inverted,
		     const struct same_stack *before)
{
	struct scene *s = &app->s;
	struct span span;
	bool has_start;

	s->chart.is_merged = true;
	s->chart.sides = chart_diff_shown(app);
	app->views.titles[0] = buf_text(&app->views.title);
	s->chart.titles = chart_diff_shown(app)                       ? diff_titles
		: view == VIEW_SANDWICH                               ? sandwich_titles
		: is_inverted || has_time_order(app) || has_sums(app) ? app->views.titles
								      : hits_titles;
	for (int i = 0; i < s->chart.n_lanes; i++)
		s->lanes[i].is_open = true;
	s->lanes[0].is_flipped = view == VIEW_SANDWICH || is_inverted;
	folds_make(app);
	s->chart.lane = s->chart.n_lanes - 1;
	has_start = find_start(app, &span) ||
		(view == VIEW_MERGED && !is_inverted && find_before(app, before, &span));
	if (has_start ||
	    span_find_callee(s->lanes[s->chart.lane].lane, NULL, 0, s->profile->t1, &span))
		select_span(app, s->chart.lane, &span);
	s->view.scroll = 0;
	if (s->lanes[0].is_flipped || has_start)
		select_reveal_row(app);
}

/* Show the profile that is ready. */
static void show(struct app *app)
{
	struct views_change *c = app->views.next;
	uint32_t n_levels = 0;
	struct sides sides;
	struct profile *merged = c->diff ? sides_merge_end(c->diff, &sides)
					 : merged_end(c->merged, &n_levels, NULL);
	bool has_sides = c->diff != NULL;
	struct same_stack before = { 0 };
	struct span selected;

	/* While a process runs, the time line has just begun with some call. */
	if (app->s.chart.has_selection && !live_is_moving(app)) {
		selected = folds_subject(&app->s);
		same_stack_take(app->s.profile, &app->s.profile->lanes[app->s.chart.lane].tree,
				selected.node, &before);
	}
	c->diff = NULL;
	c->merged = NULL;
	app->views.next = NULL;
	views_leave(app);
	if (merged) {
		if (!has_sides) {
			describe(app, c->view, c->frame, &c->scope.totals, n_levels);
			make_title(app, &c->scope, c->is_inverted);
		}
		app->time = app->s;
		app->views.merged = merged;
		app->mode = c->view;
		app->views.frame = c->frame;
		scene_begin(app, merged);
		if (has_sides)
			take_sides(app, &sides);
		open_all(app, c->view, c->is_inverted, &before);
	} else if (!has_sides) {
		state_say(app, false, "nothing was sampled in the range");
	}
	pane_scope_done(&c->scope);
	free(c);
	same_stack_done(&before);
	if (!merged && has_sides) {
		say_no_sides(app, &sides);
		sides_done(&sides);
	}
}

bool views_is_busy(const struct app *app)
{
	const struct views_change *c = app->views.next;

	return c && !(c->is_ready && app->prompt.kind != PROMPT_NONE);
}

/* Begin to merge the calls of the scope. False: memory for that was refused. */
static bool begin_merged(struct views_change *c)
{
	enum merged_kind kind = c->view == VIEW_SANDWICH ? MERGED_SANDWICH
		: c->is_inverted                         ? MERGED_INVERTED
							 : MERGED_LEFT_HEAVY;

	if (!reserve_has_room(c->scope.view.tree->n * (size_t)MERGED_BYTES))
		return false;
	c->merged = merged_begin(&c->scope.totals, kind, c->frame, NULL);
	return true;
}

bool views_work(struct app *app, struct budget *budget)
{
	struct views_change *c = app->views.next;

	if (!views_is_busy(app))
		return false;
	if (!c->diff && !c->merged) {
		if (!pane_scope_work(&c->scope, budget))
			return false;
		if (!begin_merged(c))
			return views_stop(app);
	}
	c->is_ready = c->is_ready ||
		(c->diff ? sides_merge_work(c->diff, budget) : merged_work(c->merged, budget));
	if (!c->is_ready || app->prompt.kind != PROMPT_NONE)
		return false;
	show(app);
	return true;
}

void views_start(struct app *app, const struct app_options *options)
{
	bool is_kept = options->state && options->state->is_touched, is_merged = false;

	if (options->diff && !is_kept) {
		app->diff.what = *options->diff;
		is_merged = true;
	} else if (live_is_moving(app) && app->live->is_merged && !is_kept) {
		is_merged = true;
	} else if (has_time_order(app)) {
		/* The order of allocations says little: which calls they are of is what counts. */
		is_merged = !amount_is_time(&app->base->unit) && !options->state;
	} else if (!profile_warns(app->base, WARN_STOPPED)) {
		/* Of a preview, the samples may still come. */
		app->has_all_lanes |= has_sums(app) && app->base->n_lanes > 1;
		is_merged = true;
	}
	if (is_merged)
		views_show(app, VIEW_MERGED, FRAME_NONE);
}

static void say_no_order(struct app *app)
{
	state_say(app, false, "%s; 2 shows the calls",
		  !amount_is_time(&app->base->unit) ? "no order: the file has only sums"
			  : has_sums(app)
			  ? "no time order: the file has no times of samples"
			  : "no time order: the file has hit counts, but no samples");
}

void views_show(struct app *app, enum app_view view, frame_id frame)
{
	struct budget budget = budget_ns(app->key_ns);
	struct views_change *c;
	bool has_sides;

	views_stop(app);
	if (view == VIEW_TIME) {
		views_leave(app);
		if (transforms_is_inverted(app))
			state_say(app, false,
				  "time order is not inverted; 2 shows the merged view");
		if (!has_time_order(app))
			say_no_order(app);
		return;
	}
	c = xcalloc(1, sizeof *c);
	c->view = view;
	c->frame = frame;
	has_sides = app->diff.what.is_on && view == VIEW_MERGED;
	c->is_inverted = view == VIEW_MERGED && !has_sides && transforms_is_inverted(app);
	if (has_sides)
		c->diff = begin_diff(app);
	if (has_sides ? !c->diff : !pane_scope_begin(app, app->pane.has_idle, &c->scope)) {
		free(c);
		return;
	}
	app->views.next = c;
	if (app->key_ns > 0)
		views_work(app, &budget);
}

/* ==== view keys ====
 *
 * Commands that change the view of the chart, and the scope of the panes. */

/* view: enum app_view. */
unsigned view_keys_show(struct app *app, int view)
{
	frame_id frame = FRAME_NONE;

	if (view == VIEW_SANDWICH && chart_diff_shown(app))
		return state_say(app, false, "c lists callers and callees of a comparison");
	if (view == VIEW_SANDWICH && !pane_rows_target(app, &frame))
		return APP_REDRAW;
	if (view == VIEW_TIME && views_wanted(app) == VIEW_TIME)
		state_say(app, false, "this is the time order; 2 merges equal calls");
	views_show(app, (enum app_view)view, frame);
	return APP_REDRAW;
}

unsigned view_keys_width(struct app *app)
{
	enum sides_width next = (enum sides_width)((app->diff.what.width + 1) % SIDES_WIDTHS);
	bool is_rest = is_of_rest(&app->diff.what);

	if (!app->diff.what.is_on)
		return state_say(
			app, false,
			"widths are of a comparison: :diff 1s,2s 3s,4s compares two windows");
	chart_diff_set_width(app, next);
	return state_say(app, false, "the width of a box is its time %s%s",
			 is_rest && next > SIDES_LARGER ? "in the " : "",
			 next == SIDES_MEAN             ? "on both sides, the mean"
				 : next == SIDES_LARGER ? "on the larger side"
							: width_said(app, next));
}

unsigned view_keys_all_lanes(struct app *app)
{
	enum lane_kind kind = LANE_COUNTER;
	const char *what;
	uint32_t n;

	app->has_all_lanes = !app->has_all_lanes;
	n = pane_scope_count(app, &kind);
	what = kind == LANE_SAMPLES ? "samples" : "slices";
	if (!app->has_all_lanes)
		state_say(app, false, "panes show the lane with the cursor");
	else if (kind != LANE_SAMPLES && kind != LANE_SLICES)
		state_say(app, false, "there are no lanes of samples or slices to join");
	else if (n == 1)
		state_say(app, false, "panes show the only lane of %s", what);
	else
		state_say(app, false, "panes show all %u lanes of %s", (unsigned)n, what);
	if (views_wanted(app) == VIEW_MERGED)
		views_show(app, VIEW_MERGED, FRAME_NONE);
	return APP_REDRAW;
}
