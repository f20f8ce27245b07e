/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A V8 profile (.cpuprofile), which has one lane of samples. The members and their order are those
 * of V8. Times stay those of the clock of the file that they came from.
 *
 * Programs give the last sample the average length, but not beyond endTime. If its length is
 * another one, which is usual at the end of a range, one delta more than samples says it. */
#include "config.h"

#include "base/text.h"
#include "write/export/export.h"
#include "write/export/samples_out.h"
#include "write/export/write.h"

#include <inttypes.h>

static const struct samples_out_form form = { .is_script_text = true, .has_all_positions = true };

struct cpu_out {
	struct samples_out samples;
	struct sink *sink;
	struct buf *out;    /* of the sink */
	bool has_end_delta; /* one delta more than samples */
	bool has_root;      /* a sample of the root ends the last one */
};

/* How long a sample of the root at the end is, at least: its end must be later than its begin. */
#define ROOT_NS 1000

static void add_text(struct cpu_out *o, const char *name, str_id text)
{
	const struct profile *p = o->samples.profile;

	buf_addf(o->out, "\"%s\":\"", name);
	text_json(o->out, profile_text(p, text), intern_len(&p->strings, text));
	buf_addc(o->out, '"');
}

/* What flametty run writes about process and thread stays. */
static void add_identity(struct cpu_out *o)
{
	const struct lane *lane = o->samples.lane;

	if (!lane->has_parent)
		return;
	buf_adds(o->out, "\"flametty\":{");
	add_text(o, "process", lane->process_name);
	buf_addf(o->out, ",\"parent\":%" PRId64, lane->parent_pid);
	if (lane->thread_name) {
		buf_addc(o->out, ',');
		add_text(o, "thread", lane->thread_name);
	}
	buf_adds(o->out, "},");
}

static void add_nodes(struct cpu_out *o)
{
	struct samples_out *s = &o->samples;

	buf_addc(o->out, '{');
	add_identity(o);
	buf_adds(o->out, "\"nodes\":[");
	for (node_id i = 0; i < s->lane->tree.n && sink_step(o->sink); i++) {
		if (!s->id[i])
			continue;
		if (i != NODE_ROOT)
			buf_addc(o->out, ',');
		samples_out_node(s, i, &form, o->out);
	}
	if (samples_out_has_gc_node(s)) {
		buf_addc(o->out, ',');
		samples_out_gc_node(s, &form, o->out);
	}
	buf_addc(o->out, ']');
}

/* Whether the end of the last sample follows from the other times: see the head of this file. */
static bool is_end_plain(const struct samples_out *s)
{
	int64_t n = (int64_t)(s->end - s->first), first, last, average;

	first = samples_out_time(s, s->first);
	last = samples_out_time(s, s->end - 1);
	if (n == 1)
		return s->is_whole && s->end_of_last == s->t1 && s->t1 > last;
	average = (last - first + (n - 1) / 2) / (n - 1);
	/* DevTools itself does not cut its tables there, but only what it draws. */
	if (s->is_whole && s->t1 > last && s->t1 - last < average)
		average = s->t1 - last;
	return s->end_of_last - last == average;
}

static void add_samples(struct cpu_out *o)
{
	const struct samples_out *s = &o->samples;
	int64_t before = s->t0;

	buf_adds(o->out, ",\"samples\":[");
	for (size_t i = s->first; i < s->end && sink_step(o->sink); i++) {
		if (i > s->first)
			buf_addc(o->out, ',');
		write_integer(o->out, samples_out_id(s, i));
	}
	if (o->has_root) {
		buf_addc(o->out, ',');
		write_integer(o->out, s->id[NODE_ROOT]);
	}
	buf_adds(o->out, "],\"timeDeltas\":[");
	for (size_t i = s->first; i < s->end && sink_step(o->sink); i++) {
		int64_t t = samples_out_time(s, i);

		if (i > s->first)
			buf_addc(o->out, ',');
		write_us(o->out, t - before);
		before = t;
	}
	if (o->has_root || o->has_end_delta) {
		buf_addc(o->out, ',');
		write_us(o->out, s->end_of_last - before);
	}
	buf_addc(o->out, ']');
}

static void cpuprofile_write(const struct profile *p, const struct export_options *options,
			     struct sink *sink)
{
	struct cpu_out o = { .sink = sink, .out = sink_buf(sink) };
	struct scope scope = options->scope;
	int64_t zero, end;

	/* The whole profile includes samples of no length at its very end. */
	scope.t1 += scope.t1 == p->t1;
	if (options->lane >= p->n_lanes ||
	    !samples_out_init(&o.samples, p, &p->lanes[options->lane], &scope))
		return;
	zero = o.samples.lane->zero_ns;
	if (o.samples.end > o.samples.first && !is_end_plain(&o.samples)) {
		o.has_end_delta = o.samples.is_whole;
		o.has_root = !o.samples.is_whole;
	}
	end = o.samples.t1;
	if (o.has_root && end < o.samples.end_of_last + ROOT_NS)
		end = o.samples.end_of_last + ROOT_NS;
	add_nodes(&o);
	buf_adds(o.out, ",\"startTime\":");
	write_us(o.out, zero + o.samples.t0);
	if (end >= 0) {
		buf_adds(o.out, ",\"endTime\":");
		write_us(o.out, zero + end);
	}
	if (o.samples.end > o.samples.first)
		add_samples(&o);
	buf_adds(o.out, "}\n");
	samples_out_done(&o.samples);
}

const struct export_format export_cpuprofile = {
	.name = "cpuprofile",
	.help = "a V8 profile, of one thread; of several with a directory as FILE",
	.opens = "Chrome DevTools (Performance), VS Code, speedscope.app",
	.extension = "cpuprofile",
	.is_by_lane = true,
	.is_of_times = true,
	.write = cpuprofile_write,
};
