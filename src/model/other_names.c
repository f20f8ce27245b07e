/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/other_names.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Nodes are in preorder: the frames on the way to a node are counted while its subtree lasts. */
static uint8_t *outer_nodes(const struct calltree *tree, const frame_id *frame, uint32_t n_frames)
{
	uint32_t *depth = xcalloc(n_frames ? n_frames : 1, sizeof(*depth));
	uint8_t *is_outer = xcalloc(tree->n ? tree->n : 1, 1);
	node_id *open = xmalloc(((size_t)tree->max_rows + 2) * sizeof(*open));
	size_t n_open = 0;

	/* The root is no frame. */
	for (uint32_t i = 1; i < tree->n; i++) {
		while (n_open && tree->end[open[n_open - 1]] <= i)
			depth[frame[open[--n_open]]]--;
		is_outer[i] = depth[frame[i]] == 0;
		depth[frame[i]]++;
		open[n_open++] = i;
	}
	free(open);
	free(depth);
	return is_outer;
}

static struct line_ticks *copy_ticks(const struct lane *lane)
{
	struct line_ticks *ticks;

	if (!lane->n_ticks)
		return NULL;
	ticks = xmalloc(lane->n_ticks * sizeof(*ticks));
	memcpy(ticks, lane->ticks, lane->n_ticks * sizeof(*ticks));
	return ticks;
}

/* By frame of the profile, which shows the names of `is_source`, the same function by the others.
 */
static frame_id *find_same(const struct other_names *names, uint32_t n_frames, bool is_source)
{
	frame_id *same = xcalloc(n_frames, sizeof(*same));

	for (frame_id i = 1; i < names->n_scripts; i++)
		if (!is_source)
			same[i] = names->source_of[i];
		else if (same[names->source_of[i]] == FRAME_NONE)
			same[names->source_of[i]] = i;
	return same;
}

struct other_names *other_names_new(const struct profile *profile, struct frame_table *frames,
				    const frame_id *frame_of)
{
	struct other_names *names = xcalloc(1, sizeof(*names));

	names->frames = *frames;
	*frames = (struct frame_table){ 0 };
	names->is_source = true;
	names->n_lanes = profile->n_lanes;
	names->lanes = xcalloc(profile->n_lanes ? profile->n_lanes : 1, sizeof(*names->lanes));
	names->source_of = xmalloc((size_t)profile->frames.n * sizeof(*names->source_of));
	memcpy(names->source_of, frame_of, (size_t)profile->frames.n * sizeof(*names->source_of));
	names->n_same = names->n_scripts = profile->frames.n;
	names->same = find_same(names, names->n_same, false);
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		const struct lane *lane = &profile->lanes[i];
		struct other_lane *other = &names->lanes[i];

		if (!lane->tree.n)
			continue;
		other->frame = xmalloc((size_t)lane->tree.n * sizeof(*other->frame));
		for (uint32_t k = 0; k < lane->tree.n; k++)
			other->frame[k] = frame_of[lane->tree.frame[k]];
		other->ticks = copy_ticks(lane);
		other->n_ticks = lane->n_ticks;
		other->is_outer = outer_nodes(&lane->tree, other->frame, names->frames.n);
	}
	return names;
}

void other_names_free(struct other_names *names)
{
	if (!names)
		return;
	for (uint32_t i = 0; i < names->n_lanes; i++) {
		free(names->lanes[i].frame);
		free(names->lanes[i].is_outer);
		free(names->lanes[i].ticks);
	}
	free(names->lanes);
	free(names->same);
	free(names->source_of);
	frame_table_done(&names->frames);
	free(names);
}

void other_names_swap(struct profile *profile)
{
	struct other_names *names = profile->other;
	struct frame_table frames = profile->frames;

	profile->frames = names->frames;
	names->frames = frames;
	free(names->same);
	names->same = find_same(names, profile->frames.n, names->is_source);
	names->n_same = profile->frames.n;
	for (uint32_t i = 0; i < profile->n_lanes; i++) {
		struct lane *lane = &profile->lanes[i];
		struct other_lane *other = &names->lanes[i], was;

		if (!other->frame)
			continue;
		was = (struct other_lane){ lane->tree.frame, lane->tree.is_outer, lane->ticks,
					   lane->n_ticks };
		lane->tree.frame = other->frame;
		lane->tree.is_outer = other->is_outer;
		lane->ticks = other->ticks;
		lane->n_ticks = other->n_ticks;
		*other = was;
	}
	names->is_source = !names->is_source;
}

bool other_names_shows_source(const struct profile *profile)
{
	return profile->other && !profile->other->is_source;
}

const char *other_names_label(const struct profile *profile)
{
	return other_names_shows_source(profile) ? "in script" : "in source";
}

void other_names_find(const struct profile *profile, const uint8_t *there, uint8_t *here)
{
	const struct other_names *names = profile->other;

	for (frame_id i = 1; i < names->n_scripts; i++)
		if (names->is_source && there[names->source_of[i]])
			here[i] = 1;
		else if (!names->is_source && there[i])
			here[names->source_of[i]] = 1;
}

const struct frame *other_names_of(const struct profile *profile, frame_id frame)
{
	const struct other_names *names = profile->other;
	const struct frame *here = profile_frame(profile, frame), *there;

	/* A view adds frames of its own behind those of the profile. */
	if (!names || frame >= names->n_same || names->same[frame] == FRAME_NONE)
		return NULL;
	there = &names->frames.frames[names->same[frame]];
	return there->name == here->name && there->url == here->url && there->line == here->line &&
			there->column == here->column
		? NULL
		: there;
}

void other_names_add(const struct profile *profile, frame_id id, struct buf *out)
{
	const struct frame *frame = other_names_of(profile, id);

	if (!frame)
		return;
	buf_addf(out, "%s  ", profile_text(profile, frame->name));
	profile_location(profile, frame, true, out);
}
