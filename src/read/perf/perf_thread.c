/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From samples to lanes. A sample lasts until the next one of its thread, if that comes within two
 * intervals; otherwise it lasts one interval, and the thread was not sampled until the next. The
 * interval is that of the event if it counts time, or else the lower quartile of the distances of
 * all samples of a thread: threads that wait have longer distances, and an event that adapts its
 * period begins with shorter ones. */
#include "config.h"

#include "read/perf/perf.h"

#include "base/alloc.h"
#include "base/units.h"
#include "model/build/cpu_builder.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_NOT_PASSED UINT32_MAX

struct perf_thread *perf_thread_find(struct perf *r, const struct perf_head *head)
{
	int64_t cpu = head->tid == 0 ? head->cpu : -1, key[2] = { head->tid, cpu };
	str_id id = intern_add(&r->thread_keys, (const char *)key, sizeof key);
	struct perf_thread *thread;

	/* If texts do not fit, the end of the document is an error. */
	if (id > r->n_threads) {
		r->threads = xgrow(r->threads, &r->cap_threads, r->n_threads + 1,
				   sizeof *r->threads);
		thread = &r->threads[r->n_threads++];
		*thread = (struct perf_thread){ .pid = LANE_NO_ID, .tid = head->tid, .cpu = cpu };
		stack_lane_init(&thread->lane);
	}
	thread = &r->threads[id ? id - 1 : 0];
	thread->comm = intern_add(&r->comms, head->comm.p, head->comm.len);
	if (head->pid != LANE_NO_ID)
		thread->pid = head->pid;
	return thread;
}

void perf_thread_count(struct perf_thread *thread, uint32_t node, int64_t n)
{
	const int64_t most = PROFILE_TIME_MAX / NS_PER_US;
	int64_t *sum;

	if (node >= thread->n_sum) {
		thread->sum = xgrow(thread->sum, &thread->cap_sum, (size_t)node + 1,
				    sizeof *thread->sum);
		thread->hits = xrealloc(thread->hits, thread->cap_sum, sizeof *thread->hits);
		memset(thread->hits + thread->n_sum, 0,
		       (node + 1 - thread->n_sum) * sizeof *thread->hits);
		memset(thread->sum + thread->n_sum, 0,
		       (node + 1 - thread->n_sum) * sizeof *thread->sum);
		thread->n_sum = (size_t)node + 1;
	}
	thread->hits[node] += thread->hits[node] < UINT32_MAX;
	sum = &thread->sum[node];
	*sum = n > most - *sum ? most : *sum + n;
}

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

/* The distance of samples in a thread that is busy. The samples are sorted. */
static int64_t find_interval(const struct perf *r)
{
	int64_t interval = perf_event_interval(r), *distances;
	size_t n = 0;

	if (interval > 0)
		return interval;
	for (size_t i = 0; i < r->n_threads; i++)
		n += r->threads[i].lane.n_samples;
	distances = xmalloc((n + 1) * sizeof *distances);
	n = 0;
	for (size_t i = 0; i < r->n_threads; i++) {
		const struct stack_lane *l = &r->threads[i].lane;

		for (size_t k = 1; k < l->n_samples; k++)
			distances[n++] = l->times[k] - l->times[k - 1];
	}
	qsort(distances, n, sizeof *distances, by_value);
	interval = n ? distances[n / 4] : NS_PER_MS;
	free(distances);
	return interval > 0 ? interval : 1;
}

/* Equal times are not odd: they have six decimals. */
static void sort_samples(struct perf *r, struct stack_lane *l)
{
	size_t n_equal = 0, n;

	for (size_t i = 1; i < l->n_samples; i++)
		n_equal += l->times[i] == l->times[i - 1];
	for (n = stack_lane_sort(l); n > n_equal; n--)
		builder_warn(r->b, WARN_UNSORTED, -1);
}

