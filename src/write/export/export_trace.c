/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chrome trace events, for DevTools and Perfetto: names first, then lane by lane. An input that is
 * a trace is copied event by event if all of it is exported, because DevTools shows more of an
 * event than a profile keeps. Every event has a category, because some programs detect the format
 * by the first event. A parent is always written before its children, which decides between slices
 * of equal times. */
#include "config.h"

#include "write/export/export.h"
#include "write/export/trace_out.h"
#include "write/export/trace_out_counter.h"
#include "write/export/trace_out_object.h"
#include "write/export/trace_out_samples.h"
#include "write/export/trace_out_spans.h"
#include "write/export/write.h"

#include "base/alloc.h"
#include "base/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MOST 300          /* bytes of a path in an error */
#define FIRST_BESIDE 0x100000u /* profiles in copied events have lower numbers */

/* Whether a lane is in the events of a copied input. */
static bool is_lane_copied(const struct trace_out *o, uint32_t lane)
{
	const struct lane *l = &o->profile->lanes[lane];

	return o->is_copied[l->input] && !l->is_beside_events;
}

/* ---- names ---- */

static void add_name(struct trace_out *o, const char *kind, const char *name, size_t len)
{
	trace_out_begin(o, "M");
	buf_addf(o->out,
		 ",\"ts\":0,\"cat\":\"__metadata\",\"name\":\"%s\",\"args\":{\"name\":", kind);
	write_text(o->out, name, len);
	buf_adds(o->out, "}}");
}

static void add_order(struct trace_out *o, const char *kind, uint32_t order)
{
	trace_out_begin(o, "M");
	buf_addf(
		o->out,
		",\"ts\":0,\"cat\":\"__metadata\",\"name\":\"%s\",\"args\":{\"sort_index\":%" PRIu32
		"}}",
		kind, order);
}

static void name_process(struct trace_out *o, const struct lane *lane)
{
	const struct profile *p = o->profile;
	const char *path = profile_text(p, p->inputs[lane->input].path),
		   *slash = strrchr(path, '/');

	if (lane->process_name)
		add_name(o, "process_name", profile_text(p, lane->process_name),
			 intern_len(&p->strings, lane->process_name));
	else if (lane->pid == LANE_NO_ID)
		add_name(o, "process_name", slash ? slash + 1 : path,
			 strlen(slash ? slash + 1 : path));
	add_order(o, "process_sort_index", o->lane);
}

/* How many layers of its track are before a lane with a thread of its own. */
static uint32_t layer_of(const struct profile *p, uint32_t lane)
{
	uint32_t n = 0;

	while (n < lane && p->lanes[lane - n].is_placed && p->lanes[lane - n].is_joined)
		n++;
	return n;
}

static void name_thread(struct trace_out *o, const struct lane *lane)
{
	const char *samples = o->places[o->lane].is_new && lane->kind == LANE_SAMPLES &&
			!lane->title
		? " (samples)"
		: "";
	uint32_t layer = layer_of(o->profile, o->lane);
	struct buf name = { 0 };

	write_lane_name(o->profile, lane, &name);
	buf_adds(&name, samples);
	if (layer > 0)
		buf_addf(&name, ", layer %" PRIu32, layer + 1);
	add_name(o, "thread_name", buf_text(&name), name.len);
	add_order(o, "thread_sort_index", o->lane);
	buf_done(&name);
}

static bool is_thread(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES) &&
		(!lane->is_joined || lane->is_placed);
}

struct seen {
	int64_t pid, tid;
	uint32_t lane;
};

static int by_place(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->lane > y->lane) - (x->lane < y->lane);
}

/* Whether the copied events of an input may name the thread of a lane. */
static bool is_named(const struct trace_out *o, uint32_t lane)
{
	const struct lane *l = &o->profile->lanes[lane];

	return o->is_copied[l->input] && o->places[lane].pid == l->pid &&
		o->places[lane].tid == l->tid;
}

