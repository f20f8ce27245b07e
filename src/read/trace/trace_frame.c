/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of slices and marks: each text has one of each, which is made when the text is first used
 * as such a name. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/buf.h"

#include <string.h>

/* The name with the event category of `e`, which differs from that of its first event. */
text_id trace_frame_other_name(struct trace *t, const struct trace_event *e)
{
	text_id cat = trace_resolve_category(t, e), id = e->name;

	if (!t->texts.all[id].has_cat) {
		t->texts.all[id].has_cat = true;
		t->texts.all[id].cat = cat;
	}
	while (id && t->texts.all[id].cat != cat)
		id = t->texts.all[id].next;
	if (!id) {
		id = trace_text_twin(&t->texts, e->name);
		if (!id)
			return e->name;
		t->texts.all[id].cat = cat;
	}
	return id;
}

static struct str cat_of(const struct trace *t, const struct trace_text *text)
{
	const struct trace_text *cat = &t->texts.all[text->cat];

	return (struct str){ cat->p, cat->len };
}

frame_id trace_frame_make(struct trace *t, text_id name)
{
	struct trace_text *text = &t->texts.all[name];

	if (text->base) {
		text->frame = track_builder_variant(t->b, trace_frame_of(t, text->base),
						    cat_of(t, text));
		return text->frame;
	}
	text->frame = track_builder_frame(t->b, name ? text->p : "", text->len);
	track_builder_frame_cat(t->b, text->frame, cat_of(t, text));
	return text->frame;
}

frame_id trace_frame_of_mark(struct trace *t, text_id name)
{
	struct trace_text *text = &t->texts.all[name];

	if (text->mark != FRAME_NONE)
		return text->mark;
	if (text->base) {
		text->mark = track_builder_variant(t->b, trace_frame_of_mark(t, text->base),
						   cat_of(t, text));
		return text->mark;
	}
	text->mark = track_builder_mark(t->b, name ? text->p : "", text->len);
	track_builder_frame_cat(t->b, text->mark, cat_of(t, text));
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
