/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time and length of samples. The rules, in the order in which they act:
 * 1. Sample i is at the start time plus deltas 0 to i, or at its time stamp. Deltas near 2^32 or
 *    2^64 us are negative ones without a sign if the length of the recording shows it.
 * 2. Samples are sorted by time, equal times in the order of the file.
 * 3. Sample i owns the time up to sample i + 1.
 * 4. The last sample ends with a surplus delta if there is exactly one, which counts from the last
 *    sample in the file's order; an end before the last sample is ignored. Otherwise it ends after
 *    the average interval, of the samples that are not stray (builder_stray.h), at the latest at an
 *    endTime after it; a single sample ends at endTime.
 * 5. A sample that could not be read gives its time to the one before. */
#include "config.h"

#include "model/build/sample_time.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/builder_state.h"
#include "model/build/builder_stray.h"
#include "model/build/cpu_lane.h"
#include "model/build/cpu_raw.h"
#include "model/build/partial/subset.h"
#include "model/warning.h"

#include <stdlib.h>
#include <string.h>

/* ==== sample time ==== */

static int64_t add_clamped(struct builder *b, int64_t t, int64_t delta)
{
	if (delta > PROFILE_TIME_MAX || delta < -PROFILE_TIME_MAX || t + delta > PROFILE_TIME_MAX ||
	    t + delta < -PROFILE_TIME_MAX) {
		builder_warn(b, WARN_TIME_RANGE, -1);
		return delta > 0 ? PROFILE_TIME_MAX : -PROFILE_TIME_MAX;
	}
	return t + delta;
}

static void spread(struct cpu_raw *raw, int64_t t0, int64_t t1)
{
	size_t n = raw->n_samples;
	int64_t step = t1 > t0 ? (t1 - t0) / (int64_t)n : NS_PER_MS;

	if (step == 0)
		step = 1;
	/* The samples may be as late as a time can be. */
	if (t0 > PROFILE_TIME_MAX - (int64_t)n * step)
		t0 = PROFILE_TIME_MAX - (int64_t)n * step;
	raw->times = xgrow(raw->times, &raw->cap_times, n + 1, sizeof *raw->times);
	for (size_t i = 0; i <= n; i++)
		raw->times[i] = t0 + (int64_t)i * step;
	if (t1 > raw->times[n - 1])
		raw->times[n] = t1;
	raw->n_times = n + 1;
}

void sample_time_warn(struct builder *b, const struct sample_clock *c)
{
	for (int i = 0; i < c->n_kinds; i++) {
		size_t n = c->order[i] == WARN_NEGATIVE_DELTA ? c->n_negative
			: c->order[i] == WARN_ODD_DELTA       ? c->n_odd
							      : c->n_clamped;

		while (n-- > 0)
			builder_warn(b, c->order[i], -1);
	}
}

/* ---- negative deltas without a sign ---- */

/* Where samples are when deltas are taken as they are, or as negative ones. */
struct extent {
	int64_t least, most;
};

static struct extent extent_of(const struct cpu_raw *raw, bool is_signed)
{
	struct sample_clock clock = { .limit = PROFILE_TIME_MAX, .t = raw->start_ns };
	struct extent e = { raw->start_ns, raw->start_ns };

	for (size_t i = 0; i < raw->n_times; i++) {
		int64_t ns = raw->times[i];
		int64_t t = sample_time_next(&clock, is_signed ? sample_time_signed(ns) : ns);

		e.least = t < e.least ? t : e.least;
		e.most = t > e.most ? t : e.most;
	}
	return e;
}

/* endTime decides: it is beyond reach of deltas as they are, and not of negative ones. Without an
 * endTime, the whole recording must be much shorter than one of these deltas. */
static bool is_unsigned(const struct cpu_raw *raw)
{
	struct extent as_is = extent_of(raw, false), e = extent_of(raw, true);
	int64_t slack = NS_PER_S;

	if (e.least < raw->start_ns - slack)
		return false;
	if (raw->has_end && raw->end_ns > raw->start_ns)
		return e.most <= raw->end_ns + slack && as_is.most > raw->end_ns + slack;
	return e.most - e.least < SAMPLE_TIME_UNSIGNED_32 / 10;
}

static void sign_deltas(struct builder *b)
{
	struct cpu_raw *raw = &b->raw;
	uint64_t n = 0;

	for (size_t i = 0; i < raw->n_times; i++)
		n += sample_time_signed(raw->times[i]) != raw->times[i];
	if (n == 0 || !is_unsigned(raw))
		return;
	builder_warn_times(b, WARN_UNSIGNED_DELTA, -1, n);
	for (size_t i = 0; i < raw->n_times; i++)
		raw->times[i] = sample_time_signed(raw->times[i]);
}

