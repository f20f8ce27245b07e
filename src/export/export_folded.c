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

/* The separator of frames and line breaks must not appear in a name. */
static void add_frame(struct buf *out, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		buf_addc(out, name[i] == ';' ? ':' : (unsigned char)name[i] < 0x20 ? ' ' : name[i]);
}

static void add_stack(struct buf *out, const struct profile *p, const struct lane *lane,
		      node_id node)
{
	const struct frame *frame = profile_node_frame(p, lane, node);

	if (lane->tree.parent[node] != NODE_ROOT) {
		add_stack(out, p, lane, lane->tree.parent[node]);
		buf_addc(out, ';');
	}
	add_frame(out, profile_text(p, frame->name), intern_len(&p->strings, frame->name));
	/* Anonymous functions are distinguished by their location. */
	if (frame->url && strcmp(profile_text(p, frame->name), "(anonymous)") == 0) {
		struct buf place = { 0 };

		profile_location(p, frame, false, &place);
		buf_addc(out, ' ');
		add_frame(out, buf_text(&place), place.len);
		buf_done(&place);
	}
}

static void write_lane(const struct profile *p, const struct lane *lane,
		       const struct export_options *options, const char *name, struct sink *sink)
{
	struct totals totals;
	struct view view;
	struct buf *out = sink_buf(sink);

	view_init(&view, p, &lane, 1, NULL, 0, GROUP_FUNCTION);
	totals_init(&totals, &view);
	totals_compute(&totals, options->scope.t0, options->scope.t1);
	for (node_id i = 1; i < lane->tree.n && sink_step(sink); i++) {
		int64_t us = (totals.self[i] + 500) / 1000;

		if (us <= 0)
			continue;
		if (*name) {
			add_frame(out, name, strlen(name));
			buf_addc(out, ';');
		}
		add_stack(out, p, lane, i);
		buf_addf(out, " %" PRId64 "\n", us);
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
	struct buf name = { 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += is_shown(&p->lanes[i]) && !p->lanes[i].is_joined;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];

		if (!is_shown(lane))
			continue;
		buf_clear(&name);
		if (n > 1)
			write_lane_name(p, lane, &name);
		if (n > 1 && lane->pid >= 0)
			buf_addf(&name, " (pid %" PRId64 ")", lane->pid);
		write_lane(p, lane, options, buf_text(&name), sink);
	}
	buf_done(&name);
}

const struct export_format export_folded = {
	"folded",
	"folded stacks, a;b;c 12, in microseconds",
	folded_write,
};
