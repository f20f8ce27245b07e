/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A slice is begun by Profiler.start and ended by Profiler.stop, which answers with the profile.
 * Both work also while the program ends, when nothing can be evaluated any more.
 *
 * V8 gives its sampler up when no recording is left, and needs long to make another one. So a
 * second recording runs from before the end of a slice until after the beginning of the next:
 * console.profile(TITLE), console.profileEnd(TITLE), which sends its profile as an event. It has
 * the samples of the time between the two. At a change all four calls are sent at once; those of a
 * thread run in their order.
 *
 * Where `console` was replaced by the program, that time is lost.
 *
 * A worker that ends takes its last slice with it. It must not be made to wait for us as the main
 * thread does (NodeRuntime.notifyWhenWaitingForDisconnect): process.exit() joins the workers while
 * nothing passes our messages on to them, and the process hangs for ever (Node.js 18 to 24).
 *
 * A heap profile is one slice, from the first call to the last. It has what was allocated, also
 * what was collected since. */
#include "config.h"

#include "record/remote/slice_thread.h"

#include "base/clock.h"
#include "record/remote/inspector.h"

#include <stdio.h>
#include <string.h>

#define SEND_MS 2000

const char *slice_thread_name(const char *title)
{
	const char *bracket = strstr(title, "] ");

	if (*title != '[')
		return title;
	return bracket ? bracket + 2 : "";
}

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

static int64_t begin_heap(struct slice_thread *t, struct error *err)
{
	char params[160];

	snprintf(params, sizeof params,
		 "{\"samplingInterval\":%lld,\"includeObjectsCollectedByMajorGC\":true,"
		 "\"includeObjectsCollectedByMinorGC\":true}",
		 (long long)t->heap_bytes);
	return call(t, "HeapProfiler.startSampling", params, err);
}

bool slice_thread_begin(struct slice_thread *t, struct error *err)
{
	t->began_ns = clock_ns();
	expect(t);
	t->id_begin = t->heap_bytes ? begin_heap(t, err) : call(t, "Profiler.start", "{}", err);
	return t->id_begin != 0;
}

bool slice_thread_change(struct slice_thread *t, struct error *err)
{
	bool has_bridge = !t->has_no_bridge;

	expect(t);
	if (has_bridge && (t->id_bridge = evaluate(t, EVALUATE_BRIDGE, err)) == 0)
		return false;
	t->id_stop = call(t, "Profiler.stop", "{}", err);
	if (t->id_stop == 0 || !slice_thread_begin(t, err))
		return false;
	if (has_bridge)
		t->id_bridge_end = evaluate(t, EVALUATE_BRIDGE_END, err);
	return !has_bridge || t->id_bridge_end != 0;
}

bool slice_thread_end(struct slice_thread *t, struct error *err)
{
	if (t->is_ending)
		return true;
	t->is_ending = true;
	expect(t);
	t->id_last = call(t, t->heap_bytes ? "HeapProfiler.stopSampling" : "Profiler.stop", "{}",
			  err);
	return t->id_last != 0;
}

bool slice_thread_is_quiet(const struct slice_thread *t)
{
	return t->id_begin == 0 && t->id_stop == 0 && t->id_last == 0 && t->id_bridge == 0 &&
		t->id_bridge_end == 0;
}

bool slice_thread_has_ended(const struct slice_thread *t)
{
	return t->is_ending && slice_thread_is_quiet(t);
}