/* Put samples without a stack where the thread was not sampled. */
static bool add_gaps(struct perf *r, struct stack_lane *l, int64_t interval)
{
	size_t n = l->n_samples;
	uint32_t *samples = l->samples, idle = 0;
	int64_t *times = l->times;

	if (builder_has_idle_gaps(r->b) &&
	    !stack_lane_child(l, 0, perf_frame_idle(r), &idle, r->err))
		return false;
	l->samples = NULL;
	l->times = NULL;
	l->n_samples = l->cap_samples = 0;
	for (size_t i = 0; i < n; i++) {
		stack_lane_sample(l, samples[i], times[i]);
		if (i + 1 < n && (times[i + 1] - times[i]) / 2 > interval)
			stack_lane_sample(l, idle, times[i] + interval);
	}
	l->end_ns = times[n - 1] + interval;
	l->has_end = true;
	free(samples);
	free(times);
	return true;
}

/* Pass the frames that the lane uses. frames: by id, FRAME_NOT_PASSED before and after. */
static void emit(struct perf *r, struct stack_lane *l, uint32_t *frames)
{
	for (uint32_t i = 1; i < l->map.n; i++)
		if (frames[l->map.frame[i]] == FRAME_NOT_PASSED)
			frames[l->map.frame[i]] = perf_frame_pass(r, l->map.frame[i]);
	stack_lane_emit(l, r->b, frames);
	for (uint32_t i = 1; i < l->map.n; i++)
		frames[l->map.frame[i]] = FRAME_NOT_PASSED;
}

/* Pass the occurrences. The builder has the nodes of the lane in their order. */
static void pass_sums(struct perf *r, const struct perf_thread *thread)
{
	const char *event = intern_text(&r->events, r->event);
	const struct cpu_value value = { event,     intern_len(&r->events, r->event),
					 "count",   5,
					 NS_PER_US, 0 };

	cpu_builder_sums(r->b, &value);
	for (size_t i = 1; i < thread->n_sum; i++) {
		cpu_builder_hits(r->b, (uint32_t)i, thread->hits[i]);
		cpu_builder_sum(r->b, (uint32_t)i, thread->sum[i] * NS_PER_US);
	}
}

static bool make_lane(struct perf *r, struct perf_thread *thread, int64_t interval,
		      uint32_t *frames)
{
	size_t n = thread->lane.n_samples;
	bool ok = r->is_count || add_gaps(r, &thread->lane, interval);

	if (!ok)
		return false;
	cpu_builder_begin(r->b);
	if (!r->is_count)
		cpu_builder_taken(r->b, n, interval);
	emit(r, &thread->lane, frames);
	if (r->is_count)
		pass_sums(r, thread);
	buf_clear(&r->text);
	buf_adds(&r->text, intern_text(&r->comms, thread->comm));
	if (thread->cpu >= 0)
		buf_addf(&r->text, " of processor %lld", (long long)thread->cpu);
	cpu_builder_title(r->b, buf_text(&r->text), r->text.len, false);
	ok = cpu_builder_end(r->b, thread->pid, thread->tid, r->err);
	stack_lane_done(&thread->lane);
	return ok;
}

bool perf_thread_lanes(struct perf *r)
{
	int64_t interval;
	uint32_t *frames;
	bool ok = true;

	for (size_t i = 0; i < r->n_threads; i++)
		sort_samples(r, &r->threads[i].lane);
	interval = find_interval(r);
	/* Lanes may use this frame. It is added before they are made. */
	(void)perf_frame_idle(r);
	if (!intern_fits(&r->frames, r->err) || !intern_fits(&r->comms, r->err) ||
	    !intern_fits(&r->thread_keys, r->err))
		return false;
	frames = xmalloc(r->frames.n * sizeof *frames);
	for (size_t i = 0; i < r->frames.n; i++)
		frames[i] = FRAME_NOT_PASSED;
	for (size_t i = 0; i < r->n_threads && ok; i++)
		ok = make_lane(r, &r->threads[i], interval, frames);
	free(frames);
	return ok;
}

void perf_thread_done(struct perf *r)
{
	for (size_t i = 0; i < r->n_threads; i++) {
		stack_lane_done(&r->threads[i].lane);
		free(r->threads[i].sum);
		free(r->threads[i].hits);
	}
	free(r->threads);
	r->threads = NULL;
	r->n_threads = r->cap_threads = 0;
}
