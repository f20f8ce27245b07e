/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ids of texts and functions are given in the order in which these first come. So new texts of an
 * input, in the order of their ids, get the ids that they would get without a second builder: those
 * of the builder of the thread are known in the profile, too.
 *
 * A function has the category of the file that names it first, which may be another one in a later
 * file. Lanes need no category that differs so: only those of "(idle)", "(program)" and
 * "(garbage collector)", which are by name. */
#include "config.h"

#include "model/build/apart.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "model/build/builder_state.h"
#include "model/build/cpu_raw.h"
#include "model/build/stray.h"
#include "model/profile.h"

#include <stdlib.h>

struct apart_input {
	struct buf texts; /* one after another */
	size_t *lengths;
	size_t first_text, n_texts;
	struct frame *frames;
	uint32_t first_frame, n_frames;
	frame_id *cut; /* functions that stacks are cut at */
	size_t n_cut, cap_cut;
	struct lane *lanes;
	struct lane_source *sources;
	uint32_t n_lanes;
	uint32_t n_cpus; /* CPU profiles */
	struct input input;
	struct stray_times times;
	struct amount_unit unit;
	bool has_begun;
};

bool apart_is_possible(const struct builder *b)
{
	return !builder_is_partial(b) && !b->options.kept_of && !b->options.most;
}

void apart_begin(struct apart *a, const struct builder *of)
{
	struct builder_options options = of->options;

	options.progress = NULL;
	options.has_begun = NULL;
	options.is_too_long = NULL;
	options.is_small = true;
	*a = (struct apart){ .builder = builder_new(&options), .n_frames = 1 };
}

void apart_end(struct apart *a)
{
	builder_free(a->builder);
	a->builder = NULL;
}

void apart_map_done(struct apart_map *map)
{
	free(map->texts);
	free(map->frames);
	*map = (struct apart_map){ 0 };
}

/* ---- taking ---- */

static void take_names(struct apart *a, struct apart_input *out)
{
	const struct profile *p = a->builder->profile;

	out->first_text = a->n_texts;
	out->n_texts = p->strings.n - a->n_texts;
	out->lengths = xcalloc(out->n_texts, sizeof *out->lengths);
	for (size_t i = 0; i < out->n_texts; i++) {
		str_id id = (str_id)(a->n_texts + i);

		out->lengths[i] = intern_len(&p->strings, id);
		buf_add(&out->texts, intern_text(&p->strings, id), out->lengths[i]);
	}
	out->first_frame = a->n_frames;
	out->n_frames = p->frames.n - a->n_frames;
	out->frames = xcalloc(out->n_frames, sizeof *out->frames);
	if (out->n_frames)
		memcpy(out->frames, p->frames.frames + a->n_frames,
		       out->n_frames * sizeof *out->frames);
	a->n_texts = p->strings.n;
	a->n_frames = p->frames.n;
}

static void take_lanes(struct builder *b, struct apart_input *out)
{
	struct profile *p = b->profile;
	bool may_be_cut = false;

	out->n_lanes = p->n_lanes;
	out->lanes = xcalloc(p->n_lanes, sizeof *out->lanes);
	out->sources = xcalloc(p->n_lanes, sizeof *out->sources);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		out->lanes[i] = p->lanes[i];
		out->sources[i] = b->sources[i];
		may_be_cut |= cpu_lane_may_be_cut(&p->lanes[i]);
	}
	for (frame_id i = 1; may_be_cut && i < p->frames.n; i++)
		if (p->frames.frames[i].is_cut)
			*ARRAY_ADD(out->cut, out->n_cut, out->cap_cut) = i;
	p->n_lanes = 0;
}

struct apart_input *apart_take(struct apart *a)
{
	struct builder *b = a->builder;
	struct profile *p = b->profile;
	struct apart_input *out;

	if (p->n_inputs != 1 || b->n_clocks || b->is_empty_valid || b->is_whole_only ||
	    b->tracks.n || p->labels.n_keys || p->inputs[0].parts || p->inputs[0].maps)
		return NULL;
	out = xcalloc(1, sizeof *out);
	out->n_cpus = b->n_cpus;
	out->input = p->inputs[0];
	out->times = b->times;
	out->unit = p->unit;
	out->has_begun = b->has_begun;
	take_names(a, out);
	take_lanes(b, out);
	p->n_inputs = 0;
	p->unit = (struct amount_unit){ 0 };
	b->n_cpus = 0;
	b->has_begun = false;
	return out;
}

