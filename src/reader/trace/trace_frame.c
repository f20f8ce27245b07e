/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of slices and marks: each text has one of each, which is made when the text is first used
 * as such a name. The colour name (cname) of that first use stays. */
#include "config.h"

#include "reader/trace/trace.h"

#include "base/buf.h"

frame_id trace_frame_of(struct trace *t, text_id name, struct str cname)
{
	struct trace_text *text = &t->texts.all[name];

	if (text->frame == FRAME_NONE)
		text->frame = name
			? track_builder_frame(t->b, text->p, text->len, cname.p, cname.len)
			: track_builder_frame(t->b, "(unnamed)", 9, NULL, 0);
	return text->frame;
}

frame_id trace_frame_of_mark(struct trace *t, text_id name)
{
	struct trace_text *text = &t->texts.all[name];

	if (text->mark == FRAME_NONE)
		text->mark = track_builder_mark(t->b, name ? text->p : "", text->len);
	return text->mark;
}

text_id trace_frame_name_with(struct trace *t, text_id name, const char *tail)
{
	struct buf both = { 0 };
	text_id id;

	buf_add(&both, trace_text_get(&t->texts, name)->p, trace_text_get(&t->texts, name)->len);
	buf_adds(&both, tail);
	id = trace_text_add(&t->texts, buf_text(&both), both.len);
	buf_done(&both);
	return id;
}
