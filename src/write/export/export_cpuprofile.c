/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A V8 profile (.cpuprofile), which has one lane of samples. The members and their order are those
 * of V8. Times stay those of the clock of the file that they came from.
 *
 * Programs give the last sample the average length, but not beyond endTime. If its length is
 * another one, which is usual at the end of a range, one delta more than samples says it. */
#include "config.h"

#include "write/export/export_cpuprofile.h"

#include "analyse/line_times.h"
#include "analyse/scope.h"
#include "base/alloc.h"
#include "model/profile.h"
#include "write/export/export.h"
#include "write/report/json_out.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ==== samples out ====
 *
 * Nodes get numbers in the order of the lane, those out of scope are left out. A whole lane has
 * also what V8 counted for its nodes (hitCount, deoptReason, positionTicks): of a part these are
 * not known, because they have no times. */

static bool is_gc(const struct samples_out *s, node_id node)
{
	return profile_node_frame(s->profile, s->lane, node)->category == CATEGORY_GC;
}

/* Whether the sample is written as a garbage collection on its own, which a reader puts on the
 * stack of the sample before. Several in a row stand on the stack before the first. */
static bool is_gc_on_stack(const struct samples_out *s, size_t i)
{
	const struct samples *samples = &s->lane->samples;
	node_id leaf = samples->leaf[i], below;

	if (i == s->first || leaf == NODE_ROOT || !is_gc(s, leaf))
		return false;
	for (below = samples->leaf[i - 1]; i > s->first && below != NODE_ROOT && is_gc(s, below);)
		below = s->lane->tree.parent[below];
	return s->lane->tree.parent[leaf] == below;
}

/* The nodes that the samples of a part are written with, and their callers. */
static uint8_t *find_used(struct samples_out *s)
{
	const struct calltree *tree = &s->lane->tree;
	uint8_t *is_used;

	if (s->is_whole)
		return cut_nodes(s->profile, s->lane, s->scope);
	is_used = xcalloc(tree->n, 1);
	for (size_t i = s->first; i < s->end; i++) {
		node_id leaf = s->lane->samples.leaf[i];
		bool is_on_stack = is_gc_on_stack(s, i);

		if (is_on_stack)
			s->gc_frame = tree->frame[leaf];
		is_used[is_on_stack ? tree->parent[leaf] : leaf] = 1;
	}
	for (node_id i = tree->n; i-- > 1;)
		is_used[tree->parent[i]] |= is_used[i];
	return is_used;
}

static void number_nodes(struct samples_out *s)
{
	const struct calltree *tree = &s->lane->tree;
	ALLOC_LOCAL uint8_t *is_used = find_used(s);

	s->id = xcalloc((size_t)tree->n + 1, sizeof *s->id);
	for (node_id i = 0; i < tree->n; i++) {
		if (!is_used[i] && i != NODE_ROOT)
			continue;
		s->id[i] = ++s->n_ids;
		if (i == NODE_ROOT || !is_gc(s, i))
			continue;
		if (tree->parent[i] == NODE_ROOT)
			s->gc = s->id[i];
		s->gc_frame = tree->frame[i];
	}
	if (!s->gc && s->gc_frame)
		s->gc = s->id[tree->n] = s->n_ids + 1;
}

/* The reader divides the time to endTime among the hits, also those of the root. If that is not the
 * length that a hit has, the profile had no endTime. */
static bool hits_have_end(const struct lane *lane)
{
	const struct samples *samples = &lane->samples;
	uint32_t first = lane->hits[samples->leaf[0]];
	int64_t sum = 0;

	for (node_id i = 0; i < lane->tree.n; i++)
		sum += lane->hits[i];
	return first && sum &&
		(lane->t1 - lane->t0) / sum ==
		(samples_time(samples, 1) - samples_time(samples, 0)) / first;
}

static void set_range(struct samples_out *s)
{
	const struct lane *lane = s->lane;
	const struct samples *samples = &lane->samples;
	const struct scope *scope = s->scope;

	/* Samples of no length at the ends belong to a whole lane only. */
	s->is_whole = lane->n_left == 0 && scope->t0 <= samples_time(samples, 0) &&
		scope->t1 >= samples_time(samples, samples->n);
	s->first = s->is_whole ? 0 : samples_find(samples, scope->t0);
	s->end = s->is_whole ? samples->n : samples_find(samples, scope->t1 - 1) + 1;
	s->t0 = lane->t0 > scope->t0 ? lane->t0 : scope->t0;
	s->end_of_last = samples_time(samples, s->end) < scope->t1 ? samples_time(samples, s->end)
								   : scope->t1;
	s->t1 = s->end - s->first == 1 ? s->end_of_last
		: lane->t1 < scope->t1 ? lane->t1
				       : scope->t1;
}

