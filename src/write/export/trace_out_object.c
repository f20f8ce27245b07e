/* SPDX-License-Identifier: GPL-2.0-or-later */
/* N and D events for the ends of a lifetime, O events for the snapshots below it. Type, scope and
 * id are taken from the names of lane and lifetime (object_name.h). An end that the file does not
 * have is not written; an object of which nothing else would be written gets its N all the same. */
#include "config.h"

#include "write/export/trace_out_object.h"

#include "model/object_name.h"
#include "write/export/cut.h"
#include "write/export/write.h"

#include <string.h>

struct object_out {
	struct trace_out *o;
	const struct lane *lane;
	struct span life; /* if is_open */
	struct object_name name;
	unsigned flags; /* of the lifetime: SLICE_* */
	bool is_open;
	bool is_written; /* an event of it was written */
};

static struct str text_of(const struct profile *p, str_id id)
{
	return (struct str){ profile_text(p, id), intern_len(&p->strings, id) };
}

/* Write an event up to its id. */
static void begin(struct object_out *out, const char *phase, int64_t t, struct str name)
{
	struct trace_out *o = out->o;

	trace_out_begin(o, phase);
	trace_out_time(o, t);
	buf_adds(o->out, ",\"cat\":\"object\",\"name\":");
	write_text(o->out, name.p, name.len);
	if (out->name.scope.len) {
		buf_adds(o->out, ",\"scope\":");
		write_text(o->out, out->name.scope.p, out->name.scope.len);
	}
	if (out->name.id.len) {
		buf_adds(o->out, ",\"id\":");
		write_text(o->out, out->name.id.p, out->name.id.len);
	}
	out->is_written = true;
}

static void add_end(struct object_out *out, const char *phase, int64_t t)
{
	begin(out, phase, t, out->name.type);
	buf_addc(out->o->out, '}');
}

static void close_life(struct object_out *out)
{
	if (!out->is_open)
		return;
	if (!(out->flags & SLICE_UNFINISHED))
		add_end(out, "D", out->life.t1);
	else if (!out->is_written)
		add_end(out, "N", out->life.t0);
	out->is_open = false;
}

static void open_life(struct object_out *out, const struct span *span)
{
	const struct profile *p = out->o->profile;
	size_t slice = slice_of_span(out->lane, span);

	close_life(out);
	out->life = *span;
	out->name = object_name_of(text_of(p, out->lane->title),
				   text_of(p, profile_node_frame(p, out->lane, span->node)->name));
	out->flags = slice == SIZE_MAX ? 0 : slice_flags(&out->lane->slices, slice);
	out->is_open = true;
	out->is_written = false;
	if (!(out->flags & SLICE_NOT_CREATED))
		add_end(out, "N", span->t0);
}

static void add_snapshot(struct object_out *out, const struct span *span)
{
	const struct profile *p = out->o->profile;
	struct buf *b = out->o->out;
	struct str type;

	if (object_name_phase(text_of(p, profile_node_frame(p, out->lane, span->node)->name),
			      &type) != 'O')
		return;
	begin(out, "O", span->t0, type);
	buf_adds(b, ",\"args\":{\"snapshot\":{");
	if (type.len != out->name.type.len || memcmp(type.p, out->name.type.p, type.len) != 0) {
		buf_adds(b, "\"base_type\":");
		write_text(b, out->name.type.p, out->name.type.len);
	}
	buf_adds(b, "}}}");
}

static bool add_span(void *ctx, const struct span *span)
{
	struct object_out *out = ctx;

	if (span->depth == 0)
		open_life(out, span);
	else if (out->is_open)
		add_snapshot(out, span);
	return sink_step(out->o->sink);
}

void trace_out_object(struct trace_out *o, const struct lane *lane)
{
	struct object_out out = { .o = o, .lane = lane };

	cut_each_span(lane, o->options->scope.t0, o->options->scope.t1, true, add_span, &out);
	close_life(&out);
}
