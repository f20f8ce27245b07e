/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the samples of the last minute. A sample counts with its part in each span and
 * cell. */
#include "config.h"

#include "analyse/recent.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

const int64_t recent_spans[RECENT_SPANS] = { NS_PER_S, 10 * NS_PER_S, 60 * NS_PER_S };

#define LONGEST (RECENT_SPANS - 1)

/* A recent while it is made. */
struct making {
	struct recent *r;
	const struct profile *profile;
	size_t *row; /* by frame: number of its row + 1; 0: none */
	size_t cap;
};

static struct recent_row *row_of(struct making *m, frame_id frame)
{
	struct recent *r = m->r;

	if (m->row[frame] == 0) {
		r->rows = xgrow(r->rows, &m->cap, r->n + 1, sizeof *r->rows);
		r->rows[r->n] = (struct recent_row){ .frame = frame };
		m->row[frame] = ++r->n;
	}
	return &r->rows[m->row[frame] - 1];
}

static void add_cells(struct recent_row *row, int64_t begin, int64_t t0, int64_t t1)
{
	for (int64_t c = (t0 - begin) / RECENT_CELL_NS; c < RECENT_CELLS && t0 < t1; c++) {
		int64_t end = begin + (c + 1) * RECENT_CELL_NS;

		end = end < t1 ? end : t1;
		row->us[c] += (uint32_t)((end - t0) / NS_PER_US);
		t0 = end;
	}
}

/* Count [t0, t1) of a sample. */
static void add_sample(struct making *m, frame_id frame, int64_t t0, int64_t t1)
{
	enum category category = profile_frame(m->profile, frame)->category;
	struct recent *r = m->r;
	struct recent_row *row = category == CATEGORY_IDLE ? NULL : row_of(m, frame);

	for (int i = 0; i < RECENT_SPANS; i++) {
		int64_t from = r->end - recent_spans[i];
		int64_t ns = t1 - (t0 > from ? t0 : from);

		if (ns <= 0)
			continue;
		r->sampled_ns[i] += ns;
		if (!row)
			continue;
		row->ns[i] += ns;
		r->busy_ns[i] += ns;
		if (category == CATEGORY_GC)
			r->gc_ns[i] += ns;
	}
	if (row)
		add_cells(row, r->end - recent_spans[LONGEST], t0, t1);
}

static void add_lane(struct making *m, const struct lane *lane)
{
	const struct samples *s = &lane->samples;
	int64_t from = m->r->end - recent_spans[LONGEST];

	if (lane->kind != LANE_SAMPLES || s->n == 0)
		return;
	for (size_t i = samples_find(s, from); i < s->n && samples_time(s, i) < m->r->end; i++) {
		int64_t t0 = samples_time(s, i) > from ? samples_time(s, i) : from;
		int64_t t1 = samples_time(s, i + 1) < m->r->end ? samples_time(s, i + 1)
								: m->r->end;

		if (t0 < t1 && s->leaf[i] != NODE_ROOT)
			add_sample(m, lane->tree.frame[s->leaf[i]], t0, t1);
	}
}

/* ---- order ---- */

struct order {
	const struct profile *profile;
	unsigned span;
};

static bool is_before(const void *a, const void *b, const void *ctx)
{
	const struct recent_row *x = a, *y = b;
	const struct order *o = ctx;
	int c;

	if (x->ns[o->span] != y->ns[o->span])
		return x->ns[o->span] > y->ns[o->span];
	if (x->ns[LONGEST] != y->ns[LONGEST])
		return x->ns[LONGEST] > y->ns[LONGEST];
	c = strcmp(profile_text(o->profile, profile_frame(o->profile, x->frame)->name),
		   profile_text(o->profile, profile_frame(o->profile, y->frame)->name));
	return c ? c < 0 : x->frame < y->frame;
}

void recent_init(struct recent *r, const struct profile *profile, const struct lane *const *lanes,
		 uint32_t n, int64_t end, unsigned span)
{
	struct making m = { .r = r,
			    .profile = profile,
			    .row = xcalloc((size_t)profile->frames.n + 1, sizeof *m.row) };
	const struct order order = { profile, span };

	*r = (struct recent){ .end = end };
	for (uint32_t i = 0; i < n; i++)
		add_lane(&m, lanes[i]);
	free(m.row);
	sort_stable(r->rows, r->n, sizeof *r->rows, is_before, &order);
}
