/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values are sorted by time. Values with equal times stay in the order of the file, and the last
 * one holds. */
#include "config.h"

#include "model/build/counter_lane.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "model/build/builder_lane.h"

#include <stdlib.h>
#include <string.h>

struct value {
	int64_t t;
	double value;
};

static bool is_earlier(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct value *)a)->t < ((const struct value *)b)->t;
}

/* Stable: of several values at one time the last one holds. */
static void sort_series(struct raw_series *s)
{
	size_t n = s->n, i = 1;
	struct value *all;

	while (i < n && s->t[i - 1] <= s->t[i])
		i++;
	if (i >= n)
		return;
	all = xmalloc(n * sizeof *all);
	for (i = 0; i < n; i++)
		all[i] = (struct value){ s->t[i], s->value[i] };
	sort_stable(all, n, sizeof *all, is_earlier, NULL);
	for (i = 0; i < n; i++) {
		s->t[i] = all[i].t;
		s->value[i] = all[i].value;
	}
	free(all);
}

void counter_lane_build(struct builder *b, struct raw_counter *c)
{
	struct lane *lane;

	if (c->n_series == 0)
		return;
	lane = builder_lane(b, LANE_COUNTER, c->input, c->pid, LANE_NO_ID);
	lane->title = c->name;
	lane->series = xcalloc(c->n_series, sizeof *lane->series);
	lane->n_series = c->n_series;
	lane->t0 = INT64_MAX;
	lane->t1 = INT64_MIN;
	for (uint32_t i = 0; i < c->n_series; i++) {
		struct raw_series *from = &c->series[i];

		sort_series(from);
		lane->series[i] = (struct series){ .name = from->name,
						   .n = from->n,
						   .t = from->t,
						   .value = from->value };
		from->t = NULL;
		from->value = NULL;
		series_index(&lane->series[i]);
		if (lane->series[i].t[0] < lane->t0)
			lane->t0 = lane->series[i].t[0];
		if (lane->series[i].t[from->n - 1] > lane->t1)
			lane->t1 = lane->series[i].t[from->n - 1];
	}
	for (uint32_t i = 0; i < lane->n_series; i++)
		for (size_t k = 0; k < lane->series[i].n; k++)
			lane->series[i].t[k] -= lane->t0;
}
