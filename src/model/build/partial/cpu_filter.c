/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times count from the start time, which often comes last in the file, or, if they are stamps, from
 * 0. The last time passed waits: it may be the surplus that ends the last sample. */
#include "config.h"

#include "model/build/partial/cpu_filter.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/builder_state.h"
#include "model/build/partial/subset.h"
#include "model/build/stray.h"

#include <stdlib.h>

/* Sums are clamped here, so that the start time can still be added. */
#define SUM_MAX (PROFILE_TIME_MAX / 2)

struct cpu_filter {
	struct time_survey *survey; /* NULL: this is no survey */
	size_t first,
		end; /* without a survey: samples that are kept, by their number in the file */
	str_id gc, program; /* in a survey: frame names that cannot be an anchor */

	size_t n_samples, n_unreadable;
	struct sample_clock clock; /* of all times except the one that waits */
	bool has_waiting;
	int64_t waiting;
	int64_t least, most;      /* of all times */
	struct stray_times times; /* in a survey */
};

void cpu_filter_begin(struct builder *b)
{
	uint32_t number = b->n_cpus++;
	struct cpu_filter *f;
	struct subset_lane of;

	b->raw.number = number;
	if (b->options.is_survey) {
		f = b->raw.filter = xcalloc(1, sizeof *f);
		f->survey = time_survey_new();
		stray_init(&f->times);
		f->gc = intern_adds(&b->profile->strings, "(garbage collector)");
		f->program = intern_adds(&b->profile->strings, "(program)");
	} else if (b->options.subset && subset_of_cpu(b->options.subset, number, &of) &&
		   of.survey) {
		f = b->raw.filter = xcalloc(1, sizeof *f);
		subset_samples(&of, &f->first, &f->end);
	}
}

void cpu_filter_free(struct cpu_filter *f)
{
	if (!f)
		return;
	time_survey_free(f->survey);
	free(f);
}

/* ---- while samples pass ---- */

/* GC stands on the stack before it, and (program) may be joined with it: neither is an anchor. */
static bool is_anchor(const struct cpu_raw *raw, uint32_t slot)
{
	const struct slot *found = slot == SLOT_NONE ? NULL : cpu_slots_find(&raw->slots, slot);
	str_id name;

	if (!found || !found->node)
		return false;
	name = raw->frames[raw->frame[found->node - 1]].name;
	return name != raw->filter->gc && name != raw->filter->program;
}

static bool is_kept(const struct cpu_filter *f, size_t number)
{
	return number >= f->first && number < f->end;
}

void cpu_filter_samples(struct cpu_raw *raw, const uint32_t *slots, size_t n)
{
	struct cpu_filter *f = raw->filter;

	for (size_t i = 0; i < n; i++) {
		size_t number = f->n_samples++;

		f->n_unreadable += slots[i] == SLOT_NONE;
		if (f->survey) {
			struct time_chunk *chunk = time_survey_chunk(f->survey, number);

			if (!chunk->has_anchor)
				chunk->has_anchor = is_anchor(raw, slots[i]);
		} else if (is_kept(f, number)) {
			raw->samples = xgrow(raw->samples, &raw->cap_samples, raw->n_samples + 1,
					     sizeof *raw->samples);
			raw->samples[raw->n_samples++] = slots[i];
		}
	}
}

/* Process a time that belongs to a sample. */
static void pass_time(struct cpu_raw *raw, int64_t ns)
{
	struct cpu_filter *f = raw->filter;
	size_t number = f->clock.n;
	int64_t t;

	f->clock.is_stamps = raw->is_stamps;
	f->clock.limit = SUM_MAX;
	t = sample_time_next(&f->clock, ns);
	f->least = number == 0 || t < f->least ? t : f->least;
	f->most = number == 0 || t > f->most ? t : f->most;
	if (f->survey) {
		time_survey_add(f->survey, number, t);
		stray_add(&f->times, t, t, 1, -1);
	} else if (is_kept(f, number)) {
		raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + 2,
				   sizeof *raw->times);
		raw->times[raw->n_times++] = t;
	}
}

void cpu_filter_times(struct cpu_raw *raw, const int64_t *ns, size_t n)
{
	struct cpu_filter *f = raw->filter;

	for (size_t i = 0; i < n; i++) {
		if (f->has_waiting)
			pass_time(raw, f->waiting);
		f->has_waiting = true;
		f->waiting = ns[i];
	}
}

