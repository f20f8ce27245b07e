/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The builder as a whole: its beginning, its end, and what is neither of CPU profiles nor of
 * traces. */
#include "config.h"

#include "build/builder.h"

#include "base/alloc.h"
#include "build/align.h"
#include "build/builder_state.h"
#include "build/cpu_builder.h"
#include "build/flow_bind.h"
#include "build/lane_order.h"
#include "build/partial/tracks_part.h"
#include "build/track_lanes.h"
#include "model/lane_name.h"

#include <stdlib.h>

struct builder *builder_new(const struct builder_options *options)
{
	struct builder *b = xcalloc(1, sizeof *b);
	struct profile *p = xcalloc(1, sizeof *p);

	b->options = *options;
	b->profile = p;
	p->is_raw = options->is_raw;
	intern_init(&p->strings);
	frame_table_init(&p->frames);
	p->frames.frames[FRAME_NONE].name = intern_adds(&p->strings, "(root)");
	for (int c = 0; c < CATEGORY_COUNT; c++)
		p->category_names[c] = intern_adds(&p->strings, category_name((enum category)c));
	return b;
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	cpu_builder_drop(b);
	track_raw_done(&b->tracks);
	profile_free(b->profile);
	free(b);
}

bool builder_is_partial(const struct builder *b)
{
	return b->options.is_survey || b->options.part;
}

void builder_no_subset(struct builder *b)
{
	b->profile->has_odd_times = true;
}

void builder_accept_empty(struct builder *b)
{
	b->is_empty_valid = true;
}

static void name_lanes(struct profile *p)
{
	struct buf name = { 0 };
	bool has_processes = false;

	for (uint32_t i = 1; i < p->n_lanes; i++)
		has_processes |= p->lanes[i].pid != p->lanes[0].pid;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		buf_clear(&name);
		lane_name(p, &p->lanes[i], has_processes, &name);
		p->lanes[i].name = intern_add(&p->strings, buf_text(&name), name.len);
	}
	buf_done(&name);
}

struct profile *builder_finish(struct builder *b, struct error *err)
{
	struct profile *p = b->profile;

	track_lanes_build(b);
	if (p->n_lanes == 0 && !b->is_empty_valid) {
		error_set(err, ERR_FORMAT, -1, "no profile to show");
		builder_free(b);
		return NULL;
	}
	align_lanes(p);
	lane_order(b);
	flow_bind(b);
	name_lanes(p);
	if (b->options.part)
		tracks_tell_part(b);
	if (b->tracks.has_window && !p->has_own_zero) {
		int64_t t0 = b->tracks.window_t0 - p->origin_ns,
			t1 = b->tracks.window_t1 - p->origin_ns;

		/* A window that lies outside is of no use. */
		if (t0 >= 0 && t1 <= p->t1 && t0 < t1) {
			p->window_t0 = t0;
			p->window_t1 = t1;
		}
	}
	b->profile = NULL;
	builder_free(b);
	return p;
}
