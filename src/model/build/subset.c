/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the survey finds and what the second reading keeps pass through filters, one for each CPU
 * profile and each track. A filter gets what its raw struct would get, in the same order, and
 * passes on what is kept. Both readings pass the same things, so numbers are enough to find a lane
 * again. */
#include "config.h"

#include "model/build/subset.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/units.h"
#include "model/blocks.h"
#include "model/build/builder_state.h"
#include "model/build/stray.h"

#include <stdlib.h>

struct time_chunk {
	int64_t least, most; /* ns of the file's clock; least > most: no time yet */
	bool has_anchor;     /* a sample in it has a stack of its own: subset.h, rule 4 */
};

/* What was chosen of one lane. */
struct subset_lane {
	const struct lane *lane; /* of the survey */
	const struct time_survey *survey;
	bool is_chosen;
	int64_t t0, t1; /* ns of the file's clock */
};

/* ==== left out ====
 *
 * Tells the user what partial loading left out. */

/* Slices and samples of one input that were not kept. */
struct left_out {
	uint64_t n_slices, of_slices, n_samples, of_samples;
};

static void warn(struct builder *b, uint32_t input, const struct left_out *left)
{
	char n[4][UNITS_MAX];
	BUF_LOCAL text = { 0 };

	units_count(left->n_samples, n[0]);
	units_count(left->of_samples, n[1]);
	units_count(left->n_slices, n[2]);
	units_count(left->of_slices, n[3]);
	buf_adds(&text,
		 b->options.is_for_sums ? "because all lanes together are longer than 146 years, "
					: "because of --max-memory, ");
	if (left->n_samples)
		buf_addf(&text, "%s of %s samples", n[0], n[1]);
	if (left->n_slices)
		buf_addf(&text, "%s%s of %s slices", left->n_samples ? " and " : "", n[2], n[3]);
	buf_adds(&text,
		 " outside of --from, --to and --lane were not loaded; depths and counts of other "
		 "warnings are those of the loaded part");
	builder_warn_input(b, input,
			   &(struct warning){ .kind = WARN_SUBSET, .offset = -1, .count = 1 },
			   buf_text(&text));
}

void left_out_warn(struct builder *b)
{
	const struct profile *p = b->profile;
	ALLOC_LOCAL struct left_out *by_input = xcalloc(p->n_inputs, sizeof *by_input);

	for (uint32_t i = 0; i < p->n_lanes; i++) {
		const struct lane *lane = &p->lanes[i];
		struct left_out *left = &by_input[lane->input];

		if (lane->kind == LANE_SAMPLES && lane->has_timeline) {
			left->of_samples += lane->n_samples;
			left->n_samples += lane->n_left;
		} else if (lane->kind == LANE_SLICES || lane->kind == LANE_MARKS) {
			left->of_slices += lane->n_spans;
			left->n_slices += lane->n_left;
		}
	}
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (by_input[i].n_samples || by_input[i].n_slices)
			warn(b, i, &by_input[i]);
}

/* ==== time survey ====
 *
 * When the samples of a CPU profile, or the slices of a track, are: the range of times of each
 * chunk of them. A chunk is a fixed number of samples that follow each other in the file. When
 * there are too many chunks, neighbouring chunks are joined in pairs. */

#define CHUNK_MIN 16u    /* samples of a chunk at first */
#define CHUNKS_MAX 8192u /* from here on chunks are joined */

static const struct time_chunk no_chunk = { INT64_MAX, INT64_MIN, false };

static struct time_survey *time_survey_new(void)
{
	struct time_survey *s = xcalloc(1, sizeof *s);

	s->per_chunk = CHUNK_MIN;
	return s;
}

static void join_two(struct time_chunk *to, const struct time_chunk *a, const struct time_chunk *b)
{
	*to = (struct time_chunk){ a->least < b->least ? a->least : b->least,
				   a->most > b->most ? a->most : b->most,
				   a->has_anchor || b->has_anchor };
}

/* The chunk of a sample, created if it is new. Valid until the next call. */
static struct time_chunk *time_survey_chunk(struct time_survey *s, size_t sample)
{
	size_t i;