/* Name each process and each thread once, after its first lane. */
static void add_names(struct trace_out *o)
{
	const struct profile *p = o->profile;
	struct seen *seen = xmalloc((p->n_lanes ? p->n_lanes : 1) * sizeof *seen);
	uint32_t n = 0, last = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (is_thread(&p->lanes[i]) && !is_lane_copied(o, i) && !is_named(o, i))
			seen[n++] = (struct seen){ o->places[i].pid, o->places[i].tid, i };
	if (n)
		qsort(seen, n, sizeof *seen, by_place);
	for (uint32_t i = 0; i < n; i++) {
		bool is_process = i == 0 || seen[i].pid != seen[last].pid,
		     is_same = !is_process && seen[i].tid == seen[last].tid;

		last = i;
		o->lane = seen[i].lane;
		if (is_process)
			name_process(o, &p->lanes[o->lane]);
		if (!is_same)
			name_thread(o, &p->lanes[o->lane]);
	}
	free(seen);
}

/* ---- lanes and flows ---- */

static void add_flows(struct trace_out *o)
{
	static const char
		*const phase[] = { [FLOW_START] = "s", [FLOW_STEP] = "t", [FLOW_END] = "f" };
	const struct profile *p = o->profile;

	for (size_t i = 0; i < p->n_flows && sink_step(o->sink); i++) {
		const struct flow_point *f = &p->flows[i];

		if (f->t < o->options->scope.t0 || f->t >= o->options->scope.t1)
			continue;
		o->lane = f->lane;
		if (o->is_copied[p->lanes[f->lane].input])
			continue;
		trace_out_begin(o, phase[f->kind]);
		trace_out_time(o, f->t);
		buf_adds(o->out, ",\"name\":\"flow\",\"cat\":\"flow\",\"bp\":\"e\",\"id\":");
		write_integer(o->out, f->flow);
		buf_addc(o->out, '}');
	}
}

static void add_lane(struct trace_out *o, const struct lane *lane, unsigned *n_profiles)
{
	switch (lane->kind) {
	case LANE_SAMPLES:
		if (!o->options->is_slices &&
		    (lane->has_timeline || lane->value.type || lane->hits)) {
			trace_out_samples(o, lane, ++*n_profiles);
			break;
		}
		/* fall through */
	case LANE_SLICES:
		trace_out_spans(o, lane);
		break;
	case LANE_ASYNC:
		trace_out_spans_async(o, lane);
		break;
	case LANE_OBJECTS:
		trace_out_object(o, lane);
		break;
	case LANE_MARKS:
		trace_out_spans_marks(o, lane);
		break;
	case LANE_COUNTER:
		trace_out_counter(o, lane);
		break;
	}
}

/* ---- copies ---- */

static bool add_event(void *ctx, const char *event, size_t len)
{
	struct trace_out *o = ctx;

	buf_adds(o->out, o->is_later ? ",\n" : "");
	o->is_later = true;
	buf_add(o->out, event, len);
	return sink_step(o->sink);
}

/* Report that an input cannot be read again. Writing its lanes instead would lose what only its
 * events have, so the export fails. */
static void fail_copy(struct trace_out *o, const char *path, const struct error *why)
{
	struct error err = ERROR_INIT;
	size_t len = strlen(path);

	/* The reason must fit into the text of the error. */
	error_set(&err, why->kind, -1, "%s: %s", len > PATH_MOST ? path + len - PATH_MOST : path,
		  why->text);
	sink_fail(o->sink, &err);
}

static void copy_input(struct trace_out *o, uint32_t input)
{
	const struct profile *p = o->profile;
	const struct input *in = &p->inputs[input];
	struct error err = ERROR_INIT;

	if (o->options->copy(p, input, o->base - in->zero_ns, add_event, o, &err))
		o->is_copied[input] = true;
	else if (err.kind != ERR_UNKNOWN)
		fail_copy(o, profile_text(p, in->path), &err);
}

/* The lanes of a copied input are not written, except those beside its events. What a user hid or
 * labelled names events by their numbers, so that the first input with metadata comes first. */
static void copy_inputs(struct trace_out *o)
{
	const struct profile *p = o->profile;
	uint32_t first = 0;

	if (!o->options->copy || o->options->scope.t0 > 0 || o->options->scope.t1 < p->t1)
		return;
	while (first < p->n_inputs && !p->inputs[first].has_metadata)
		first++;
	if (first < p->n_inputs)
		copy_input(o, first);
	for (uint32_t i = 0; i < p->n_inputs; i++)
		if (i != first)
			copy_input(o, i);
	o->first_copied = first;
}