bool samples_out_is_there(const struct lane *lane, const struct scope *scope)
{
	const struct samples *samples = &lane->samples;

	if (lane->kind != LANE_SAMPLES || samples->n == 0)
		return false;
	if (!lane->has_timeline && !lane->value.type)
		return lane->hits != NULL;
	return samples_time(samples, 0) < scope->t1 &&
		samples_time(samples, samples->n) > scope->t0;
}

bool samples_out_init(struct samples_out *s, const struct profile *p, const struct lane *lane,
		      const struct scope *scope)
{
	*s = (struct samples_out){ .profile = p, .lane = lane, .scope = scope };
	if (!samples_out_is_there(lane, scope))
		return false;
	/* Sums become samples, one after another. A lane of hits is written whole. */
	if (lane->has_timeline || lane->value.type) {
		set_range(s);
	} else {
		s->is_whole = true;
		s->t0 = s->end_of_last = lane->t0;
		s->t1 = hits_have_end(lane) ? lane->t1 : -1;
	}
	if (s->is_whole && lane->n_ticks) {
		s->ticks = line_times_ticks(lane);
		s->n_ticks = lane->n_ticks;
	}
	number_nodes(s);
	return true;
}

/* ---- nodes ---- */

/* Begin a node; the caller ends it. */
static void begin_node(const struct samples_out *s, uint32_t id, uint32_t parent, frame_id frame,
		       const struct samples_out_form *form, struct json_writer *w)
{
	const struct profile *p = s->profile;
	const struct frame *f = profile_frame(p, frame);
	const char *name = profile_text(p, f->name), *script = profile_text(p, f->script);
	bool is_number = *script && strlen(script) < 10 && script[0] != '0' &&
		strspn(script, "0123456789") == strlen(script);

	json_put(w, json_begin(NULL, "{"), json_integer("id", id),
		 json_if(parent && form->has_parent, json_integer("parent", parent)),
		 json_begin("callFrame", "{"),
		 strcmp(name, "(anonymous)") == 0 ? json_string("functionName", "")
						  : json_out_text("functionName", p, f->name),
		 f->script && (!is_number || form->is_script_text)
			 ? json_out_text("scriptId", p, f->script)
			 : is_number ? json_raw("scriptId", script)
				     : json_raw("scriptId", form->is_script_text ? "\"0\"" : "0"),
		 json_if(f->url || form->has_all_positions, json_out_text("url", p, f->url)),
		 json_if(f->line > 0 || form->has_all_positions,
			 json_integer("lineNumber", f->line > 0 ? f->line - 1 : -1)),
		 json_if(f->column > 0 || form->has_all_positions,
			 json_integer("columnNumber", f->column > 0 ? f->column - 1 : -1)),
		 json_end("}"));
}

static void add_child(struct json_writer *w, bool *is_first, uint32_t id)
{
	json_put(w, json_if(*is_first, json_begin("children", "[")), json_integer(NULL, id));
	*is_first = false;
}

static void add_children(const struct samples_out *s, node_id node, struct json_writer *w)
{
	const struct calltree *tree = &s->lane->tree;
	bool is_first = true;

	for (node_id i = node + 1; i < tree->end[node]; i = tree->end[i])
		if (s->id[i])
			add_child(w, &is_first, s->id[i]);
	if (node == NODE_ROOT && s->id[tree->n])
		add_child(w, &is_first, s->gc);
	json_put(w, json_if(!is_first, json_end("]")));
}

void samples_out_node(struct samples_out *s, node_id i, const struct samples_out_form *form,
		      struct json_writer *w)
{
	const struct calltree *tree = &s->lane->tree;
	bool is_first = true;