	while (sample / s->per_chunk >= CHUNKS_MAX) {
		for (i = 0; i < s->n_chunks; i += 2)
			join_two(&s->chunks[i / 2], &s->chunks[i],
				 i + 1 < s->n_chunks ? &s->chunks[i + 1] : &no_chunk);
		s->n_chunks = (s->n_chunks + 1) / 2;
		s->per_chunk *= 2;
	}
	i = sample / s->per_chunk;
	while (i >= s->n_chunks) {
		*ARRAY_ADD(s->chunks, s->n_chunks, s->cap) = no_chunk;
	}
	return &s->chunks[i];
}

/* Note that sample number `sample` is at t. */
static void time_survey_add(struct time_survey *s, size_t sample, int64_t t)
{
	struct time_chunk *chunk = time_survey_chunk(s, sample);

	chunk->least = t < chunk->least ? t : chunk->least;
	chunk->most = t > chunk->most ? t : chunk->most;
}

/* Add `by` to all times; forget all times; forget all anchors. */
static void time_survey_shift(struct time_survey *s, int64_t by)
{
	/* A chunk has no time if its samples belonged to a list that a second one replaced. */
	for (size_t i = 0; i < s->n_chunks; i++) {
		if (s->chunks[i].least > s->chunks[i].most)
			continue;
		s->chunks[i].least += by;
		s->chunks[i].most += by;
	}
}

static void time_survey_clear_times(struct time_survey *s)
{
	for (size_t i = 0; i < s->n_chunks; i++) {
		s->chunks[i].least = no_chunk.least;
		s->chunks[i].most = no_chunk.most;
	}
}

size_t time_survey_count(const struct time_survey *s, size_t n, int64_t t0, int64_t t1)
{
	double sum = 0;

	for (size_t i = 0; i < s->n_chunks; i++) {
		const struct time_chunk *c = &s->chunks[i];
		size_t here = n - i * s->per_chunk < s->per_chunk ? n - i * s->per_chunk
								  : s->per_chunk;
		int64_t from = c->least > t0 ? c->least : t0, to = c->most < t1 ? c->most : t1;

		if (from < to)
			sum += (double)here * ((double)(to - from) / (double)(c->most - c->least));
		else if (c->least >= t0 && c->least < t1)
			sum += (double)here;
	}
	return (size_t)sum;
}

/* ==== subset ==== */

struct subset *subset_new(struct profile *survey, struct lane_source *sources)
{
	struct subset *s = xmalloc(sizeof *s);
	const struct profile *p;

	*s = (struct subset){ .survey = survey, .sources = sources, .t1 = survey->t1 };
	/* Index the lanes of the survey by the number of their track or CPU profile; the first lane
	 * of each counts. */
	p = s->survey;
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		uint32_t *n = p->lanes[i].kind == LANE_SAMPLES ? &s->n_cpus : &s->n_tracks;

		if (p->lanes[i].kind != LANE_COUNTER && s->sources[i].number >= *n)
			*n = s->sources[i].number + 1;
	}
	s->lane_of_track = xcalloc(s->n_tracks, sizeof *s->lane_of_track);
	s->lane_of_cpu = xcalloc(s->n_cpus, sizeof *s->lane_of_cpu);
	for (uint32_t i = p->n_lanes; i-- > 0;) {
		uint32_t *lanes = p->lanes[i].kind == LANE_SAMPLES ? s->lane_of_cpu
								   : s->lane_of_track;

		if (p->lanes[i].kind != LANE_COUNTER)
			lanes[s->sources[i].number] = i + 1;
	}
	return s;
}

void subset_free(struct subset *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->survey->n_lanes; i++)
		time_survey_free(s->sources[i].survey);
	profile_free(s->survey);
	free(s->sources);
	free(s->is_lane);
	free(s->lane_of_track);
	free(s->lane_of_cpu);
	free(s);
}

/* Look up a track or CPU profile by its number in a list of the subset. False: the survey did not
 * see it. */
static bool find(const struct subset *s, const uint32_t *lanes, uint32_t n, uint32_t number,
		 struct subset_lane *out)
{
	uint32_t at = number < n ? lanes[number] : 0;
	const struct lane *lane;

