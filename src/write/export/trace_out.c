/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The members that depend on the frame are made once per frame and kept: many events have the same
 * frame. */
#include "config.h"

#include "write/export/trace_out.h"

#include "write/export/write.h"

#include <inttypes.h>

void trace_out_begin(struct trace_out *o, const char *phase)
{
	const struct place *place = &o->places[o->lane];

	buf_adds(o->out, o->is_later ? ",\n{\"ph\":\"" : "{\"ph\":\"");
	o->is_later = true;
	buf_adds(o->out, phase);
	buf_adds(o->out, "\",\"pid\":");
	write_integer(o->out, place->pid);
	buf_adds(o->out, ",\"tid\":");
	write_integer(o->out, place->tid);
}

void trace_out_time(struct trace_out *o, int64_t t)
{
	buf_adds(o->out, ",\"ts\":");
	write_us(o->out, t + o->base);
}

/* Make the members of a frame. */
static void make_text(struct trace_out *o, frame_id id)
{
	const struct profile *p = o->profile;
	const struct frame *f = profile_frame(p, id);
	struct buf *t = &o->texts;

	o->text_of[id].at = t->len;
	buf_adds(t, ",\"name\":");
	write_string(t, p, f->name);
	buf_addf(t, ",\"cat\":\"%s\"", category_name(f->category));
	if (f->url) {
		buf_adds(t, ",\"args\":{\"url\":");
		write_string(t, p, f->url);
		if (f->line > 0)
			buf_addf(t, ",\"line\":%" PRId32, f->line);
		if (f->column > 0)
			buf_addf(t, ",\"column\":%" PRId32, f->column);
		buf_addc(t, '}');
	}
	o->text_of[id].len = t->len - o->text_of[id].at;
}

void trace_out_frame(struct trace_out *o, frame_id frame)
{
	if (o->text_of[frame].len == 0)
		make_text(o, frame);
	buf_add(o->out, o->texts.data + o->text_of[frame].at, o->text_of[frame].len);
}