static bool add_text(void *ctx, const char *text, size_t len)
{
	struct trace_out *o = ctx;

	buf_add(o->out, text, len);
	return sink_step(o->sink);
}

/* Whether a lane of an input is exported. */
static bool has_lane(const struct profile *p, uint32_t input)
{
	for (uint32_t i = 0; i < p->n_lanes; i++)
		if (p->lanes[i].input == input)
			return true;
	return false;
}

/* If the events were made anew, an export without the members is better than none, so that it does
 * not fail if the file was changed or is gone before any member was passed. */
static void copy_members_of(struct trace_out *o, uint32_t input, struct intern *seen)
{
	const struct profile *p = o->profile;
	bool is_copied = o->is_copied[input];
	size_t n = seen->n;
	struct error err = ERROR_INIT;

	if (!o->options->copy_members || (!is_copied && !has_lane(p, input)))
		return;
	if (!o->options->copy_members(p, input, is_copied, o->base - p->inputs[input].zero_ns, seen,
				      add_text, o, &err) &&
	    err.kind != ERR_UNKNOWN && (is_copied || seen->n > n))
		fail_copy(o, profile_text(p, p->inputs[input].path), &err);
}

/* The members of the inputs beside the events. Of several inputs with one member, the first
 * one counts, in the order in which they were copied. */
static void copy_members(struct trace_out *o)
{
	static const char *const own[] = { "displayTimeUnit", "traceEvents" };
	struct intern seen;
	size_t n;

	intern_init(&seen);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		intern_adds(&seen, own[i]);
	/* Without copies, first_copied is 0. */
	if (o->first_copied < o->profile->n_inputs)
		copy_members_of(o, o->first_copied, &seen);
	for (uint32_t i = 0; i < o->profile->n_inputs; i++)
		if (i != o->first_copied)
			copy_members_of(o, i, &seen);
	n = seen.n;
	intern_adds(&seen, "otherData");
	if (seen.n > n)
		buf_adds(o->out,
			 ",\n\"otherData\":{\"exporter\":\"flametty " PACKAGE_VERSION "\"}");
	intern_done(&seen);
}

static void trace_write(const struct profile *p, const struct export_options *options,
			struct sink *sink)
{
	struct export_options own = *options;
	struct trace_out o = { .profile = p, .options = &own, .sink = sink, .out = sink_buf(sink) };
	struct place *places = places_of(p, options->is_slices);
	unsigned n_profiles = 0, n_beside = FIRST_BESIDE;

	/* The whole profile includes events of no length at its very end. */
	own.scope.t1 += own.scope.t1 == p->t1;
	o.places = places;
	o.is_copied = xcalloc(p->n_inputs ? p->n_inputs : 1, sizeof *o.is_copied);
	o.text_of = xcalloc(p->frames.n, sizeof *o.text_of);
	/* Programs that read traces treat time 0 as a missing time. */
	o.base = p->has_own_zero ? 0 : p->origin_ns;
	if (o.base < 1000)
		o.base = NS_PER_MS;
	buf_addf(o.out, "{\"displayTimeUnit\":\"%s\",\n\"traceEvents\":[\n",
		 p->has_ns ? "ns" : "ms");
	copy_inputs(&o);
	add_names(&o);
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i++) {
		o.lane = i;
		if (is_lane_copied(&o, i))
			continue;
		add_lane(&o, &p->lanes[i],
			 o.is_copied[p->lanes[i].input] ? &n_beside : &n_profiles);
	}
	add_flows(&o);
	buf_adds(o.out, "\n]");
	copy_members(&o);
	buf_adds(o.out, "}\n");
	buf_done(&o.texts);
	free(o.text_of);
	free(o.is_copied);
	free(places);
}

const struct export_format export_trace = {
	.name = "trace",
	.help = "Chrome trace events, for DevTools and Perfetto; all files in one",
	.opens = "Chrome DevTools (Performance), ui.perfetto.dev, speedscope.app",
	.is_of_times = true,
	.write = trace_write,
};
