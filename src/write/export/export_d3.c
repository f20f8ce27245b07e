/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nested objects of d3-flame-graph (https://github.com/spiermar/d3-flame-graph, input format):
 * name, value and children; value is the total time in microseconds (bytes or counts as they are).
 * The other members are those of cpuprofile-to-flamegraph (executionTime, nodeModule), the place of
 * a function, a number of the object, and hits: samples with the function on top, or slices.
 *
 * Children stand in the order of time, each call by itself, below their lane if there are several.
 * What has no times, and --merged, is one tree of all lanes, in the order of the call tree. */
#include "config.h"

#include "write/export/export.h"
#include "write/report/json_out.h"

#include "analyse/totals.h"
#include "base/alloc.h"

#include <stdlib.h>

struct d3_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct json_writer w;
	struct view view;
	struct totals totals;
	uint64_t *hits;          /* by node of the view */
	int64_t n_ids;           /* of objects so far */
	const struct lane *lane; /* in the order of time */
	struct d3_call {
		int depth;
		int64_t ns, below; /* its time, and that of the calls below it */
	} * open;
	size_t n_open, cap_open;
};

static bool is_idle(const struct d3_out *o, node_id node)
{
	return !o->options->scope.has_idle &&
		o->view.frames[o->view.tree->frame[node]].category == CATEGORY_IDLE;
}

/* The nearest caller that has an object. */
static node_id caller_of(const struct d3_out *o, node_id node)
{
	do
		node = o->view.tree->parent[node];
	while (node != NODE_ROOT && is_idle(o, node));
	return node;
}

/* The member that only times have. */
static struct json_item time_of(const struct d3_out *o, int64_t ns)
{
	return json_if(amount_is_time(&o->profile->unit), json_us("executionTime", ns));
}

/* Begin the object of a function, up to its list of children. `self` follows that if it is -1. */
static void begin_node(struct d3_out *o, const struct frame *f, int64_t ns, int64_t self,
		       uint64_t hits)
{
	const struct profile *p = o->profile;

	o->n_ids++;
	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
		 json_integer("id", o->n_ids), json_out_text("name", p, f->name),
		 json_out_value(p, "value", ns), time_of(o, ns),
		 json_if(self >= 0, json_out_value(p, "self", self)),
		 json_integer("hits", (int64_t)hits),
		 json_if(f->package, json_out_text("nodeModule", p, f->package)),
		 json_if(f->url, json_out_text("url", p, f->url)),
		 json_if(f->line > 0, json_integer("line", f->line)),
		 json_if(f->column > 0, json_integer("column", f->column)),
		 json_string("category", category_name(f->category)), json_begin("children", "["));
}

/* ---- in the order of time ---- */

/* Lanes, and the whole, have the depth -1, and the time of the calls below them. */
static void close_calls(struct d3_out *o, size_t n)
{
	while (o->n_open > n) {
		struct d3_call *c = &o->open[--o->n_open];

		c->ns = c->depth < 0 ? c->below : c->ns;
		json_put(
			&o->w, json_end("]"),
			json_if(c->depth < 0, json_out_value(o->profile, "value", c->ns)),
			json_if(c->depth < 0, time_of(o, c->ns)),
			json_out_value(o->profile, "self", c->ns > c->below ? c->ns - c->below : 0),
			json_end("}"));
		if (o->n_open && c->depth < 0)
			c[-1].below += c->ns;
	}
}

static void open_call(struct d3_out *o, int depth, int64_t ns)
{
	*ARRAY_ADD(o->open, o->n_open, o->cap_open) = (struct d3_call){ .depth = depth, .ns = ns };
}

static bool add_call(void *ctx, const struct span *span)
{
	struct d3_out *o = ctx;
	const struct frame *f = profile_node_frame(o->profile, o->lane, span->node);
	bool is_slice = o->lane->kind == LANE_SLICES, is_left;
	uint64_t hits = is_slice;
	size_t n = o->n_open;

	while (n && o->open[n - 1].depth >= span->depth)
		n--;
	close_calls(o, n);
	is_left = !o->options->scope.has_idle && f->category == CATEGORY_IDLE;
	if (!is_left || o->open[n - 1].depth >= 0)
		o->open[n - 1].below += span->t1 - span->t0;
	if (is_left)
		return true;
	for (size_t i = span->first; !is_slice && i < span->end; i++)
		hits += o->lane->samples.leaf[i] == span->node;
	begin_node(o, f, span->t1 - span->t0, -1, hits);
	open_call(o, span->depth, span->t1 - span->t0);
	return sink_step(o->sink);
}

static void open_group(struct d3_out *o, const char *name)
{
	o->n_ids++;
	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
		 json_integer("id", o->n_ids), json_string("name", name),
		 json_begin("children", "["));
	open_call(o, -1, 0);
}