	if (i == tree->n) {
		begin_node(s, s->gc, s->id[NODE_ROOT], s->gc_frame, form, w);
		json_put(w, json_end("}"));
		return;
	}
	begin_node(s, s->id[i], i ? s->id[tree->parent[i]] : 0, tree->frame[i], form, w);
	if (s->is_whole && s->lane->hits && s->lane->hits[i])
		json_put(w, json_integer("hitCount", s->lane->hits[i]));
	if (!form->has_parent)
		add_children(s, i, w);
	if (s->is_whole && s->lane->deopt && s->lane->deopt[i])
		json_put(w, json_out_text("deoptReason", s->profile, s->lane->deopt[i]));
	/* The ticks of a node, which come in the order of nodes. Columns of one line are joined. */
	while (s->next_tick < s->n_ticks && s->ticks[s->next_tick].node < i)
		s->next_tick++;
	while (s->next_tick < s->n_ticks && s->ticks[s->next_tick].node == i) {
		int32_t line = s->ticks[s->next_tick].line;
		uint64_t ticks = 0;

		for (; s->next_tick < s->n_ticks && s->ticks[s->next_tick].node == i &&
		     s->ticks[s->next_tick].line == line;
		     s->next_tick++)
			ticks += s->ticks[s->next_tick].ticks;
		json_put(w, json_if(is_first, json_begin("positionTicks", "[")),
			 json_begin(NULL, "{"), json_integer("line", line),
			 json_integer("ticks", (int64_t)ticks), json_end("}"));
		is_first = false;
	}
	json_put(w, json_if(!is_first, json_end("]")));
	json_put(w, json_end("}"));
}

/* ---- samples ---- */

uint32_t samples_out_id(const struct samples_out *s, size_t i)
{
	return is_gc_on_stack(s, i) ? s->gc : s->id[s->lane->samples.leaf[i]];
}

/* ==== export cpuprofile ==== */

static const struct samples_out_form form_cpuprofile = { .is_script_text = true,
							 .has_all_positions = true };

struct cpu_out {
	struct samples_out samples;
	struct sink *sink;
	struct json_writer w;
	bool has_end_delta; /* one delta more than samples */
	bool has_root;      /* a sample of the root ends the last one */
};

/* How long a sample of the root at the end is, at least: its end must be later than its begin. */
#define ROOT_NS 1000

static void add_nodes(struct cpu_out *o)
{
	struct samples_out *s = &o->samples;
	const struct profile *p;
	const struct lane *lane;

	json_put(&o->w, json_begin(NULL, "{"));
	/* What flametty run writes about process and thread stays. */
	p = o->samples.profile;
	lane = o->samples.lane;
	if (lane->has_parent)
		json_put(&o->w, json_begin("flametty", "{"),
			 json_out_text("process", p, lane->process_name),
			 json_integer("parent", lane->parent_pid),
			 json_if(lane->thread_name, json_out_text("thread", p, lane->thread_name)),
			 json_end("}"));
	json_put(&o->w, json_begin("nodes", "["));
	for (node_id i = 0; i <= s->lane->tree.n && sink_step(o->sink); i++)
		if (s->id[i])
			samples_out_node(s, i, &form_cpuprofile, &o->w);
	json_put(&o->w, json_end("]"));
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

	json_put(&o->w, json_begin("samples", "["));
	for (size_t i = s->first; i < s->end && sink_step(o->sink); i++)
		json_put(&o->w, json_integer(NULL, samples_out_id(s, i)));
	json_put(&o->w, json_if(o->has_root, json_integer(NULL, s->id[NODE_ROOT])), json_end("]"),
		 json_begin("timeDeltas", "["));
	for (size_t i = s->first; i < s->end && sink_step(o->sink); i++) {
		int64_t t = samples_out_time(s, i);

		json_put(&o->w, json_us(NULL, t - before));
		before = t;
	}
	json_put(&o->w,
		 json_if(o->has_root || o->has_end_delta, json_us(NULL, s->end_of_last - before)),
		 json_end("]"));
}

static void cpuprofile_write(const struct profile *p, const struct export_options *options,
			     struct sink *sink)
{
	struct cpu_out o = { .sink = sink, .w = { .out = sink_buf(sink) } };
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
	json_put(&o.w, json_us("startTime", zero + o.samples.t0),
		 json_if(end >= 0, json_us("endTime", zero + end)));
	if (o.samples.end > o.samples.first)
		add_samples(&o);
	json_put(&o.w, json_end("}\n"));
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