void apart_input_free(struct apart_input *in)
{
	if (!in)
		return;
	for (uint32_t i = 0; i < in->n_lanes; i++)
		lane_done(&in->lanes[i]);
	fingerprint_done(&in->input.print);
	free(in->input.warnings);
	free(in->input.notes);
	buf_done(&in->texts);
	free(in->lengths);
	free(in->frames);
	free(in->cut);
	free(in->lanes);
	free(in->sources);
	free(in);
}

/* ---- giving ---- */

static void give_texts(struct intern *strings, struct apart_map *map, const struct apart_input *in)
{
	const char *text = buf_text(&in->texts);

	map->texts = xgrow(map->texts, &map->cap_texts, in->first_text + in->n_texts,
			   sizeof *map->texts);
	for (size_t i = 0; i < in->n_texts; i++) {
		map->texts[in->first_text + i] = intern_add(strings, text, in->lengths[i]);
		text += in->lengths[i];
	}
}

static void give_frames(struct frame_table *frames, struct apart_map *map,
			const struct apart_input *in)
{
	map->frames = xgrow(map->frames, &map->cap_frames, in->first_frame + in->n_frames,
			    sizeof *map->frames);
	map->frames[FRAME_NONE] = FRAME_NONE;
	for (uint32_t i = 0; i < in->n_frames; i++) {
		struct frame frame = in->frames[i];

		frame.name = map->texts[frame.name];
		frame.url = map->texts[frame.url];
		frame.script = map->texts[frame.script];
		frame.package = map->texts[frame.package];
		frame.is_cut = false;
		map->frames[in->first_frame + i] = frame_table_add(frames, &frame);
	}
}

static void give_lane(struct builder *b, const struct apart_map *map, const struct apart_input *in,
		      uint32_t i)
{
	const str_id *texts = map->texts;
	struct lane *lane = builder_lane_take(b, &in->lanes[i]);
	struct lane_source *source = builder_lane_source(b);

	*source = in->sources[i];
	source->number += b->n_cpus;
	lane->input = builder_this_input_index(b);
	lane->title = texts[lane->title];
	lane->process_name = texts[lane->process_name];
	lane->thread_name = texts[lane->thread_name];
	lane->waits = texts[lane->waits];
	lane->value.type = texts[lane->value.type];
	lane->value.unit = texts[lane->value.unit];
	for (node_id n = 0; n < lane->tree.n; n++)
		lane->tree.frame[n] = map->frames[lane->tree.frame[n]];
	for (node_id n = 0; lane->deopt && n < lane->tree.n; n++)
		lane->deopt[n] = texts[lane->deopt[n]];
	cpu_lane_label(b, lane);
}

/* What the reader says of the file; the rest is known since it began. */
static void give_input(struct input *to, const struct apart_map *map, struct apart_input *in)
{
	struct input *from = &in->input;

	to->format = from->format;
	to->compression = from->compression;
	to->bytes = from->bytes;
	to->print = from->print;
	to->warnings = from->warnings;
	to->n_warnings = from->n_warnings;
	to->notes = from->notes;
	to->n_notes = from->n_notes;
	for (size_t i = 0; i < to->n_warnings; i++)
		to->warnings[i].text = map->texts[to->warnings[i].text];
	for (size_t i = 0; i < to->n_notes; i++)
		to->notes[i].text = map->texts[to->notes[i].text];
	*from = (struct input){ 0 };
}

bool apart_give(struct builder *b, struct apart_map *map, struct apart_input *in)
{
	struct profile *p = b->profile;
	const struct input *to = builder_this_input(b);
	bool has_unit = p->n_lanes > 0 || b->tracks.n > 0;

	if (to->n_warnings || to->n_notes || (has_unit && p->unit.kind != in->unit.kind))
		return false;
	give_texts(&p->strings, map, in);
	give_frames(&p->frames, map, in);
	p->unit = in->unit;
	give_input(builder_this_input(b), map, in);
	for (uint32_t i = 0; i < in->n_lanes; i++)
		give_lane(b, map, in, i);
	in->n_lanes = 0;
	for (size_t i = 0; i < in->n_cut; i++)
		p->frames.frames[map->frames[in->cut[i]]].is_cut = true;
	b->n_cpus += in->n_cpus;
	b->times = in->times;
	if (in->has_begun)
		builder_begun(b);
	return true;
}
