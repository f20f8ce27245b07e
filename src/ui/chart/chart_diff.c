/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes of a comparison are those of the panes (pane_scope.h). The two sides of one profile are
 * these lanes in two ranges. Sides that are files have all lanes of their arguments. */
#include "config.h"

#include "ui/chart/chart_diff.h"

#include "analyse/compare/match.h"
#include "analyse/compare/sides.h"
#include "analyse/scope.h"
#include "base/alloc.h"
#include "base/progress.h"
#include "base/text.h"
#include "draw/flame/label.h"
#include "draw/screen.h"
#include "ui/app.h"
#include "ui/chart/views.h"
#include "ui/pane/pane_scope.h"
#include "ui/same_frames.h"
#include "ui/state.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ==== chart diff open ====
 *
 * The app does not know when reading has ended: it asks for the progress every DIFF_OPEN_MS, and is
 * then replaced, or told why not. */

#define BAR_CELLS 20

bool chart_diff_open_is_busy(const struct app *app)
{
	return app->diff.is_reading;
}

void chart_diff_open_begin(struct app *app, const char *files)
{
	struct buf said = { 0 };

	if (!app->host || !app->host->compare) {
		state_say(app, true, "files cannot be opened here");
	} else if (app->host->compare(app->host->ctx, files, &said)) {
		app->diff.is_reading = true;
		chart_diff_open_look(app);
	} else {
		state_say(app, true, "%s", buf_text(&said));
	}
	buf_done(&said);
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
	if (app->is_help || !app->diff.is_reading)
		return false;
	app->diff.is_reading = false;
	app->host->stop_comparing(app->host->ctx);
	state_say(app, false, "stopped; no file is compared");
	return true;
}

/* End the comparison, for the app that was there before. False: the program cannot do that. */
static bool diff_open_end(struct app *app)
{
	if (!app->host || !app->host->end_comparing)
		return false;
	app->host->end_comparing(app->host->ctx);
	return true;
}

/* ==== chart diff ==== */

#define ROOM_PERCENT 80 /* of all growth */

const char *chart_diff_width_word(unsigned i)
{
	static const char *const words[] = { "mean", "larger", "before", "after" };

	return i < SIDES_WIDTHS ? words[i] : NULL;
}

