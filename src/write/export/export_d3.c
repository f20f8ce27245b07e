/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nested objects of d3-flame-graph (https://github.com/spiermar/d3-flame-graph, input format):
 * name, value and children; value is the total time in microseconds (bytes or counts as they are).
 * The other members are those of cpuprofile-to-flamegraph (executionTime, nodeModule) and the place
 * of a function. All lanes are merged; children stand in the order of the call tree. */
#include "config.h"

#include "write/export/export.h"
#include "write/report/json_out.h"

#include "analyse/totals.h"

#include <stdlib.h>

struct d3_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct json_writer w;
	struct view view;
	struct totals totals;
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

/* Begin the object of a node, up to its list of children. */
static void begin_node(struct d3_out *o, node_id node)
{
	const struct profile *p = o->profile;
	const struct frame *f = &o->view.frames[o->view.tree->frame[node]];

	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
		 json_out_text("name", p, f->name),
		 json_out_value(p, "value", o->totals.total[node]),
		 time_of(o, o->totals.total[node]), json_out_value(p, "self", o->totals.self[node]),
		 json_if(f->package, json_out_text("nodeModule", p, f->package)),
		 json_if(f->url, json_out_text("url", p, f->url)),
		 json_if(f->line > 0, json_integer("line", f->line)),
		 json_if(f->column > 0, json_integer("column", f->column)),
		 json_string("category", category_name(f->category)), json_begin("children", "["));
}

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
		begin_node(o, i);
		open = i++;
	}
	for (; open != NODE_ROOT; open = caller_of(o, open))
		json_put(&o->w, json_end("]}"));
}

static void write_tree(struct d3_out *o)
{
	const struct scope *scope = &o->options->scope;
	int64_t whole;

	totals_init(&o->totals, &o->view);
	totals_compute(&o->totals, scope->t0, scope->t1);
	whole = o->totals.sampled_ns - (scope->has_idle ? 0 : o->totals.idle_ns);
	json_put(&o->w, json_begin(NULL, "{"), json_string("name", "all"),
		 json_out_value(o->profile, "value", whole), time_of(o, whole),
		 json_integer("self", 0), json_begin("children", "[\n"));
	if (o->view.tree && o->view.tree->n)
		add_nodes(o);
	json_put(&o->w, json_end("\n]}\n"));
	totals_done(&o->totals);
}

static void d3_write(const struct profile *p, const struct export_options *options,
		     struct sink *sink)
{
	uint32_t n;
	const struct lane **lanes = cut_lanes(p, &n);
	struct d3_out o = { .profile = p,
			    .options = options,
			    .sink = sink,
			    .w = { .out = sink_buf(sink) } };

	if (view_init(&o.view, p, lanes, n)) {
		write_tree(&o);
	} else {
		struct error err = ERROR_INIT;

		view_too_large(&err);
		sink_fail(sink, &err);
	}
	view_done(&o.view);
	free(lanes);
}

const struct export_format export_d3 = {
	.name = "d3",
	.help = "nested name, value, children, as d3-flame-graph reads them",
	.opens = "d3-flame-graph",
	.write = d3_write,
};
