/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text from a file passes through text_visible(); everything else is ASCII and the middle dot. */
#include "config.h"

#include "model/lane_name.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

void lane_name_prepare(struct lane *lanes, uint32_t n)
{
	bool has_slices = false;

	for (uint32_t i = 0; i < n; i++) {
		struct lane *lane = &lanes[i];

		if (i == 0 || lane[-1].pid != lane->pid || lane[-1].tid != lane->tid)
			has_slices = false;
		lane->is_below_slices = has_slices;
		has_slices |= lane->kind == LANE_SLICES;
	}
}

/* The name of a lane of which only the file is known. */
static void add_file(const struct profile *profile, const struct lane *lane, struct buf *out)
{
	const char *path, *slash;

	if (lane->input >= profile->n_inputs) {
		buf_addf(out, "lane %" PRIu32, lane->id);
		return;
	}
	path = profile_text(profile, profile->inputs[lane->input].path);
	slash = strrchr(path, '/');
	if (slash && slash[1])
		path = slash + 1;
	text_visible(out, path, strlen(path));
}

void lane_name(const struct profile *profile, const struct lane *lane, bool has_process,
	       struct buf *out)
{
	const char *process = profile_text(profile, lane->process_name);
	const char *thread = profile_text(
		profile, lane->thread_title ? lane->thread_title : lane->thread_name);
	/* A title is sufficient, unless another file may have the same one. */
	bool is_track = lane->title && lane->tid < 0 &&
		(lane->kind != LANE_SAMPLES || lane->pid >= 0 || profile->n_inputs == 1);

	/* A page says more than the name of the process, which repeats its origin. */
	if (*process && has_process && !lane->thread_title) {
		text_visible(out, process, strlen(process));
		buf_adds(out, ": ");
	}
	if (is_track)
		;
	else if (*thread)
		text_visible(out, thread, strlen(thread));
	else if (lane->tid == 0 || (lane->tid < 0 && profile->n_lanes == 1))
		buf_adds(out, "main thread");
	else if (lane->tid > 0)
		buf_addf(out, "thread %" PRId64, lane->tid);
	else
		add_file(profile, lane, out);
	if (lane->title) {
		buf_adds(out, is_track ? "" : " \302\267 ");
		text_visible(out, profile_text(profile, lane->title),
			     intern_len(&profile->strings, lane->title));
	} else if (lane->kind == LANE_SAMPLES && lane->is_below_slices) {
		buf_adds(out, " \302\267 CPU samples");
	} else if (lane->kind == LANE_MARKS) {
		buf_adds(out, " \302\267 marks");
	}
	if (lane->pid >= 0 && has_process)
		buf_addf(out, " (pid %" PRId64 ")", lane->pid);
}
