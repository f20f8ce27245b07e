/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the texts of an event stand for. Events are taken apart on one thread, and this runs on
 * another one, which keeps them (base/json/list_walk.h). */
#include "config.h"

#include "read/trace/trace.h"

#include "base/buf.h"

#include <string.h>

text_id trace_resolve_category(struct trace *t, const struct trace_event *e)
{
	return e->cat_text.len ? trace_text_raw(&t->texts, e->cat_text, e->is_cat_escaped) : 0;
}

unsigned trace_resolve_color(const struct trace_event *e)
{
	struct str name = e->cname;
	struct buf decoded = { 0 };
	unsigned color;

	if (memchr(name.p, '\\', name.len) && json_tree_decode(name.p - 1, name.len + 2, &decoded))
		name = (struct str){ buf_text(&decoded), decoded.len };
	color = frame_color_find(name.p, name.len);
	buf_done(&decoded);
	return color;
}

static bool resolve_id(struct trace *t, struct str text, int64_t *id)
{
	text_id name = text.len ? trace_text_raw(&t->texts, text, memchr(text.p, '\\', text.len))
				: 0;

	*id = TRACE_TEXT_ID + (int64_t)name;
	return name != 0;
}

void trace_resolve_event(struct trace *t, struct trace_event *e)
{
	e->name = e->name_text.len ? trace_text_raw(&t->texts, e->name_text, e->is_name_escaped)
				   : 0;
	if ((e->has & HAS_PID_TEXT) && resolve_id(t, e->pid_text, &e->pid))
		e->has |= HAS_PID;
	if ((e->has & HAS_TID_TEXT) && resolve_id(t, e->tid_text, &e->tid))
		e->has |= HAS_TID;
}