/* Whether all lanes have an order of time, and no time that is counted twice. */
static bool has_order(const struct lane **lanes, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (!lanes[i]->has_timeline || lanes[i]->slice_time)
			return false;
	return true;
}

/* ---- merged ---- */

/* Nodes are in preorder: a node closes those that it is not below. */
static void add_nodes(struct d3_out *o)
{
	const struct calltree *tree = o->view.tree;
	node_id open = NODE_ROOT;

	for (node_id i = 1; i < tree->n && sink_step(o->sink);) {
		/* What is above idle time, garbage collection, takes the place of the idle time. */
		if (o->totals.total[i] <= 0 || is_idle(o, i)) {
			i = is_idle(o, i) ? i + 1 : tree->end[i];
			continue;
		}
		for (; !calltree_is_below(tree, i, open); open = caller_of(o, open))
			json_put(&o->w, json_end("]}"));
		begin_node(o, &o->view.frames[tree->frame[i]], o->totals.total[i],
			   o->totals.self[i], o->hits[i]);
		open = i++;
	}
	for (; open != NODE_ROOT; open = caller_of(o, open))
		json_put(&o->w, json_end("]}"));
}

static bool count_slice(void *ctx, const struct span *span)
{
	++((uint64_t *)ctx)[span->node];
	return true;
}

static void write_tree(struct d3_out *o)
{
	const struct scope *scope = &o->options->scope;
	int64_t whole;

	totals_init(&o->totals, &o->view);
	totals_compute(&o->totals, scope->t0, scope->t1);
	whole = o->totals.sampled_ns - (scope->has_idle ? 0 : o->totals.idle_ns);
	o->n_ids++;
	json_put(&o->w, json_begin(NULL, "{"), json_integer("id", o->n_ids),
		 json_string("name", "all"), json_out_value(o->profile, "value", whole),
		 time_of(o, whole), json_integer("self", 0), json_begin("children", "[\n"));
	if (o->view.tree && o->view.tree->n) {
		/* Count samples on top of their stacks, or slices. */
		o->hits = xcalloc((size_t)o->view.tree->n + 1, sizeof *o->hits);
		for (uint32_t k = 0; k < o->view.n_sources; k++) {
			const struct lane *lane = o->view.sources[k].lane;
			ALLOC_LOCAL uint64_t *of = xcalloc((size_t)lane->tree.n + 1, sizeof *of);

			if (lane->kind == LANE_SLICES)
				cut_each_span(lane, scope->t0, scope->t1, true, count_slice, of);
			for (size_t i = 0; lane->kind != LANE_SLICES && i < lane->samples.n; i++)
				of[lane->samples.leaf[i]] += samples_time(&lane->samples, i) <
						scope->t1 &&
					samples_time(&lane->samples, i + 1) > scope->t0;
			for (node_id i = 0; i < lane->tree.n; i++) {
				node_id to = view_node(&o->view, k, i);

				if (to < o->view.tree->n)
					o->hits[to] += of[i];
			}
		}
		add_nodes(o);
	}
	json_put(&o->w, json_end("\n]}\n"));
	totals_done(&o->totals);
	free(o->hits);
}

static void d3_write(const struct profile *p, const struct export_options *options,
		     struct sink *sink)
{
	uint32_t n;
	ALLOC_LOCAL const struct lane **lanes = cut_lanes(p, &n);
	struct d3_out o = { .profile = p,
			    .options = options,
			    .sink = sink,
			    .w = { .out = sink_buf(sink) } };

	if (!options->is_merged && has_order(lanes, n)) {
		const struct scope *scope = &o.options->scope;
		BUF_LOCAL name = { 0 };

		open_group(&o, "all");
		for (uint32_t i = 0; i < n && sink_step(o.sink); i++) {
			o.lane = lanes[i];
			buf_clear(&name);
			export_full_name(o.profile, o.lane, &name);
			if (n > 1)
				open_group(&o, buf_text(&name));
			cut_each_span(o.lane, scope->t0, scope->t1, false, add_call, &o);
			close_calls(&o, 1);
		}
		close_calls(&o, 0);
		json_put(&o.w, json_end("\n"));
		free(o.open);
	} else if (view_init(&o.view, p, lanes, n)) {
		write_tree(&o);
	} else {
		struct error err = ERROR_INIT;

		view_too_large(&err);
		sink_fail(sink, &err);
	}
	view_done(&o.view);
}

const struct export_format export_d3 = {
	.name = "d3",
	.help = "nested name, value, children, as d3-flame-graph reads them",
	.opens = "d3-flame-graph",
	.write = d3_write,
};
