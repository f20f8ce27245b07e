/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lanes of a comparison are those of the panes (pane_scope.h). The two sides of one profile are
 * these lanes in two ranges. */
#include "config.h"

#include "ui/chart/diff.h"

#include "base/alloc.h"
#include "layout/change.h"
#include "layout/flame/label.h"
#include "ui/chart/views.h"
#include "ui/pane/pane_scope.h"
#include "ui/state.h"

#include <stdlib.h>
#include <string.h>

const char *diff_width_word(unsigned i)
{
	static const char *const words[] = { "larger", "before", "after" };

	return i < SIDES_WIDTHS ? words[i] : NULL;
}

void diff_windows(struct app *app, const int64_t t0[SIDES], const int64_t t1[SIDES])
{
	struct diff_what *d = &app->diff.what;

	d->is_on = true;
	for (int k = 0; k < SIDES; k++) {
		d->has_range[k] = true;
		d->t0[k] = t0[k];
		d->t1[k] = t1[k];
	}
	views_show(app, VIEW_MERGED, FRAME_NONE);
}

void diff_off(struct app *app)
{
	if (!app->diff.what.is_on) {
		state_say(app, false,
			  "nothing is compared; :diff 1s,2s 3s,4s compares two windows");
		return;
	}
	app->diff.what.is_on = false;
	views_show(app, VIEW_TIME, FRAME_NONE);
	state_say(app, false, "the comparison has ended");
}

struct sides_merge *diff_begin(const struct app *app)
{
	const struct diff_what *d = &app->diff.what;
	const struct profile *p = app->mode == VIEW_TIME ? app->s.profile : app->time.profile;
	const struct lane **lanes;
	int64_t t0, t1;
	uint32_t n = pane_scope_of_time(app, &t0, &t1, &lanes);
	uint8_t *is_lane = xcalloc((size_t)p->n_lanes + 1, 1);
	struct compare_run runs[SIDES];
	struct sides_plan plan = { .lanes = lanes,
				   .n_lanes = n,
				   .runs = runs,
				   .n_runs = SIDES,
				   .per = d->per,
				   .width = d->width,
				   .has_idle = app->pane.has_idle };
	struct sides_merge *merge;

	for (uint32_t i = 0; i < n; i++)
		is_lane[lanes[i] - p->lanes] = 1;
	for (int k = 0; k < SIDES; k++)
		runs[k] = (struct compare_run){ NULL, is_lane, d->t0[k], d->t1[k],
						k == SIDE_AFTER };
	merge = n ? sides_merge_begin(p, &plan) : NULL;
	free(lanes);
	free(is_lane);
	return merge;
}

const struct sides *diff_shown(const struct app *app)
{
	return app->diff.sides.n ? &app->diff.sides : NULL;
}

void diff_leave(struct app *app)
{
	app->pane.sides.of = NULL;
	sides_done(&app->diff.sides);
	buf_done(&app->diff.verdict);
	buf_done(&app->diff.note);
}

/* ---- texts ---- */

/* `1.00 s to 2.00 s`. */
static char *name_of_range(int64_t t0, int64_t t1)
{
	char from[UNITS_MAX], to[UNITS_MAX];
	struct buf name = { 0 };
	char *text;

	units_time_near(t0, (t1 - t0) / 100, from);
	units_time_near(t1, (t1 - t0) / 100, to);
	buf_addf(&name, "%s to %s", from, to);
	text = xstrdup(buf_text(&name));
	buf_done(&name);
	return text;
}

/* The function whose self time changed most; FRAME_NONE: none. */
static frame_id find_largest(const struct sides *s, const struct profile *p, int64_t ns[SIDES])
{
	const struct calltree *tree = &p->lanes[0].tree;
	int64_t *sum[SIDES], most = 0;
	frame_id best = FRAME_NONE;

	for (int k = 0; k < SIDES; k++) {
		sum[k] = xcalloc((size_t)p->frames.n + 1, sizeof *sum[k]);
		for (uint32_t i = 1; i < s->n; i++)
			sum[k][tree->frame[i]] += s->self[k][i];
	}
	for (frame_id f = 1; f < p->frames.n; f++) {
		int64_t change = sum[SIDE_AFTER][f] - sum[SIDE_BEFORE][f];

		change = change < 0 ? -change : change;
		if (change <= most)
			continue;
		most = change;
		best = f;
		for (int k = 0; k < SIDES; k++)
			ns[k] = sum[k][f];
	}
	for (int k = 0; k < SIDES; k++)
		free(sum[k]);
	return best;
}

static void describe(struct app *app)
{
	struct diff *d = &app->diff;
	const struct sides *s = &d->sides;
	int64_t ns[SIDES] = { 0, 0 };
	frame_id frame = find_largest(s, app->s.profile, ns);

	buf_clear(&d->verdict);
	buf_clear(&d->note);
	if (frame != FRAME_NONE && sides_level(&s->unit, ns[SIDE_AFTER] - ns[SIDE_BEFORE])) {
		buf_adds(&d->verdict,
			 change_sign(sides_kind_of(&s->unit, ns[SIDE_BEFORE], ns[SIDE_AFTER])));
		label_frame(app->s.profile, frame, 40, &d->verdict);
		buf_adds(&d->verdict, " self ");
		change_text(&s->unit, ns, &d->verdict);
	} else {
		buf_adds(&d->verdict, "no function changed");
	}
	if (s->n_runs[SIDE_BEFORE] == 1 && s->n_runs[SIDE_AFTER] == 1)
		buf_adds(&d->note, "one run each: ranks, cannot prove");
	buf_clear(&app->mode_text);
	if (d->what.width != SIDES_LARGER)
		buf_addf(&app->mode_text, "width %s", diff_width_word(d->what.width));
}

void diff_take(struct app *app, struct sides *sides)
{
	const struct diff_what *d = &app->diff.what;

	for (int k = 0; k < SIDES; k++)
		sides->name[k] = name_of_range(d->t0[k], d->t1[k]);
	app->diff.sides = *sides;
	app->pane.sides.of = &app->diff.sides;
	describe(app);
}

bool diff_add_figures(const struct app *app, frame_id frame, struct buf *out)
{
	const struct sides *s = diff_shown(app);
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

void diff_bar(const struct app *app, struct verdict_bar *bar)
{
	if (diff_shown(app))
		*bar = (struct verdict_bar){ .text = buf_text(&app->diff.verdict),
					     .second = buf_text(&app->diff.note) };
}

/* ---- options ---- */

void diff_set_width(struct app *app, enum sides_width width)
{
	app->diff.what.width = width;
	if (diff_shown(app) || (app->diff.what.is_on && views_wanted(app) == VIEW_MERGED))
		views_show(app, VIEW_MERGED, FRAME_NONE);
}

void diff_set_per(struct app *app, enum sides_per per)
{
	app->diff.what.per = per;
	if (diff_shown(app) || (app->diff.what.is_on && views_wanted(app) == VIEW_MERGED))
		views_show(app, VIEW_MERGED, FRAME_NONE);
}