	if (!at)
		return false;
	lane = &s->survey->lanes[at - 1];
	*out = (struct subset_lane){ .lane = lane,
				     .survey = s->sources[at - 1].survey,
				     .is_chosen = !s->is_lane || s->is_lane[at - 1],
				     .t0 = s->t0 + lane->zero_ns,
				     .t1 = s->t1 + lane->zero_ns };
	return true;
}

/* Find the chunks [*first, *end) that hold all samples of the range, the last sample before it in
 * time, and the first sample after it. */
static void find_chunks(const struct time_survey *s, int64_t t0, int64_t t1, size_t *first,
			size_t *end)
{
	size_t before = SIZE_MAX, after = SIZE_MAX;

	*first = s->n_chunks;
	*end = 0;
	for (size_t i = 0; i < s->n_chunks; i++) {
		const struct time_chunk *c = &s->chunks[i];

		if (c->most < t0 && (before == SIZE_MAX || c->most >= s->chunks[before].most))
			before = i;
		if (c->least >= t1 && (after == SIZE_MAX || c->least < s->chunks[after].least))
			after = i;
		if (c->most < t0 || c->least >= t1)
			continue;
		*first = i < *first ? i : *first;
		*end = i + 1;
	}
	if (before != SIZE_MAX) {
		*first = before < *first ? before : *first;
		*end = before >= *end ? before + 1 : *end;
	}
	if (after != SIZE_MAX) {
		*first = after < *first ? after : *first;
		*end = after >= *end ? after + 1 : *end;
	}
}