void cpu_filter_clear_samples(struct cpu_filter *f)
{
	f->n_samples = f->n_unreadable = 0;
	if (f->survey)
		time_survey_clear_anchors(f->survey);
}

void cpu_filter_clear_times(struct cpu_filter *f)
{
	f->clock = (struct sample_clock){ 0 };
	f->has_waiting = false;
	stray_init(&f->times);
	if (f->survey)
		time_survey_clear_times(f->survey);
}

/* ---- at the end ---- */

bool cpu_filter_has_samples(const struct cpu_filter *f)
{
	return f->n_samples > f->n_unreadable;
}

/* Decide whether the time that waits belongs to a sample or is a surplus. Returns false if some
 * sample has no time of its own, or one that only the whole recording shows. */
static bool settle(struct cpu_raw *raw, struct sample_bounds *bounds)
{
	struct cpu_filter *f = raw->filter;

	if (f->has_waiting && f->clock.n < f->n_samples) {
		pass_time(raw, f->waiting);
		f->has_waiting = false;
	}
	*bounds = (struct sample_bounds){ .n = f->n_samples,
					  .has_surplus = f->has_waiting,
					  .surplus = f->waiting };
	/* The survey saw as many times as samples: the user stopped the reading between them. */
	if (!f->survey && f->clock.n > 0 && f->clock.n < f->n_samples)
		bounds->n = f->clock.n;
	return f->clock.n == bounds->n && f->n_unreadable == 0 && !f->clock.n_clamped &&
		!f->clock.has_unsigned;
}

/* Make the times absolute, and fill the bounds. */
static bool finish(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	struct cpu_filter *f = raw->filter;
	int64_t start = raw->is_stamps ? 0 : raw->start_ns;

	if (!settle(raw, bounds) || start > SUM_MAX || start < -SUM_MAX)
		return false;
	sample_time_warn(b, &f->clock);
	bounds->first = f->least + start;
	bounds->last = f->most + start;
	bounds->written_last = f->clock.t + start;
	bounds->runs_back = f->clock.n_negative > 0;
	for (size_t i = 0; i < raw->n_times; i++)
		raw->times[i] += start;
	if (f->survey) {
		time_survey_shift(f->survey, start);
		stray_take_samples(&b->times, &f->times, start);
	}
	/* Room for the end. */
	raw->times = xgrow(raw->times, &raw->cap_times, raw->n_times + 2, sizeof *raw->times);
	return true;
}

bool cpu_filter_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end)
{
	struct cpu_raw *raw = &b->raw;
	size_t n;

	sample_time_check_start(b);
	if (!finish(b, bounds))
		return false;
	n = raw->n_samples = raw->n_samples < raw->n_times ? raw->n_samples : raw->n_times;
	*end = sample_time_end(b, bounds);
	if (*end == bounds->first && bounds->n > 1)
		return false;
	if (*end == bounds->first) {
		builder_warn(b, WARN_ZERO_DURATION, -1);
		raw->is_unmeasured = !raw->has_end || raw->end_ns <= *end;
		*end += raw->is_unmeasured ? NS_PER_MS : raw->end_ns - *end;
	}
	if (bounds->runs_back && n > 0)
		sample_time_sort(raw);
	/* The last kept sample is the last of all, or lies outside of the range. */
	raw->times[n] = n > 0 && raw->times[n - 1] < bounds->last ? raw->times[n - 1] : *end;
	return true;
}

struct time_survey *cpu_filter_take_survey(struct cpu_filter *f)
{
	struct time_survey *survey = f->survey;

	f->survey = NULL;
	return survey;
}

void cpu_filter_fill(struct cpu_raw *raw, uint32_t root, const struct sample_bounds *bounds,
		     int64_t end)
{
	if (raw->n_samples > 0)
		return;
	raw->samples = xrealloc(raw->samples, 1, sizeof *raw->samples);
	raw->times = xrealloc(raw->times, 2, sizeof *raw->times);
	raw->samples[0] = root;
	raw->times[0] = bounds->first;
	raw->times[1] = end;
	raw->n_samples = 1;
}
