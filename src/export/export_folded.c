/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folded stacks: a line for each node with self time, in whole microseconds. If there are several
 * lanes, the name of the lane is the outermost frame. */
#include "config.h"

#include "export/export.h"
#include "export/write.h"

#include "analysis/totals.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

struct folded_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out;  /* of the sink */
	struct buf lane;  /* the name of the current lane, if there are several */
	struct buf frame; /* the visible form of a name */
};

/* The separator of frames must not appear in a name, nor must line breaks, which have a visible
 * form as all control characters. */
static void add_frame(struct folded_out *o, const char *name, size_t len)
{
	char *p;

	buf_clear(&o->frame);
	text_visible(&o->frame, name, len);
	for (p = o->frame.data; o->frame.len && (p = strchr(p, ';')); p++)
		*p = ':';
	buf_add(o->out, buf_text(&o->frame), o->frame.len);
}

static void add_stack(struct folded_out *o, const struct lane *lane, node_id node)
{
	const struct profile *p = o->profile;
	const struct frame *frame = profile_node_frame(p, lane, node);

	if (lane->tree.parent[node] != NODE_ROOT) {
		add_stack(o, lane, lane->tree.parent[node]);
		buf_addc(o->out, ';');
	}
	add_frame(o, profile_text(p, frame->name), intern_len(&p->strings, frame->name));
	/* Anonymous functions are distinguished by their location. */
	if (frame->url && strcmp(profile_text(p, frame->name), "(anonymous)") == 0) {
		struct buf place = { 0 };

		profile_location(p, frame, false, &place);
		buf_addc(o->out, ' ');
		add_frame(o, buf_text(&place), place.len);
		buf_done(&place);
	}
}

static void write_lane(struct folded_out *o, const struct lane *lane)
{
	const struct scope *scope = &o->options->scope;
	struct totals totals;
	struct view view;

	view_init(&view, o->profile, &lane, 1, NULL, 0, GROUP_FUNCTION);
	totals_init(&totals, &view);
	totals_compute(&totals, scope->t0, scope->t1);
	for (node_id i = 1; i < lane->tree.n && sink_step(o->sink); i++) {
		int64_t us = (totals.self[i] + 500) / 1000;

		if (us <= 0)
			continue;
		if (o->lane.len) {
			add_frame(o, o->lane.data, o->lane.len);
			buf_addc(o->out, ';');
		}
		add_stack(o, lane, i);
		buf_addf(o->out, " %" PRId64 "\n", us);
	}
	totals_done(&totals);
	view_done(&view);
}

static bool is_shown(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES) && lane->samples.n > 0;
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
		n += is_shown(&p->lanes[i]) && !p->lanes[i].is_joined;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!is_shown(lane))
			continue;
		buf_clear(&o.lane);
		if (n > 1)
			write_lane_name(p, lane, &o.lane);
		if (n > 1 && lane->pid >= 0)
			buf_addf(&o.lane, " (pid %" PRId64 ")", lane->pid);
		write_lane(&o, lane);
	}
	buf_done(&o.lane);
	buf_done(&o.frame);
}

const struct export_format export_folded = {
	"folded",
	"folded stacks, a;b;c 12, in microseconds",
	folded_write,
};