/* The samples of a CPU profile to keep, by their number in the file: [*first, *end). */
static void subset_samples(const struct subset_lane *of, size_t *first, size_t *end)
{
	const struct time_survey *s = of->survey;
	int64_t zero = of->lane->zero_ns;
	size_t c0, c1;

	*first = *end = 0;
	if (!of->is_chosen || !s || of->t0 >= of->lane->sampled_t1 + zero ||
	    of->t1 <= of->lane->sampled_t0 + zero)
		return;
	find_chunks(s, of->t0, of->t1, &c0, &c1);
	/* Add one more chunk on both sides, and chunks up to an anchor: rule 4 of subset.h. */
	c1 += c1 < s->n_chunks;
	c0 -= c0 > 0;
	while (c0 > 0 && !s->chunks[c0].has_anchor)
		c0--;
	*first = c0 * s->per_chunk;
	*end = c1 < s->n_chunks ? c1 * s->per_chunk : of->lane->n_samples;
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
	const struct subset *subset = b->options.subset;
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
	} else if (subset && find(subset, subset->lane_of_cpu, subset->n_cpus, number, &of) &&
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
			*ARRAY_ADD(raw->samples, raw->n_samples, raw->cap_samples) = slots[i];
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
	for (size_t i = 0; f->survey && i < f->survey->n_chunks; i++)
		f->survey->chunks[i].has_anchor = false;
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
	builder_lane_source(b)->survey = raw->filter->survey;
	raw->filter->survey = NULL;
	return true;
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

/* ==== slice queue ====
 *
 * The waiting slices are a binary heap with the next slice at the top. */

#define SLICE_QUEUE_MAX 16384u

struct queued_slice {
	struct raw_slice slice;
	int64_t end_offset;
};

/* A zeroed struct is empty. */
struct slice_queue {
	struct queued_slice *heap;
	size_t n, cap;
	struct raw_slice latest; /* the last one taken */
	bool has_taken;
	bool is_lost; /* a slice came too late: nothing more is queued or taken */
};

static bool is_before(const struct raw_slice *a, const struct raw_slice *b)
{
	return raw_is_before(a, b, true);
}

static void slice_queue_add(struct slice_queue *q, const struct raw_slice *slice,
			    int64_t end_offset)
{
	size_t i = q->n;

	q->is_lost |= q->has_taken && is_before(slice, &q->latest);
	if (q->is_lost)
		return;
	q->heap = xgrow(q->heap, &q->cap, ++q->n, sizeof *q->heap);
	for (; i > 0 && is_before(slice, &q->heap[(i - 1) / 2].slice); i = (i - 1) / 2)
		q->heap[i] = q->heap[(i - 1) / 2];
	q->heap[i] = (struct queued_slice){ *slice, end_offset };
}

/* Take the next slice, in the order of slice_order(). is_end: no more will be added. Returns false
 * if more must be added first; with is_end, if none is left. */
static bool slice_queue_take(struct slice_queue *q, bool is_end, struct queued_slice *out)
{
	struct queued_slice last;
	size_t i = 0;

	if (q->is_lost || q->n <= (is_end ? 0 : SLICE_QUEUE_MAX))
		return false;
	*out = q->heap[0];
	q->latest = out->slice;
	q->has_taken = true;
	last = q->heap[--q->n];
	for (size_t next = 1; next < q->n; next = 2 * i + 1) {
		next += next + 1 < q->n &&
			is_before(&q->heap[next + 1].slice, &q->heap[next].slice);
		if (!is_before(&q->heap[next].slice, &last.slice))
			break;
		q->heap[i] = q->heap[next];
		i = next;
	}
	q->heap[i] = last;
	return true;
}

/* ==== track filter ====
 *
 * A thread's slices go through a queue, which sorts them, and through slice_stacks, which finds
 * their layer; then they are kept or dropped. Marks need neither. The lanes of the kept slices are
 * fitted into the time of all slices, which the filter has measured by layer. */

/* The range of all slices of a layer, kept or not. A layer becomes a lane. */
struct extent {
	size_t n, n_kept;
	int64_t first, last; /* begin and end */
	size_t made;         /* the lane that was made of the kept ones, if n_kept */
};

/* A slice that is open. */
struct passed {
	struct queued_slice slice;
	bool is_kept;
};

struct track_filter {
	bool is_survey;
	bool is_chosen;
	int64_t t0, t1;             /* slices that touch this range, both ends included, are kept */
	struct time_survey *survey; /* in a survey */
	struct extent all;

	/* Of a thread's slices, if their order can be restored. */
	bool has_stacks;
	struct slice_queue queue;
	struct slice_stacks stacks;
	struct extent *layers;
	size_t cap_layers;
	struct passed *open; /* the slices of stacks.open */
	size_t cap_open;

	/* The neighbours of the range that are kept, too: */
	bool has_next, has_mark;
	struct raw_slice next; /* the first slice after it */
	int64_t next_end;      /* offset of its end, -1 none */
	struct raw_slice mark; /* the last mark before it */
};

void track_filter_begin(struct builder *b, struct raw_track *track, uint32_t number)
{
	const struct subset *subset = b->options.subset;
	struct track_filter *f;
	struct subset_lane of = { 0 };

	if (lane_kind_has_groups(track->kind) || !builder_is_partial(b))
		return;
	f = track->filter = xcalloc(1, sizeof *f);
	f->is_survey = b->options.is_survey;
	if (f->is_survey)
		f->survey = time_survey_new();
	else if (!find(subset, subset->lane_of_track, subset->n_tracks, number, &of))
		return;
	f->is_chosen = of.is_chosen;
	f->t0 = of.t0;
	f->t1 = of.t1;
	f->has_stacks = track->kind == LANE_SLICES && (f->is_survey || of.lane->n_rows);
	track->has_layers = f->has_stacks;
}

void track_filter_done(struct raw_track *track)
{
	struct track_filter *f = track->filter;

	if (!f)
		return;
	time_survey_free(f->survey);
	free(f->queue.heap);
	slice_stacks_done(&f->stacks);
	free(f->layers);
	free(f->open);
	free(f);
	track->filter = NULL;
}

/* ---- slices ---- */

static bool touches_range(const struct track_filter *f, const struct raw_slice *s)
{
	return f->is_chosen && s->t1 >= f->t0 && s->t0 <= f->t1;
}

static void extend(struct extent *e, const struct raw_slice *s)
{
	e->first = e->n == 0 || s->t0 < e->first ? s->t0 : e->first;
	e->last = e->n == 0 || s->t1 > e->last ? s->t1 : e->last;
	e->n++;
}

static void keep_slice(struct raw_track *track, size_t at)
{
	struct track_filter *f = track->filter;
	const struct slice_open *open = &f->stacks.open[at];
	struct passed *s = &f->open[at];

	track_raw_add(track, &s->slice.slice, s->slice.end_offset, open->layer);
	f->layers[open->layer].n_kept++;
	s->is_kept = true;
}

/* Put the next slice of a thread on its layer, and keep it or not. What outlasts the slice around
 * it by a rounding error may touch the range although that one does not: then both are kept. */
static void pass_placed(struct raw_track *track, struct queued_slice *s)
{
	struct track_filter *f = track->filter;
	struct slice_open open = *slice_stacks_put(&f->stacks, &s->slice);
	bool is_next = f->is_chosen && !f->has_next && s->slice.t0 > f->t1;
	size_t at = f->stacks.n - 1;

	if (f->stacks.n > f->cap_open || f->stacks.n_layers > f->cap_layers) {
		size_t n = f->cap_layers;

		f->open = xgrow(f->open, &f->cap_open, f->stacks.n, sizeof *f->open);
		f->layers = xgrow(f->layers, &f->cap_layers, f->stacks.n_layers, sizeof *f->layers);
		for (size_t i = n; i < f->cap_layers; i++)
			f->layers[i] = (struct extent){ 0 };
	}
	f->open[at] = (struct passed){ *s, false };
	extend(&f->layers[open.layer], &s->slice);
	f->has_next |= is_next;
	if (!is_next && !touches_range(f, &s->slice))
		return;
	keep_slice(track, at);
	for (; f->stacks.open[at].depth > 0 && !f->open[at - 1].is_kept; at--)
		keep_slice(track, at - 1);
}

void track_filter_slice(struct raw_track *track, const struct raw_slice *s, int64_t end_offset)
{
	struct track_filter *f = track->filter;
	struct queued_slice next;

	if (f->survey)
		time_survey_add(f->survey, f->all.n, s->t0);
	extend(&f->all, s);
	if (f->has_stacks) {
		slice_queue_add(&f->queue, s, end_offset);
		if (slice_queue_take(&f->queue, false, &next))
			pass_placed(track, &next);
		return;
	}
	if (f->is_chosen) {
		if (s->t0 > f->t1 && (!f->has_next || s->t0 < f->next.t0)) {
			f->has_next = true;
			f->next = *s;
			f->next_end = end_offset;
		} else if (track->kind == LANE_MARKS && s->t0 < f->t0 &&
			   (!f->has_mark || s->t0 >= f->mark.t0)) {
			f->has_mark = true;
			f->mark = *s;
		}
	}
	if (touches_range(f, s))
		track_raw_add(track, s, end_offset, 0);
}

void track_filter_end(struct raw_track *track)
{
	struct track_filter *f = track->filter;
	struct queued_slice next;
	size_t n_made = 0;

	if (!f)
		return;
	if (f->has_stacks) {
		while (slice_queue_take(&f->queue, true, &next))
			pass_placed(track, &next);
		for (size_t i = 0; i < f->stacks.n_layers; i++)
			if (f->layers[i].n_kept)
				f->layers[i].made = n_made++;
		track_raw_unpack(track);
		for (size_t i = 0; i < track->n_more; i++)
			track->more[i].group = (uint32_t)f->layers[track->more[i].group].made;
	} else {
		if (f->has_next)
			track_raw_add(track, &f->next, f->next_end, 0);
		if (f->has_mark)
			track_raw_add(track, &f->mark, -1, 0);
	}
	f->all.n_kept = track->n;
}

bool track_filter_flow(struct builder *b, uint64_t flow, int64_t t)
{
	const struct subset *subset = b->options.subset;
	struct tracks *tr = &b->tracks;
	int64_t zero;

	if (!subset)
		return !b->options.is_survey;
	zero = subset->survey->inputs[builder_this_input_index(b)].zero_ns;
	if (t >= subset->t0 + zero && t <= subset->t1 + zero)
		return true;
	*ARRAY_ADD(tr->left_flows, tr->n_left_flows, tr->cap_left_flows) = flow;
	return false;
}

/* ---- lanes ---- */

/* Add a lane without kept slices: one empty stretch, which fit_lane() gives its times. */
static struct lane *add_empty_lane(struct builder *b, const struct raw_track *track)
{
	struct lane *lane = builder_lane(b, track->kind, track->input, track->pid, track->tid);
	struct samples *s = &lane->samples;
	node_id parent = NODE_ROOT, order;
	frame_id frame = FRAME_NONE;

	lane->title = track->title;
	if (track->filter->is_survey)
		return lane;
	calltree_build(&lane->tree, 1, &parent, &frame, &order);
	s->n = 1;
	s->leaf = xcalloc(1, sizeof *s->leaf);
	s->shared = xcalloc(1, sizeof *s->shared);
	return lane;
}

/* Fit a lane to the range of all slices of its layer. */
static void fit_lane(struct lane *lane, const struct raw_track *track, const struct extent *all)
{
	const struct track_filter *f = track->filter;
	struct samples *s = &lane->samples;
	bool is_empty = lane->tree.n == 1;
	int64_t by = lane->t0 - all->first;

	if (!is_empty && s->n)
		times_shift(&s->times, s->n + 1, by);
	slice_time_shift(lane->slice_time, by);
	lane->sampled_t0 += is_empty ? 0 : by;
	lane->sampled_t1 += by;
	lane->t0 = all->first;
	lane->t1 = all->last;
	lane->n_left = all->n - all->n_kept;
	lane->n_spans += lane->n_left;
	lane->n_marks += lane->kind == LANE_MARKS ? lane->n_left : 0;
	lane->n_rows = f->has_stacks && !f->queue.is_lost ? f->stacks.n_rows : 0;
	if (!is_empty)
		return;
	lane->sampled_t1 = lane->unsampled_ns = lane->t1 - lane->t0;
	times_pack_copy(&s->times, (int64_t[]){ 0, lane->sampled_t1 }, 2, 0);
	samples_index(s, &lane->tree, NULL);
	s->blocks = blocks_build(s, lane->tree.n);
}

/* Links tell the lanes that were made; between these there are lanes of layers without slices. */
static void renumber_links(const struct track_filter *f, struct lane *lane)
{
	struct slice_time *time = lane->slice_time;

	for (size_t k = 0; time && k < time->n_links; k++) {
		uint32_t i = 0;

		while (!f->layers[i].n_kept || f->layers[i].made != time->links[k].lane)
			i++;
		time->links[k].lane = i;
	}
}

static void add_placed_lanes(struct builder *b, const struct raw_track *track,
			     const struct slice_lanes *made)
{
	const struct track_filter *f = track->filter;

	for (size_t i = 0; i < f->stacks.n_layers; i++) {
		const struct extent *layer = &f->layers[i];
		int n_rows = f->stacks.layers[i].n_rows;
		struct lane *lane = layer->n_kept ? builder_lane_take(b, &made->lanes[layer->made])
						  : add_empty_lane(b, track);

		lane->is_joined = i > 0;
		lane->first_row = f->stacks.layers[i].first_row;
		fit_lane(lane, track, layer);
		renumber_links(f, lane);
		lane->max_depth = n_rows < CALLTREE_MAX_ROWS ? n_rows : CALLTREE_MAX_ROWS;
	}
	if (f->stacks.n_overlaps)
		builder_warn_times(b, WARN_OVERLAP, f->stacks.first_overlap, f->stacks.n_overlaps);
}

void track_filter_add_lanes(struct builder *b, const struct raw_track *track,
			    const struct slice_lanes *made)
{
	struct track_filter *f = track->filter;
	uint32_t first = b->profile->n_lanes;

	if (f->all.n == 0)
		return;
	if (f->has_stacks && !f->queue.is_lost) {
		add_placed_lanes(b, track, made);
	} else {
		const struct extent all = track->filter->all;

		/* Add lanes when the layers of all slices are not known: the kept slices alone make
		 * the lanes. */
		for (size_t i = 0; i < made->n; i++) {
			struct lane *lane = builder_lane_take(b, &made->lanes[i]);
			struct extent own = { .first = lane->t0, .last = lane->t1 };

			fit_lane(lane, track, i == 0 ? &all : &own);
		}
		if (made->n == 0)
			fit_lane(add_empty_lane(b, track), track, &all);
	}
	if (!f->is_survey)
		return;
	b->profile->lanes[first].n_samples = f->all.n;
	b->sources[first].survey = f->survey;
	f->survey = NULL;
}
