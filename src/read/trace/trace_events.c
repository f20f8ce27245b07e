/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the events of a trace one after another (list_walk.h). During the walk only keep() uses
 * struct trace, except for `s`, because it may run on another thread. */
#include "config.h"

#include "read/trace/trace.h"

#include "base/alloc.h"
#include "base/json/list_walk.h"

#include <stdlib.h>

/* An event may contain a whole profile, or a picture. */

struct events {
	struct trace *t;
	struct trace_event batch[LIST_WALK_BATCHES][LIST_WALK_MOST];
};

static enum list_walk_taken take(void *ctx, unsigned b, size_t i, struct cursor *c, int64_t offset)
{
	struct events *events = ctx;
	struct trace_event *e = &events->batch[b][i];

	switch (trace_event_parse(c, e)) {
	case PARSED:
		e->offset = offset;
		e->end = offset + ((const char *)c->p - e->start);
		return LIST_WALK_TAKEN;
	case PARSED_CUT:
		return LIST_WALK_CUT;
	default:
		return LIST_WALK_ODD;
	}
}

static bool keep_one(struct trace *t, struct trace_event *e)
{
	trace_resolve_event(t, e);
	if (t->n_events++ == t->next_entry)
		trace_entry_take(t, e);
	if (!trace_phase_run(t, e))
		return false;
	t->good_end = e->end;
	return true;
}

static bool keep(void *ctx, unsigned b, size_t n)
{
	struct events *events = ctx;

	for (size_t i = 0; i < n; i++)
		if (!keep_one(events->t, &events->batch[b][i]))
			return false;
	return true;
}

static bool pass_odd(struct trace *t, const char *what)
{
	builder_warn_text(t->b, WARN_ODD_EVENT, scan_offset(t->s), what);
	if (!scan_skip(t->s))
		return false;
	t->good_end = scan_offset(t->s);
	return true;
}

/* Read one element. An event that crosses the end of the window is tried again with a larger
 * window. */
static bool read(void *ctx)
{
	struct trace *t = ((struct events *)ctx)->t;
	struct scan *s = t->s;
	struct trace_event e;

	if (scan_peek(s) != '{')
		return pass_odd(t, NULL);
	for (;;) {
		struct cursor c = { s->p, s->end, NULL, false };
		size_t have = (size_t)(s->end - s->p);
		struct str ahead;

		e.offset = scan_offset(s);
		switch (trace_event_parse(&c, &e)) {
		case PARSED:
			e.end = e.offset + (c.p - s->p);
			if (!keep_one(t, &e))
				return false;
			s->p = c.p;
			return true;
		case PARSED_BAD:
			return error_set(s->err, ERR_SYNTAX, e.offset + (c.p - s->p), "%s", c.why);
		case PARSED_CUT:
			break;
		}
		if (have > TRACE_EVENT_MOST / 2)
			return pass_odd(t, "too large");
		if (!scan_window(s, have * 2, &ahead))
			return false;
		if (ahead.len == have) {
			s->is_cut = true;
			return error_set(s->err, ERR_SYNTAX, e.offset + (int64_t)have,
					 "the file ends inside an event");
		}
	}
}

bool trace_events_read(struct trace *t, bool is_bare)
{
	struct events *events = xmalloc(sizeof *events);
	struct list_walk list = { .s = t->s,
				  .is_bare = is_bare,
				  .take = take,
				  .keep = keep,
				  .read = read,
				  .ctx = events };
	bool ok;

	events->t = t;
	t->has_events = true;
	t->good_end = scan_offset(t->s);
	ok = list_walk(&list);
	free(events);
	return ok;
}
