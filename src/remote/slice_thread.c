/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice is begun by console.profile(TITLE) and ended by console.profileEnd(TITLE), which sends
 * the profile as an event. Two titles take turns. At a change both calls are sent at once: begin
 * the next, end the last. Calls of a thread run in their order, so the two slices overlap by the
 * time of one call.
 *
 * Where `console` was replaced by the program, no slice begins: then Profiler.start and
 * Profiler.stop are used, which lose the time between two slices.
 *
 * A heap profile is one slice, from the first call to the last. It has what was allocated, also
 * what was collected since. */
#include "config.h"

#include "remote/slice_thread.h"

#include "base/clock.h"
#include "remote/evaluate.h"

#include <stdio.h>

#define SEND_MS 2000

static int64_t call(struct slice_thread *t, const char *method, const char *params,
		    struct error *err)
{
	return inspector_send(t->inspector, t->session, method, params,
			      connection_deadline(SEND_MS), err);
}

static int64_t evaluate(struct slice_thread *t, enum expression expression, struct error *err)
{
	return evaluate_send(t->inspector, t->session, expression, connection_deadline(SEND_MS),
			     err);
}

static void expect(struct slice_thread *t)
{
	if (t->asked_ns == 0)
		t->asked_ns = clock_ns();
}

bool slice_thread_set_up(struct slice_thread *t, int64_t interval_us, struct error *err)
{
	char params[64];

	if (t->heap_bytes)
		return slice_thread_begin(t, err);
	snprintf(params, sizeof params, "{\"interval\":%lld}", (long long)interval_us);
	return call(t, "Profiler.enable", "{}", err) != 0 &&
		call(t, "Profiler.setSamplingInterval", params, err) != 0 &&
		slice_thread_begin(t, err);
}

static bool begin_heap(struct slice_thread *t, struct error *err)
{
	char params[160];

	snprintf(params, sizeof params,
		 "{\"samplingInterval\":%lld,\"includeObjectsCollectedByMajorGC\":true,"
		 "\"includeObjectsCollectedByMinorGC\":true}",
		 (long long)t->heap_bytes);
	t->is_plain = true;
	return call(t, "HeapProfiler.startSampling", params, err) != 0;
}

bool slice_thread_begin(struct slice_thread *t, struct error *err)
{
	t->began_ns = clock_ns();
	expect(t);
	if (t->heap_bytes)
		return begin_heap(t, err);
	if (t->is_plain)
		return call(t, "Profiler.start", "{}", err) != 0;
	t->id_begin = evaluate(t, t->turn ? EVALUATE_BEGIN_B : EVALUATE_BEGIN_A, err);
	return t->id_begin != 0;
}

static bool end(struct slice_thread *t, int turn, struct error *err)
{
	expect(t);
	if (t->is_plain) {
		t->id_stop = call(t, t->heap_bytes ? "HeapProfiler.stopSampling" : "Profiler.stop",
				  "{}", err);
		return t->id_stop != 0;
	}
	t->is_ending[turn] = true;
	return evaluate(t, turn ? EVALUATE_END_B : EVALUATE_END_A, err) != 0;
}

bool slice_thread_change(struct slice_thread *t, struct error *err)
{
	int last = t->turn;

	if (t->is_plain)
		return end(t, last, err) && slice_thread_begin(t, err);
	t->turn = !t->turn;
	return slice_thread_begin(t, err) && end(t, last, err);
}

bool slice_thread_end_all(struct slice_thread *t, struct error *err)
{
	if (t->is_plain) {
		if (t->has_ended || t->id_stop != 0)
			return true;
		t->has_ended = true;
		return end(t, 0, err);
	}
	for (int turn = 0; turn < 2; turn++)
		if (t->is_open[turn] && !t->is_ending[turn] && !end(t, turn, err))
			return false;
	return true;
}

bool slice_thread_is_quiet(const struct slice_thread *t)
{
	return t->id_begin == 0 && t->id_stop == 0 && !t->is_ending[0] && !t->is_ending[1];
}

bool slice_thread_has_ended(const struct slice_thread *t)
{
	return slice_thread_is_quiet(t) &&
		(t->is_plain ? t->has_ended : !t->is_open[0] && !t->is_open[1]);
}