void chart_diff_windows(struct app *app, const int64_t t0[SIDES], const int64_t t1[SIDES])
{
	struct chart_diff_what *d = &app->diff.what;

	d->is_on = true;
	d->has_files = false;
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
	if (d->is_opened && diff_open_end(app))
		return;
	if (!d->is_on) {
		state_say(app, false,
			  "nothing is compared; :diff 1s,2s 3s,4s compares two windows, "
			  ":diff FILE another recording");
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
	const struct lane **lanes = xcalloc((size_t)p->n_lanes + 1, sizeof(*lanes));
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
	free(lanes);
	return merge;
}

static struct sides_merge *begin_windows(const struct app *app, const struct profile *p)
{
	const struct chart_diff_what *d = &app->diff.what;
	uint8_t *is_lane = xcalloc((size_t)p->n_lanes + 1, 1);
	struct compare_run runs[SIDES];
	const struct lane **lanes;
	struct sides_merge *merge;
	int64_t t0, t1;
	uint32_t n = pane_scope_of_time(app, &t0, &t1, &lanes);

	for (uint32_t i = 0; i < n; i++)
		is_lane[lanes[i] - p->lanes] = 1;
	for (int k = 0; k < SIDES; k++)
		runs[k] = (struct compare_run){ NULL, is_lane, d->t0[k], d->t1[k],
						k == SIDE_AFTER };
	merge = begin_runs(app, p, runs, SIDES);
	free(lanes);
	free(is_lane);
	return merge;
}

struct sides_merge *chart_diff_begin(struct app *app)
{
	const struct chart_diff_what *d = &app->diff.what;
	const struct profile *p = app->mode == VIEW_TIME ? app->s.profile : app->time.profile;
	uint32_t n = chart_diff_count_runs(d);
	struct sides_merge *merge = NULL;
	struct error err = ERROR_INIT;
	struct compare_run *runs;

	if (!d->has_files)
		return begin_windows(app, p);
	runs = xcalloc(n, sizeof *runs);
	if (chart_diff_find_runs(d, p, runs, &err))
		merge = begin_runs(app, p, runs, n);
	else
		state_say(app, true, "%s", err.text);
	for (uint32_t i = 0; i < n; i++)
		compare_run_done(&runs[i]);
	free(runs);
	return merge;
}

const struct sides *chart_diff_shown(const struct app *app)
{
	return app->diff.sides.n ? &app->diff.sides : NULL;
}

void chart_diff_leave(struct app *app)
{
	app->pane.sides.of = NULL;
	sides_done(&app->diff.sides);
	buf_done(&app->diff.verdict);
	buf_done(&app->diff.note);
}

/* ---- texts ---- */

/* `1.00 s to 2.00 s`. */
static char *name_of_range(const struct profile *p, int64_t t0, int64_t t1)
{
	char from[UNITS_MAX], to[UNITS_MAX];
	struct buf name = { 0 };
	char *text;

	profile_value_near(p, t0, (t1 - t0) / 100, from);
	profile_value_near(p, t1, (t1 - t0) / 100, to);
	buf_addf(&name, "%s to %s", from, to);
	text = xstrdup(buf_text(&name));
	buf_done(&name);
	return text;
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
	struct buf name = { 0 };
	char *text;

	if (n > 1 && !is_one) {
		buf_addf(&name, "%u runs", (unsigned)n);
	} else {
		path = skip_shared(path, other);
		text_visible(&name, path, strlen(path));
		if (n > 1)
			buf_addf(&name, " and %u more", (unsigned)n - 1);
	}
	text = xstrdup(buf_text(&name));
	buf_done(&name);
	return text;
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

static void describe(struct app *app)
{
	struct chart_diff *d = &app->diff;
	const struct sides *s = &d->sides;
	int64_t ns[SIDES] = { 0, 0 };
	frame_id frame = find_largest(s, app->s.profile, ns);

	d->largest = FRAME_NONE;
	buf_clear(&d->verdict);
	buf_clear(&d->note);
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
	if (frame != FRAME_NONE && makes_room(s, app->s.profile, frame))
		buf_adds(
			&d->note,
			"the shares of the others shrink with it; :set per count:NAME compares times");
	else if (!d->what.has_files)
		buf_adds(&d->note, "two parts of one run always differ a little");
	else if (s->n_runs[SIDE_BEFORE] == 1 || s->n_runs[SIDE_AFTER] == 1)
		buf_adds(&d->note,
			 "two runs of one program differ, too: several of each tell more");
	else
		buf_adds(&d->note, "flametty diff tells which changes are more than chance");
	buf_clear(&app->mode_text);
	if (d->what.width != SIDES_MEAN)
		buf_addf(&app->mode_text, "width %s", chart_diff_width_word(d->what.width));
	if (d->what.per == SIDES_PER_COUNT)
		buf_addf(&app->mode_text, "%scalls of /%s/", app->mode_text.len ? ", " : "",
			 d->what.count);
}

void chart_diff_take(struct app *app, struct sides *sides)
{
	const struct chart_diff_what *d = &app->diff.what;

	for (int k = 0; k < SIDES; k++)
		sides->name[k] = d->has_files ? name_of_files(d, app->time.profile, (enum side)k)
					      : name_of_range(app->base, d->t0[k], d->t1[k]);
	app->diff.sides = *sides;
	app->pane.sides.of = &app->diff.sides;
	describe(app);
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
	buf_addf(out, " (%s); before: %s, after: %s", sides_per_name(s->unit.per),
		 s->name[SIDE_BEFORE], s->name[SIDE_AFTER]);
	return true;
}

bool chart_diff_find_start(const struct app *app, struct span *span)
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

void chart_diff_set_width(struct app *app, enum sides_width width)
{
	app->diff.what.width = width;
	if (chart_diff_shown(app) || (app->diff.what.is_on && views_wanted(app) == VIEW_MERGED))
		views_show(app, VIEW_MERGED, FRAME_NONE);
}

/* Compare again, in another unit. */
static void merge_again(struct app *app)
{
	if (chart_diff_shown(app) || (app->diff.what.is_on && views_wanted(app) == VIEW_MERGED))
		views_show(app, VIEW_MERGED, FRAME_NONE);
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

void chart_diff_say_none(struct app *app, const struct sides *sides)
{
	struct chart_diff_what *d = &app->diff.what;
	const char *side = sides->n_calls[SIDE_BEFORE] ? "after" : "before";

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
