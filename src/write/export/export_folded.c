/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: a line for each node with self time, in whole microseconds (bytes and counts as
 * they are), or with samples. If there are several lanes, the name of the lane is the outermost
 * frame. */
#include "config.h"

#include "write/export/export.h"

#include "analyse/heavy_stack.h"
#include "analyse/totals.h"
#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

struct folded_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out; /* of the sink */
	struct buf lane; /* the name of the current lane, if there are several */
	frame_id *path;  /* of a stack, the leaf first */
	size_t cap;
};

static void write_lane(struct folded_out *o, const struct lane *lane)
{
	const struct amount_unit *unit = &o->profile->unit;
	const struct scope *scope = &o->options->scope;
	bool is_time = amount_is_time(unit);
	ALLOC_LOCAL uint64_t *n_samples = NULL;
	struct totals totals;
	struct view view;

	view_init_lane(&view, o->profile, lane);
	n_samples = o->options->is_counts ? leaf_counts(&view, scope) : NULL;
	totals_init(&totals, &view);
	totals_compute(&totals, scope->t0, scope->t1);
	for (node_id i = 1; i < view.tree->n && sink_step(o->sink); i++) {
		int64_t value = n_samples ? (int64_t)n_samples[i]
			: is_time         ? (totals.self[i] + 500) / 1000
					  : amount_number(unit, totals.self[i]);
		node_id node;
		size_t n = 0;

		if (value <= 0)
			continue;
		if (o->lane.len) {
			folded_add_name(o->out, o->lane.data, o->lane.len);
			buf_addc(o->out, ';');
		}
		/* The stack of a node of the view, whose nodes may be fewer than those of the lane.
		 */
		node = i;
		for (; node != NODE_ROOT; node = view.tree->parent[node]) {
			*ARRAY_ADD(o->path, n, o->cap) = view.tree->frame[node];
		}
		while (n-- > 0) {
			folded_add_frame(o->out, o->profile, &view.frames[o->path[n]]);
			if (n)
				buf_addc(o->out, ';');
		}
		buf_addf(o->out, " %" PRId64 "\n", value);
	}
	totals_done(&totals);
	view_done(&view);
}

static void folded_write(const struct profile *p, const struct export_options *options,
			 struct sink *sink)
{
	struct folded_out o = { .profile = p,
				.options = options,
				.sink = sink,
				.out = sink_buf(sink) };
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += cut_has_calls(&p->lanes[i]) && !p->lanes[i].is_joined;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!cut_has_calls(lane))
			continue;
		buf_clear(&o.lane);
		if (n > 1)
			export_full_name(p, lane, &o.lane);
		write_lane(&o, lane);
	}
	buf_done(&o.lane);
	free(o.path);
}

const struct export_format export_folded = {
	.name = "folded",
	.help = "folded stacks, a;b;c 12, in microseconds or samples",
	.opens = "flamegraph.pl, inferno, speedscope.app",
	.is_of_stacks = true,
	.write = folded_write,
};
