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
	struct buf *out;  /* of the sink */
	struct buf stack; /* the text of the current one, which begins with the name of the lane,
			     if there are several */
	size_t *end;      /* by rows: the length of its text up to that row */
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
	o->end = xcalloc((size_t)view.tree->max_rows + 1, sizeof *o->end);
	o->end[0] = o->stack.len;
	/* A node comes right after its caller and what that called before, so a stack begins with
	 * text of the one before. */
	for (node_id i = 1; i < view.tree->n && sink_step(o->sink); i++) {
		int64_t value = n_samples ? (int64_t)n_samples[i]
			: is_time         ? (totals.self[i] + 500) / 1000
					  : amount_number(unit, totals.self[i]);
		unsigned rows = view.tree->rows[i];

		o->stack.len = o->end[rows - 1];
		if (o->stack.len)
			buf_addc(&o->stack, ';');
		folded_add_frame(&o->stack, o->profile, &view.frames[view.tree->frame[i]]);
		o->end[rows] = o->stack.len;
		if (value <= 0)
			continue;
		buf_add(o->out, o->stack.data, o->stack.len);
		buf_addf(o->out, " %" PRId64 "\n", value);
	}
	free(o->end);
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
		buf_clear(&o.stack);
		if (n > 1) {
			BUF_LOCAL name = { 0 };

			export_full_name(p, lane, &name);
			folded_add_name(&o.stack, buf_text(&name), name.len);
		}
		write_lane(&o, lane);
	}
	buf_done(&o.stack);
}

const struct export_format export_folded = {
	.name = "folded",
	.help = "folded stacks, a;b;c 12, in microseconds or samples",
	.opens = "flamegraph.pl, inferno, speedscope.app",
	.is_of_stacks = true,
	.write = folded_write,
};