/* Rule 1: turn deltas into times, in place. Returns whether a time is before the previous one. */
static bool sum_up(struct builder *b, size_t n)
{
	struct cpu_raw *raw = &b->raw;
	struct sample_clock clock = { .is_stamps = raw->is_stamps,
				      .limit = PROFILE_TIME_MAX,
				      .t = raw->start_ns };

	for (size_t i = 0; i < n; i++)
		raw->times[i] = sample_time_next(&clock, raw->times[i]);
	sample_time_warn(b, &clock);
	return clock.n_negative > 0;
}

struct pair {
	int64_t t;
	size_t at;
};

static int by_time(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->t != y->t)
		return x->t < y->t ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

/* Rule 2. V8 swaps neighbours, so insertion moves little. If it has to move much, all samples are
 * sorted. */
/* Sort samples by time, those of one time in the order of the file. */
static void sample_time_sort(struct cpu_raw *raw)
{
	size_t n = raw->n_samples, moves = 0;
	struct pair *pairs;
	uint32_t *slots;

	for (size_t i = 1; i < n && moves < SAMPLE_TIME_MOVES(n); i++) {
		int64_t t = raw->times[i];
		uint32_t slot = raw->samples[i];
		size_t j = i;

		for (; j > 0 && raw->times[j - 1] > t && moves < SAMPLE_TIME_MOVES(n);
		     j--, moves++) {
			raw->times[j] = raw->times[j - 1];
			raw->samples[j] = raw->samples[j - 1];
		}
		raw->times[j] = t;
		raw->samples[j] = slot;
	}
	if (moves < SAMPLE_TIME_MOVES(n))
		return;
	pairs = xmalloc(n * sizeof *pairs);
	slots = xmalloc(n * sizeof *slots);
	for (size_t i = 0; i < n; i++)
		pairs[i] = (struct pair){ raw->times[i], i };
	qsort(pairs, n, sizeof *pairs, by_time);
	memcpy(slots, raw->samples, n * sizeof *slots);
	for (size_t i = 0; i < n; i++) {
		raw->times[i] = pairs[i].t;
		raw->samples[i] = slots[pairs[i].at];
	}
	free(pairs);
	free(slots);
}

/* Take out a pause that is as long for the other samples as a distance of stray ones. */
static void skip_pause(const int64_t *t, size_t n, struct sample_bounds *others)
{
	int64_t most = 0, rest;

	for (size_t i = 1; i < n; i++)
		if (t[i] - t[i - 1] > most)
			most = t[i] - t[i - 1];
	rest = t[n - 1] - t[0] - most;
	if (n < 3 || most <= STRAY_NEAR || rest <= 0 || most / STRAY_TIMES <= rest)
		return;
	others->n--;
	others->last -= most;
}

struct sample_bounds sample_time_others(const struct cpu_raw *raw, const struct sample_bounds *of)
{
	struct sample_bounds others = *of;
	size_t first, end;

	if (!raw->times || raw->n_samples != of->n || sample_time_is_stretches(raw, of) ||
	    of->last - of->first <= STRAY_NEAR)
		return others;
	stray_of_lane(raw->times, of->n, &first, &end);
	others.n = end - first;
	others.first = raw->times[first];
	others.last = raw->times[end - 1];
	skip_pause(raw->times + first, others.n, &others);
	return others;
}

/* Rule 4. The surplus is an extra delta or stamp. */
static int64_t end_of_last(struct builder *b, const struct sample_bounds *of)
{
	struct cpu_raw *raw = &b->raw;
	int64_t n = (int64_t)of->n;
	int64_t last = of->last, average, surplus;
	struct sample_bounds others;
	bool has_end = raw->has_end && raw->end_ns > last;

	if (of->has_surplus) {
		surplus = raw->is_stamps ? of->surplus
					 : add_clamped(b, of->written_last, of->surplus);
		if (surplus >= last)
			return surplus;
	}
	if (!has_end && !raw->is_as_recorded)
		builder_warn(b, WARN_END_TIME, -1);
	if (n == 1)
		return has_end ? raw->end_ns : last;
	others = sample_time_others(raw, of);
	n = (int64_t)others.n - 1;
	average = (others.last - others.first + n / 2) / n;
	if (has_end && raw->end_ns - last < average)
		return raw->end_ns;
	return add_clamped(b, last, average);
}

/* Rule 5. */
static void drop_unreadable(struct cpu_raw *raw)
{
	size_t kept, i = 0, n = raw->n_samples;

	while (i < n && raw->samples[i] != SLOT_NONE)
		i++;
	if (i == n)
		return;
	for (kept = i; i < n; i++) {
		if (raw->samples[i] == SLOT_NONE)
			continue;
		raw->samples[kept] = raw->samples[i];
		raw->times[kept++] = raw->times[i];
	}
	raw->times[kept] = raw->times[n];
	raw->n_samples = kept;
}

