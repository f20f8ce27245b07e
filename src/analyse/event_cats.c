/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times are summed by leaf over blocks of samples, so the cost does not depend on their number. */
#include "config.h"

#include "analyse/event_cats.h"

#include "base/alloc.h"
#include "model/blocks.h"
#include "model/slices.h"

#include <stdlib.h>
#include <string.h>

struct sum {
	const struct profile *profile;
	const struct lane *lane;
	int64_t *self; /* by event_cat */
};

static void add_leaf(void *ctx, node_id leaf, int64_t ns)
{
	struct sum *sum = ctx;

	if (leaf != NODE_ROOT)
		sum->self[profile_node_cat(sum->profile, sum->lane, leaf)] += ns;
}

static void add_leaves(void *ctx, const node_id *leaf, const uint32_t *ns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_leaf(ctx, leaf[i], ns[i]);
}

/* What slices of other lanes are inside of a slice is no time of its category. */
static void add_slice_time(void *ctx, node_id node, int64_t self_ns, int64_t total_ns)
{
	(void)total_ns;
	add_leaf(ctx, node, self_ns);
}

static int by_name(const void *a, const void *b)
{
	const struct event_cat_share *x = a, *y = b;

	return x->name < y->name ? -1 : x->name > y->name;
}

static int heaviest_first(const void *a, const void *b)
{
	const struct event_cat_share *x = a, *y = b;

	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return by_name(a, b);
}

/* Join categories with the same first one. Returns the number of shares with time; 0 also if no
 * slice with time has a category. */
static size_t join(struct event_cat_share *list, size_t n)
{
	size_t k = 0;

	qsort(list, n, sizeof *list, by_name);
	for (size_t i = 0; i < n; i++) {
		if (!list[i].self)
			continue;
		if (k && list[k - 1].name == list[i].name)
			list[k - 1].self += list[i].self;
		else
			list[k++] = list[i];
	}
	qsort(list, k, sizeof *list, heaviest_first);
	return k == 1 && !list[0].name ? 0 : k;
}

size_t event_cats_shares(const struct profile *profile, const struct lane *const *lanes,
			 uint32_t n_lanes, int64_t t0, int64_t t1, struct event_cat_share **out)
{
	size_t n = profile->n_event_cats;
	struct sum sum = { .profile = profile };
	const struct blocks_visitor visitor = { &sum, add_leaves, add_leaf, NULL };

	*out = NULL;
	if (!n)
		return 0;
	sum.self = xcalloc(n, sizeof *sum.self);
	for (uint32_t i = 0; i < n_lanes; i++) {
		sum.lane = lanes[i];
		if (sum.lane->kind != LANE_SLICES || !sum.lane->samples.n)
			continue;
		blocks_each(&sum.lane->samples, t0, t1, &visitor);
		slice_time_each(sum.lane->slice_time, t0, t1, add_slice_time, &sum);
	}
	*out = xcalloc(n, sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = (struct event_cat_share){ profile->event_cats[i].first, sum.self[i] };
	free(sum.self);
	return join(*out, n);
}
