/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "build/partial/cpu_stream.h"

#include "base/alloc.h"
#include "base/units.h"
#include "build/builder_state.h"

#include <stdlib.h>

void cpu_stream_begin(struct builder *b)
{
	struct cpu_stream *s;
	struct wanted wanted = { 0 };
	uint32_t number = b->n_cpus++;

	b->raw.number = number;
	if (!b->options.is_survey &&
	    !(b->options.part && part_of_cpu(b->options.part, number, &wanted) &&
	      wanted.lane->survey))
		return;
	s = b->raw.stream = xcalloc(1, sizeof *s);
	s->wanted = wanted;
	if (b->options.is_survey) {
		s->survey = time_survey_new();
		s->gc = intern_adds(&b->profile->strings, "(garbage collector)");
		s->program = intern_adds(&b->profile->strings, "(program)");
	} else {
		part_samples(&wanted, &s->first, &s->end);
	}
}

void cpu_stream_free(struct cpu_stream *s)
{
	if (!s)
		return;
	time_survey_free(s->survey);
	free(s);
}

/* Neither a collection, which stands on what was before it, nor (program), which may be joined with
 * it. */
static bool is_anchor(struct builder *b, uint32_t slot)
{
	struct cpu_raw *raw = &b->raw;
	const struct slot *found;
	str_id name;

	if (slot == SLOT_NONE)
		return false;
	found = cpu_slots_find(&raw->slots, slot);
	if (!found || !found->node)
		return false;
	name = raw->frames[raw->frame[found->node - 1]].name;
	return name != raw->stream->gc && name != raw->stream->program;
}

/* ---- as they come ---- */

void cpu_stream_samples(struct builder *b, const uint32_t *slots, size_t n)
{
	struct cpu_raw *raw = &b->raw;
	struct cpu_stream *s = raw->stream;

	for (size_t i = 0; i < n; i++) {
		size_t number = s->n_samples++;

		s->n_unreadable += slots[i] == SLOT_NONE;
		if (s->survey) {
			struct time_chunk *chunk = time_survey_chunk(s->survey, number);

			if (!chunk->has_anchor)
				chunk->has_anchor = is_anchor(b, slots[i]);
		} else if (number >= s->first && number < s->end) {
			raw->samples = xgrow(raw->samples, &raw->cap_samples, raw->n_samples + 1,
					     sizeof *raw->samples);
			raw->samples[raw->n_samples++] = slots[i];
		}
	}
}

/* A time that belongs to a sample, by rule 1 of sample_time.c. */
static void take(struct cpu_raw *raw, int64_t ns)
{
	struct cpu_stream *s = raw->stream;
	size_t number = s->n_times++;
	int64_t t = ns;

	if (!raw->is_stamps) {
		if (ns > 3600 * NS_PER_S || ns < -NS_PER_S) {
			s->is_odd_first |= s->n_negative == 0 && !(ns < 0 && number > 0);
			s->n_odd++;
		}
		s->is_clamped |= ns > CPU_TIME_MAX / 2 || ns < -CPU_TIME_MAX / 2 ||
			s->t > CPU_TIME_MAX / 2 || s->t < -CPU_TIME_MAX / 2;
		t = s->is_clamped ? 0 : s->t + ns;
	}
	s->n_negative += number > 0 && (raw->is_stamps ? ns < s->t : ns < 0);
	s->t = t;
	s->least = number == 0 || t < s->least ? t : s->least;
	s->most = number == 0 || t > s->most ? t : s->most;
	if (s->survey) {
		time_survey_add(s->survey, number, t);
	} else if (number >= s->first && number < s->end) {
		raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + 2,
				   sizeof *raw->times);
		raw->times[raw->n_times++] = t;
	}
}

void cpu_stream_times(struct builder *b, const int64_t *ns, size_t n)
{
	struct cpu_stream *s = b->raw.stream;

	for (size_t i = 0; i < n; i++) {
		if (s->has_waiting)
			take(&b->raw, s->waiting);
		s->has_waiting = true;
		s->waiting = ns[i];
	}
}

void cpu_stream_clear_samples(struct cpu_stream *s)
{
	s->n_samples = s->n_unreadable = 0;
	for (size_t i = 0; s->survey && i < s->survey->n_chunks; i++)
		s->survey->chunks[i].has_anchor = false;
}

void cpu_stream_clear_times(struct cpu_stream *s)
{
	s->n_times = s->n_negative = s->n_odd = 0;
	s->has_waiting = s->is_odd_first = s->is_clamped = false;
	s->t = s->least = s->most = 0;
	for (size_t i = 0; s->survey && i < s->survey->n_chunks; i++) {
		s->survey->chunks[i].least = INT64_MAX;
		s->survey->chunks[i].most = INT64_MIN;
	}
}

/* ---- at the end ---- */

static void warn_often(struct builder *b, enum warning_kind kind, size_t n)
{
	while (n-- > 0)
		builder_warn(b, kind, -1);
}

/* The time that waited belongs to a sample, or is a surplus. */
static bool settle(struct cpu_raw *raw, struct sample_bounds *bounds)
{
	struct cpu_stream *s = raw->stream;

	if (s->has_waiting && s->n_times < s->n_samples) {
		take(raw, s->waiting);
		s->has_waiting = false;
	}
	*bounds = (struct sample_bounds){ .n = s->n_samples,
					  .has_surplus = s->has_waiting,
					  .surplus = s->waiting };
	/* The survey saw that there are as many: the user stopped between them. */
	if (!s->survey && s->n_times > 0 && s->n_times < s->n_samples)
		bounds->n = s->n_times;
	return s->n_times == bounds->n && s->n_unreadable == 0 && !s->is_clamped;
}

bool cpu_stream_finish(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	struct cpu_stream *s = raw->stream;
	int64_t start = raw->is_stamps ? 0 : raw->start_ns;

	if (!settle(raw, bounds) || start > CPU_TIME_MAX / 2 || start < -CPU_TIME_MAX / 2)
		return false;
	if (s->is_odd_first)
		builder_warn(b, WARN_ODD_DELTA, -1);
	warn_often(b, WARN_NEGATIVE_DELTA, s->n_negative);
	warn_often(b, WARN_ODD_DELTA, s->n_odd - s->is_odd_first);
	bounds->first = s->least + start;
	bounds->last = s->most + start;
	bounds->runs_back = s->n_negative > 0;
	for (size_t i = 0; i < raw->n_times; i++)
		raw->times[i] += start;
	/* Some have no time in the end: those of a list of samples that another one took the place
	 * of. */
	for (size_t i = 0; s->survey && i < s->survey->n_chunks; i++) {
		struct time_chunk *chunk = &s->survey->chunks[i];

		if (chunk->least > chunk->most)
			continue;
		chunk->least += start;
		chunk->most += start;
	}
	/* Room for the end. */
	raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + 2, sizeof *raw->times);
	return true;
}
