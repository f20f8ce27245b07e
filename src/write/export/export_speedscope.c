/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The JSON of speedscope: an evented profile for each lane, with times in nanoseconds (or bytes, or
 * counts) from the start of the exported range. A slice of no length opens and closes at the same
 * time; what is open then is told by the depth, not by the time. */
#include "config.h"

#include "write/export/export.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct scope_out {
	const struct profile *profile;
	const struct lane *lane;
	const struct export_options *options;
	struct sink *sink;
	struct buf *out;
	uint32_t *index; /* by frame: its number in the file, from 1; 0: not used */
	uint32_t n_frames;
	struct open_span {
		node_id node;
		int depth;
		int64_t t1;
	} * open;
	size_t n_open, cap_open;
	bool is_first;
};

static void add_event(struct scope_out *o, char type, node_id node, int64_t t)
{
	if (!o->is_first)
		buf_addc(o->out, ',');
	o->is_first = false;
	buf_adds(o->out, "{\"type\":\"");
	buf_addc(o->out, type);
	buf_adds(o->out, "\",\"frame\":");
	write_integer(o->out, (int64_t)o->index[o->lane->tree.frame[node]] - 1);
	buf_adds(o->out, ",\"at\":");
	write_integer(o->out, amount_number(&o->profile->unit, t - o->options->scope.t0));
	buf_addc(o->out, '}');
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
	o->open = xgrow(o->open, &o->cap_open, o->n_open + 1, sizeof *o->open);
	o->open[o->n_open++] = (struct open_span){ span->node, span->depth, span->t1 };
	return sink_step(o->sink);
}

static bool is_shown(const struct lane *lane)
{
	return (lane->kind == LANE_SAMPLES || lane->kind == LANE_SLICES ||
		lane_kind_has_groups(lane->kind)) &&
		lane->samples.n > 0;
}

static void mark_frames(struct scope_out *o, const struct lane *lane)
{
	uint8_t *is_used = cut_nodes(o->profile, lane, &o->options->scope);

	for (node_id i = 1; i < lane->tree.n; i++)
		o->index[lane->tree.frame[i]] |= is_used[i];
	free(is_used);
}

static void add_frames(struct scope_out *o)
{
	const struct profile *p = o->profile;

	for (uint32_t k = 0; k < p->n_lanes; k++)
		if (is_shown(&p->lanes[k]))
			mark_frames(o, &p->lanes[k]);
	for (uint32_t i = 1; i < p->frames.n; i++) {
		const struct frame *f = &p->frames.frames[i];

		if (!o->index[i])
			continue;
		o->index[i] = ++o->n_frames;
		buf_adds(o->out, o->n_frames > 1 ? ",\n{\"name\":" : "{\"name\":");
		write_string(o->out, p, f->name);
		if (f->url) {
			buf_adds(o->out, ",\"file\":");
			write_string(o->out, p, f->url);
		}
		if (f->line > 0)
			buf_addf(o->out, ",\"line\":%" PRId32, f->line);
		if (f->column > 0)
			buf_addf(o->out, ",\"col\":%" PRId32, f->column);
		buf_addc(o->out, '}');
		sink_step(o->sink);
	}
}

static const char *unit_name(const struct scope_out *o)
{
	static const char *const names[] = { "nanoseconds", "bytes", "none" };

	return names[o->profile->unit.kind];
}

static void add_profile(struct scope_out *o)
{
	const struct scope *scope = &o->options->scope;
	/* The whole profile includes slices of no length at its very end. */
	int64_t end = scope->t1 + (scope->t1 == o->profile->t1);
	struct buf name = { 0 };

	write_full_name(o->profile, o->lane, &name);
	buf_adds(o->out, "{\"type\":\"evented\",\"name\":");
	write_text(o->out, buf_text(&name), name.len);
	buf_addf(o->out, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[",
		 unit_name(o), amount_number(&o->profile->unit, scope->t1 - scope->t0));
	o->is_first = true;
	o->n_open = 0;
	cut_each_span(o->lane, scope->t0, end, o->lane->kind != LANE_SAMPLES, open_span, o);
	close_from(o, 0);
	buf_adds(o->out, "]}");
	buf_done(&name);
}

/* The program opens the first profile; it fails where there is none. */
static void add_nothing(struct scope_out *o)
{
	const struct scope *scope = &o->options->scope;

	buf_addf(o->out,
		 "{\"type\":\"evented\",\"name\":\"(no calls)\",\"unit\":\"%s\","
		 "\"startValue\":0,\"endValue\":%" PRId64 ",\"events\":[]}",
		 unit_name(o), amount_number(&o->profile->unit, scope->t1 - scope->t0));
}

static void speedscope_write(const struct profile *p, const struct export_options *options,
			     struct sink *sink)
{
	struct scope_out o = { .profile = p,
			       .options = options,
			       .sink = sink,
			       .out = sink_buf(sink) };
	bool is_first = true;

	o.index = xcalloc(p->frames.n, sizeof *o.index);
	buf_adds(
		o.out,
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"flametty " PACKAGE_VERSION
		"\",\n\"shared\":{\"frames\":[\n");
	add_frames(&o);
	buf_adds(o.out, "\n]},\n\"profiles\":[\n");
	for (uint32_t i = 0; i < p->n_lanes && sink_step(sink); i++) {
		o.lane = &p->lanes[i];
		if (!is_shown(o.lane))
			continue;
		if (!is_first)
			buf_adds(o.out, ",\n");
		is_first = false;
		add_profile(&o);
	}
	if (is_first)
		add_nothing(&o);
	buf_adds(o.out, "\n]}\n");
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