static bool is_sorted(const int64_t *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i] < t[i - 1])
			return false;
	return true;
}

static void fill_up(struct builder *b, size_t known)
{
	struct cpu_raw *raw = &b->raw;
	int64_t step = NS_PER_MS;
	size_t first = 0, end = known;

	builder_warn(b, WARN_DELTAS_SHORT, -1);
	if (known > 1 && is_sorted(raw->times, known))
		stray_of_lane(raw->times, known, &first, &end);
	if (known > 1)
		step = (raw->times[end - 1] - raw->times[first]) / (int64_t)(end - first - 1);
	if (step < 0)
		step = NS_PER_MS;
	raw->times = xgrow(raw->times, &raw->cap_times, raw->n_samples + 1, sizeof *raw->times);
	for (size_t i = known; i < raw->n_samples; i++)
		raw->times[i] = add_clamped(b, raw->times[i - 1], step);
}

/* Where the last sample ends: rule 4. */
static int64_t sample_time_end(struct builder *b, const struct sample_bounds *of)
{
	struct cpu_raw *raw = &b->raw;

	/* The old format often truncates start and end to whole seconds: use them only if they
	 * enclose the samples. */
	if (raw->is_stamps &&
	    !(raw->has_start && raw->has_end && raw->start_ns <= of->first &&
	      raw->end_ns >= of->last))
		raw->has_start = raw->has_end = false;
	raw->is_instant = of->n == 1 && raw->is_as_recorded && !of->has_surplus && !raw->has_end;
	return raw->is_instant ? of->first + 1 : end_of_last(b, of);
}

/* Rules 1 and 2 in raw.times. */
static void sum_and_sort(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	size_t n = bounds->n, known = raw->n_times;

	cpu_deltas_widen(raw);
	if (known > n + 1)
		builder_warn(b, WARN_DELTAS_LONG, -1);
	bounds->runs_back = sum_up(b, known < n ? known : n);
	if (known < n)
		fill_up(b, known);
	bounds->written_last = raw->times[n - 1];
	if (bounds->runs_back)
		sample_time_sort(raw);
}

/* Either raw.times is complete then; or raw.deltas, the bounds and the end, which is returned. */
static int64_t resolve_all(struct builder *b, struct sample_bounds *bounds)
{
	struct cpu_raw *raw = &b->raw;
	size_t n = raw->n_samples;
	int64_t end;

	*bounds = (struct sample_bounds){ .n = n, .has_surplus = raw->n_times == n + 1 };
	if (raw->n_times == 0) {
		cpu_deltas_widen(raw);
		builder_warn(b, WARN_DELTAS_MISSING, -1);
		spread(raw, raw->start_ns, raw->has_end ? raw->end_ns : raw->start_ns);
		drop_unreadable(raw);
		return 0;
	}
	if (raw->has_long && !raw->is_stamps && !raw->deltas)
		sign_deltas(b);
	if (bounds->has_surplus)
		bounds->surplus = raw->deltas ? (int32_t)raw->deltas[n] : raw->times[n];
	if (!cpu_deltas_suffice(raw))
		sum_and_sort(b, bounds);
	else if (!cpu_deltas_order(b, bounds))
		sample_time_sort(raw);
	if (!raw->deltas) {
		bounds->first = raw->times[0];
		bounds->last = raw->times[n - 1];
	}
	end = sample_time_end(b, bounds);
	if (raw->deltas && end != bounds->first)
		return end;
	if (raw->deltas)
		cpu_deltas_to_times(raw, bounds->first);
	raw->times[n] = end;
	if (raw->times[n] == raw->times[0]) {
		builder_warn(b, WARN_ZERO_DURATION, -1);
		raw->is_unmeasured = !raw->has_end || raw->end_ns <= raw->times[0];
		spread(raw, raw->times[0], raw->is_unmeasured ? raw->times[0] : raw->end_ns);
	}
	drop_unreadable(raw);
	return 0;
}

/* Warn if the current profile has no start time. */
static void sample_time_check_start(struct builder *b)
{
	const struct cpu_raw *raw = &b->raw;

	if (!raw->has_start && !raw->is_stamps && !raw->is_start_cut)
		builder_warn(b, WARN_START_TIME, -1);
}

void sample_time_resolve(struct builder *b, struct sample_bounds *bounds, int64_t *end)
{
	struct cpu_raw *raw = &b->raw;

	sample_time_check_start(b);
	*end = resolve_all(b, bounds);
	if (raw->deltas)
		return;
	bounds->n = raw->n_samples;
	bounds->first = raw->times[0];
	bounds->last = raw->times[raw->n_samples - 1];
	*end = raw->times[raw->n_samples];
}

/* ==== cpu filter ====
 *
 * Times count from the start time, which often comes last in the file, or, if they are stamps, from
 * 0. The last time passed waits: it may be the surplus that ends the last sample. */

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
