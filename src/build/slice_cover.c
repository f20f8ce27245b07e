/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/slice_cover.h"

#include "base/alloc.h"

/* Cut the stretches in which a slice is covered to where it has no slice inside it on its own
 * layer, and unite those that overlap. `stretches` is in order of t0, with times and nodes of the
 * lane. */
static void cut_covered(const struct lane *lane, const struct slice_stretches *stretches,
			struct slice_stretches *to)
{
	const struct samples *s = &lane->samples;

	for (size_t k = 0; k < stretches->n; k++) {
		const struct slice_stretch *c = &stretches->list[k];

		for (size_t i = samples_find(s, c->t0); i < s->n && s->t[i] < c->t1; i++) {
			int64_t t0 = s->t[i] > c->t0 ? s->t[i] : c->t0,
				t1 = s->t[i + 1] < c->t1 ? s->t[i + 1] : c->t1;

			if (s->leaf[i] == c->node && t1 > t0)
				slice_time_add(to, &(struct slice_stretch){ t0, t1, t0, c->node });
		}
	}
	slice_time_sort(to);
	for (size_t i = 1; i < to->n; i++)
		if (to->list[i].t0 < to->list[i - 1].t1) {
			to->list[i].t0 = to->list[i - 1].t1;
			if (to->list[i].t1 < to->list[i].t0)
				to->list[i].t1 = to->list[i].t0;
		}
}

void slice_cover_take(struct slice_time *time, struct lane *lane, const node_id *order)
{
	struct slice_time *of;

	if (!time->over.n && !time->covered.n && !time->doubled.n)
		return;
	of = lane->slice_time = xcalloc(1, sizeof *of);
	for (size_t i = 0; i < time->over.n; i++)
		time->over.list[i].node = order[time->over.list[i].node];
	for (size_t i = 0; i < time->covered.n; i++)
		time->covered.list[i].node = order[time->covered.list[i].node];
	slice_time_sort(&time->over);
	slice_time_sort(&time->covered);
	slice_time_shift(time, -lane->t0);
	cut_covered(lane, &time->covered, &of->covered);
	for (size_t i = 0; i < time->over.n; i++) {
		int64_t more = time->over.list[i].t1 - (lane->t1 - lane->t0);

		if (more > 0) {
			lane->t1 += more;
			lane->unsampled_ns += more;
		}
	}
	of->over = time->over;
	of->doubled = time->doubled;
	time->over = time->doubled = (struct slice_stretches){ 0 };
	for (size_t i = 0; i < of->doubled.n; i++)
		lane->busy_ns -= of->doubled.list[i].t1 - of->doubled.list[i].t0;
}
