/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nearly all slices take the short way of stray_add(). Of a lane of samples only those at its ends
 * are counted one by one. */
#include "config.h"

#include "model/build/builder_stray.h"

#include "base/buf.h"
#include "model/build/builder_state.h"
#include "model/build/stray.h"

#include <string.h>

/* ---- what is stray ---- */

/* Partial loading: take what a survey has found of the input. */
static void take_known(struct builder *b)
{
	const struct profile *from = b->options.kept_of;
	uint32_t number = builder_this_input_index(b);
	struct input *in = builder_this_input(b);
	const struct input *known = from && number < from->n_inputs ? &from->inputs[number] : NULL;

	b->has_kept = known && known->has_kept;
	if (!b->has_kept)
		return;
	in->has_kept = true;
	in->kept_t0 = known->kept_t0;
	in->kept_t1 = known->kept_t1;
	for (size_t i = 0; i < known->n_warnings; i++) {
		const struct warning *w = &known->warnings[i];

		if (w->kind == WARN_TIME_ZERO)
			builder_warn_input(b, number, w,
					   profile_text(from, w->text) +
						   strlen(warning_text(WARN_TIME_ZERO)) + 2);
	}
}

void builder_stray_begin(struct builder *b)
{
	stray_init(&b->times);
	take_known(b);
}

/* Append `2 events and 1 sample at 0 µs of the file's clock, 25 h before the others`. others: when
 * these begin. */
static void add_side(const struct stray_side *side, int64_t others, const char *where,
		     struct buf *out)
{
	uint64_t n_events = side->n - side->n_samples;
	char n[UNITS_MAX], at[UNITS_MAX], distance[UNITS_MAX];

	if (!side->has)
		return;
	if (out->len)
		buf_adds(out, "; ");
	units_count(n_events, n);
	if (n_events)
		buf_addf(out, "%s event%s", n, n_events == 1 ? "" : "s");
	units_count(side->n_samples, n);
	if (side->n_samples)
		buf_addf(out, "%s%s sample%s", n_events ? " and " : "", n,
			 side->n_samples == 1 ? "" : "s");
	if (side->n == 0)
		buf_addf(out, "the %s time", side->last > others ? "end" : "start");
	units_exact(side->first, at);
	units_time(side->distance, distance);
	buf_addf(out, " at %s of the file's clock, %s %s the others", at, distance, where);
}

static void warn(struct builder *b, uint32_t input, const struct stray_found *found)
{
	uint64_t n = found->before.n + found->after.n +
		(found->before.has && found->before.n == 0) +
		(found->after.has && found->after.n == 0);
	struct warning w = { .kind = WARN_TIME_ZERO,
			     .offset = found->before.has ? found->before.offset
							 : found->after.offset,
			     .count = n };
	struct buf text = { 0 };

	add_side(&found->before, found->t0, "before", &text);
	add_side(&found->after, found->t0, "after", &text);
	builder_warn_input(b, input, &w, buf_text(&text));
	buf_done(&text);
}

/* Of a trace whose events lie more than a day apart, the first window has the part with most. */
static void set_window(struct builder *b, const struct stray_found *kept)
{
	int64_t t0, t1;

	if (b->tracks.n == 0 || b->tracks.has_window || !stray_main_part(&b->times, kept, &t0, &t1))
		return;
	track_builder_window(b, t0, t1);
	builder_input_note(b, false,
			   "events lie more than a day apart; the first window has most of them");
}

void builder_stray_end(struct builder *b)
{
	struct stray_found found;
	struct input *in;

	/* A survey has decided before what is stray. */
	if (b->profile->n_inputs == 0 || b->options.keeps_strays || b->options.kept_of)
		return;
	in = builder_this_input(b);
	if (stray_find(&b->times, &found)) {
		in->has_kept = b->has_strays = true;
		in->kept_t0 = found.before.has ? found.t0 : INT64_MIN;
		in->kept_t1 = found.after.has ? found.t1 : INT64_MAX;
		b->has_stray_samples |= found.before.n_samples || found.after.n_samples;
		warn(b, builder_this_input_index(b), &found);
	}
	set_window(b, &found);
	stray_init(&b->times);
}

/* ---- what there is ---- */

bool builder_stray_is_gap(const struct builder *b, const struct lane *lane, node_id leaf)
{
	return leaf == NODE_ROOT ||
		b->profile->frames.frames[lane->tree.frame[leaf]].category == CATEGORY_IDLE;
}

/* Count sample i, which is a stretch. Returns whether it is one. */
static bool count_stretch(struct builder *b, const struct lane *lane, size_t i)
{
	const struct cpu_raw *raw = &b->raw;

	if (builder_stray_is_gap(b, lane, raw->samples[i]))
		return false;
	stray_add_samples(&b->times, raw->times[i], raw->times[i + 1], 1);
	return true;
}

/* As stray_add_lane(). */
static void count_stretches(struct builder *b, const struct lane *lane)
{
	const struct cpu_raw *raw = &b->raw;
	size_t first = 0, end = raw->n_samples, n = 0;

	while (first < end && n < STRAY_MOST)
		n += count_stretch(b, lane, first++);
	for (n = 0; end > first && n < STRAY_MOST;)
		n += count_stretch(b, lane, --end);
	while (first < end && builder_stray_is_gap(b, lane, raw->samples[first]))
		first++;
	while (first < end && builder_stray_is_gap(b, lane, raw->samples[end - 1]))
		end--;
	if (first < end)
		stray_add_samples(&b->times, raw->times[first], raw->times[end], end - first);
}

void builder_stray_lane(struct builder *b, const struct lane *lane, const struct sample_bounds *of)
{
	const struct cpu_raw *raw = &b->raw;

	if (!lane_has_times(lane) || !amount_is_time(&b->profile->unit) || builder_is_partial(b))
		return;
	if (!raw->times)
		stray_add_samples(&b->times, of->first, of->last, of->n);
	else if (sample_time_is_stretches(raw, of))
		count_stretches(b, lane);
	else
		stray_add_lane(&b->times, raw->times, raw->n_samples);
}

void builder_stray_frame(struct builder *b, const struct lane *lane, const struct sample_bounds *of,
			 int64_t end)
{
	if (!lane_has_times(lane) || !amount_is_time(&b->profile->unit))
		return;
	if (lane->t0 < of->first)
		stray_add_slowly(&b->times, lane->t0, lane->t0, 0, -1);
	if (lane->t1 > end)
		stray_add_slowly(&b->times, lane->t1, lane->t1, 0, -1);
}

void builder_stray_cut_frame(const struct builder *b, struct lane *lane,
			     const struct sample_bounds *of, int64_t end)
{
	const struct input *in = &b->profile->inputs[lane->input];

	if (!b->has_kept || !lane_has_times(lane))
		return;
	if (lane->t0 < in->kept_t0)
		lane->t0 = of->first;
	if (lane->t1 > in->kept_t1)
		lane->t1 = end;
}

void builder_stray_slice(struct builder *b, enum lane_kind kind, const struct track_slice *s)
{
	bool is_open = s->flags & SLICE_UNFINISHED,
	     is_older = kind == LANE_OBJECTS && (s->flags & SLICE_NOT_CREATED);
	bool is_life = kind == LANE_OBJECTS && s->t1 > s->t0;
	int64_t t0 = s->t0, t1 = s->t1 > s->t0 ? s->t1 : s->t0;

	/* The marks of a lifetime are its events. */
	if (is_older && is_open)
		return;
	stray_add(&b->times, is_older ? t1 : t0, is_open ? t0 : t1,
		  is_life ? 0 : 1 + (s->end_offset >= 0), s->offset);
}
