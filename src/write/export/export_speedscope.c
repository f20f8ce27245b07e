/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON of speedscope: an evented profile for each lane, with times in nanoseconds (or bytes, or
 * counts) from the start of the exported range. A slice of no length opens and closes at the same
 * time; what is open then is told by the depth, not by the time. */
#include "config.h"

#include "write/export/export.h"
#include "write/report/json_out.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

struct scope_out {
	const struct profile *profile;
	const struct lane *lane;
	const struct export_options *options;
	struct sink *sink;
	struct json_writer w;
	uint32_t *index; /* by frame: its number in the file, from 1; 0: not used */
	uint32_t n_frames;
	struct open_span {
		node_id node;
		int depth;
		int64_t t1;
	} * open;
	size_t n_open, cap_open;
};

static void add_event(struct scope_out *o, char type, node_id node, int64_t t)
{
	json_put(&o->w, json_begin(NULL, "{"), json_text("type", &type, 1),
		 json_integer("frame", (int64_t)o->index[o->lane->tree.frame[node]] - 1),
		 json_integer("at", amount_number(&o->profile->unit, t - o->options->scope.t0)),
		 json_end("}"));
}

/* Close the open spans of this depth and below. */
static void close_from(struct scope_out *o, int depth)
{
	while (o->n_open && o->open[o->n_open - 1].depth >= depth) {
		const struct open_span *span = &o->open[--o->n_open];

		add_event(o, 'C', span->node, span->t1);
	}
}

static bool open_span(void *ctx, const struct span *span)
{
	struct scope_out *o = ctx;

	close_from(o, span->depth);
	add_event(o, 'O', span->node, span->t0);
	*ARRAY_ADD(o->open, o->n_open, o->cap_open) = (struct open_span){ span->node, span->depth,
									  span->t1 };
	return sink_step(o->sink);
}

static bool is_shown(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES ||
		lane_kind_has_groups(lane->kind)) &&
		lane->samples.n > 0;
}

static void add_frames(struct scope_out *o)
{
	const struct profile *p = o->profile;

	for (uint32_t k = 0; k < p->n_lanes; k++) {
		const struct lane *lane = &p->lanes[k];
		ALLOC_LOCAL uint8_t *is_used = NULL;

		if (!is_shown(lane))
			continue;
		is_used = cut_nodes(p, lane, &o->options->scope);
		for (node_id i = 1; i < lane->tree.n; i++)
			o->index[lane->tree.frame[i]] |= is_used[i];
	}
	for (uint32_t i = 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];

		if (!o->index[i])
			continue;
		o->index[i] = ++o->n_frames;
		json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
			 json_out_text("name", p, f->name),
			 json_if(f->url, json_out_text("file", p, f->url)),
			 json_if(f->line > 0, json_integer("line", f->line)),
			 json_if(f->column > 0, json_integer("col", f->column)), json_end("}"));
		sink_step(o->sink);
	}
}

/* Begin a profile, up to its list of events. */
static void begin_profile(struct scope_out *o, const char *name, size_t len)
{
	static const char *const units[] = { "nanoseconds", "bytes", "none" };
	const struct scope *scope = &o->options->scope;

	json_put(&o->w, json_if(o->w.is_later, json_line(0)), json_begin(NULL, "{"),
		 json_string("type", "evented"), json_text("name", name, len),
		 json_string("unit", units[o->profile->unit.kind]), json_integer("startValue", 0),
		 json_integer("endValue", amount_number(&o->profile->unit, scope->t1 - scope->t0)),
		 json_begin("events", "["));
}

static void add_profile(struct scope_out *o)
{
	const struct scope *scope = &o->options->scope;
	/* The whole profile includes slices of no length at its very end. */
	int64_t end = scope->t1 + (scope->t1 == o->profile->t1);
	BUF_LOCAL name = { 0 };

	export_full_name(o->profile, o->lane, &name);
	begin_profile(o, buf_text(&name), name.len);
	o->n_open = 0;
	cut_each_span(o->lane, scope->t0, end, o->lane->kind != LANE_SAMPLES, open_span, o);
	close_from(o, 0);
	json_put(&o->w, json_end("]}"));
}

static void speedscope_write(const struct profile *p, const struct export_options *options,
			     struct sink *sink)
{
	struct scope_out o = { .profile = p,
			       .options = options,
			       .sink = sink,
			       .w = { .out = sink_buf(sink) } };

	o.index = xcalloc(p->frames.n, sizeof *o.index);
	json_put(&o.w, json_begin(NULL, "{"),
		 json_string("$schema", "https://www.speedscope.app/file-format-schema.json"),
		 json_string("exporter", "flametty " PACKAGE_VERSION), json_line(0),
		 json_begin("shared", "{"), json_begin("frames", "[\n"));
	add_frames(&o);
	json_put(&o.w, json_end("\n]}"), json_line(0), json_begin("profiles", "[\n"));
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i++) {
		o.lane = &p->lanes[i];
		if (is_shown(o.lane))
			add_profile(&o);
	}
	/* The program opens the first profile; it fails where there is none. */
	if (!o.w.is_later) {
		begin_profile(&o, "(no calls)", strlen("(no calls)"));
		json_put(&o.w, json_end("]}"));
	}
	json_put(&o.w, json_end("\n]}\n"));
	free(o.index);
	free(o.open);
}

const struct export_format export_speedscope = {
	.name = "speedscope",
	.help = "speedscope's own JSON, a profile for each lane",
	.opens = "speedscope.app",
	.is_of_stacks = true,
	.write = speedscope_write,
};
