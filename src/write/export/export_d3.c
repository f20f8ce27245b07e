/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nested objects of d3-flame-graph (https://github.com/spiermar/d3-flame-graph, input format):
 * name, value and children; value is the total time in microseconds (bytes or counts as they are).
 * The other members are those of cpuprofile-to-flamegraph (executionTime, nodeModule) and the place
 * of a function. All lanes are merged; children stand in the order of the call tree. */
#include "config.h"

#include "write/export/export.h"

#include "analyse/totals.h"
#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct d3_out {
	const struct profile *profile;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out; /* of the sink */
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
static void add_time(struct d3_out *o, int64_t ns)
{
	if (!amount_is_time(&o->profile->unit))
		return;
	buf_adds(o->out, ",\"executionTime\":");
	write_us(o->out, ns);
}

/* Begin the object of a node, up to its list of children. */
static void begin_node(struct d3_out *o, node_id node)
{
	const struct profile *p = o->profile;
	const struct frame *f = &o->view.frames[o->view.tree->frame[node]];

	buf_adds(o->out, "{\"name\":");
	write_string(o->out, p, f->name);
	buf_adds(o->out, ",\"value\":");
	write_value(o->out, o->profile, o->totals.total[node]);
	add_time(o, o->totals.total[node]);
	buf_adds(o->out, ",\"self\":");
	write_value(o->out, o->profile, o->totals.self[node]);
	if (f->package) {
		buf_adds(o->out, ",\"nodeModule\":");
		write_string(o->out, p, f->package);
	}
	if (f->url) {
		buf_adds(o->out, ",\"url\":");
		write_string(o->out, p, f->url);
	}
	if (f->line > 0)
		buf_addf(o->out, ",\"line\":%" PRId32, f->line);
	if (f->column > 0)
		buf_addf(o->out, ",\"column\":%" PRId32, f->column);
	buf_addf(o->out, ",\"category\":\"%s\",\"children\":[", category_name(f->category));
}

/* Nodes are in preorder: a node closes those that it is not below. */
static void add_nodes(struct d3_out *o)
{
	const struct calltree *tree = o->view.tree;
	node_id open = NODE_ROOT;
	bool is_first = true;

	for (node_id i = 1; i < tree->n && sink_step(o->sink);) {
		/* What is above idle time, garbage collection, takes the place of the idle time. */
		if (o->totals.total[i] <= 0 || is_idle(o, i)) {
			i = is_idle(o, i) ? i + 1 : tree->end[i];
			continue;
		}
		for (; !calltree_is_below(tree, i, open); open = caller_of(o, open)) {
			buf_adds(o->out, "]}");
			is_first = false;
		}
		if (!is_first)
			buf_adds(o->out, ",\n");
		begin_node(o, i);
		is_first = true;
		open = i++;
	}
	for (; open != NODE_ROOT; open = caller_of(o, open))
		buf_adds(o->out, "]}");
}

static void write_tree(struct d3_out *o)
{
	const struct scope *scope = &o->options->scope;
	int64_t whole;

	totals_init(&o->totals, &o->view);
	totals_compute(&o->totals, scope->t0, scope->t1);
	whole = o->totals.sampled_ns - (scope->has_idle ? 0 : o->totals.idle_ns);
	buf_adds(o->out, "{\"name\":\"all\",\"value\":");
	write_value(o->out, o->profile, whole);
	add_time(o, whole);
	buf_adds(o->out, ",\"self\":0,\"children\":[\n");
	if (o->view.tree && o->view.tree->n)
		add_nodes(o);
	buf_adds(o->out, "\n]}\n");
	totals_done(&o->totals);
}

static void d3_write(const struct profile *p, const struct export_options *options,
		     struct sink *sink)
{
	uint32_t n;
	const struct lane **lanes = cut_lanes(p, &n);
	struct d3_out o = { .profile = p, .options = options, .sink = sink, .out = sink_buf(sink) };

	if (view_init(&o.view, p, lanes, n, NULL, 0, GROUP_FUNCTION)) {
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
