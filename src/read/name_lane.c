/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample begins where the one before it ends; lane.end_ns is the end of the last one. A reader
 * that drops its stacks sets n_stacks to 0. Their nodes stay, without samples. */
#include "config.h"

#include "read/name_lane.h"

#include "base/alloc.h"
#include "model/build/cpu_builder.h"

#include <stdlib.h>

void name_lane_init(struct name_lane *l)
{
	*l = (struct name_lane){ 0 };
	intern_init(&l->names);
	stack_lane_init(&l->lane);
}

void name_lane_done(struct name_lane *l)
{
	stack_lane_done(&l->lane);
	intern_done(&l->names);
}

bool name_lane_push(struct name_lane *l, str_id name, struct error *err)
{
	return stack_lane_child(&l->lane, l->node, name, &l->node, err);
}

void name_lane_add(struct name_lane *l, struct builder *b, int64_t offset, int64_t ns)
{
	int64_t most, t;

	if (l->n_stacks++ == 0)
		l->lane.n_samples = 0;
	t = l->lane.n_samples ? l->lane.end_ns : 0;
	most = PROFILE_TIME_MAX - t;
	if (ns < 0 || ns > most) {
		builder_warn(b, WARN_TIME_RANGE, offset);
		ns = ns < 0 ? 0 : most;
	}
	stack_lane_sample(&l->lane, l->node, t);
	l->lane.end_ns = t + ns;
	l->lane.has_end = true;
	l->node = 0;
}

static void emit(struct name_lane *l, struct builder *b)
{
	const struct intern *names = &l->names;
	uint32_t *frames = xmalloc(((size_t)names->n + 1) * sizeof *frames);

	cpu_builder_names_only(b);
	for (str_id i = 0; i < names->n; i++)
		frames[i] = cpu_builder_frame(b,
					      &(struct cpu_frame){ intern_text(names, i),
								   intern_len(names, i), "", 0, "0",
								   1, -1, -1 });
	stack_lane_emit(&l->lane, b, frames);
	free(frames);
}

bool name_lane_end(struct name_lane *l, struct builder *b, const struct file_hints *hints,
		   struct error *err)
{
	if (l->n_stacks == 0)
		return error_set(err, ERR_FORMAT, -1, "the file has no stacks");
	if (!intern_fits(&l->names, err))
		return false;
	cpu_builder_own_clock(b);
	cpu_builder_begin(b);
	emit(l, b);
	name_lane_done(l);
	name_lane_init(l);
	return cpu_builder_end(b, hints->pid, hints->tid, err);
}
