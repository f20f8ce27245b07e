/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Invariants of batches:
 * 1. A batch points into one window. The window moves only while a batch is empty, and then by one
 *    stretch of the stream, which keeps as many stretches as there are batches (STREAM_STRETCHES).
 * 2. Where the window may move further, or to the scanner's own buffer, all batches are kept first.
 * 3. While the second thread keeps objects, the scanner has an error of its own, which only a
 *    failure to read sets. In the end, an error of keeping wins: its place in the file is before
 *    the place that the scanner has reached. */
#include "config.h"

#include "base/json/list_walk.h"

#include <assert.h>

static_assert(STREAM_STRETCHES >= LIST_WALK_BATCHES, "the stream keeps what batches point to");

struct walk {
	const struct list_walk *list;
	struct scan *s;
	struct pipeline *pipeline; /* NULL: both steps on this thread */
	struct error *shared, own;
	size_t n[LIST_WALK_BATCHES]; /* objects in each batch */
	bool is_first;
	bool is_at_object; /* s->p is before the '{' of the next object */
	bool is_last;      /* the list has ended, or reading has failed */
};

static const unsigned char *pass_blanks(const unsigned char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

/* Go to the next object if it begins in the window and nothing odd comes before it. */
static bool find_near(struct walk *w, struct cursor *c)
{
	const unsigned char *p = pass_blanks(c->p);

	if (!w->is_first && *p == ',')
		p = pass_blanks(p + 1);
	else if (!w->is_first && !w->list->is_bare)
		return false;
	if (*p != '{')
		return false;
	c->p = p;
	w->is_first = false;
	return w->is_at_object = true;
}

/* Go to the next element, reading on if necessary. Returns false when there is none. */
static bool find_far(struct walk *w)
{
	struct scan *s = w->s;

	if (!w->list->is_bare)
		return scan_element(s, &w->is_first);
	if (!w->is_first && scan_peek(s) == ',')
		s->p++;
	w->is_first = false;
	return scan_peek(s) == '{';
}

/* Read the next element with the scanner, while the second thread is idle. Returns whether the list
 * goes on. */
static bool read_odd(struct walk *w)
{
	bool goes_on;

	if (w->pipeline) {
		pipeline_drain(w->pipeline);
		w->s->err = w->shared;
	}
	goes_on = w->s->err->kind == ERR_NONE && (w->is_at_object || find_far(w)) &&
		w->list->read(w->list->ctx);
	w->is_at_object = false;
	if (w->pipeline)
		w->s->err = &w->own;
	return goes_on;
}

/* Take the objects of the window into a batch, as long as there are any and it has room. Returns
 * LIST_WALK_TAKEN, or why the object at s->p cannot be taken. One cursor goes through all of them:
 * a copy of s->p and s->end for each object would be loaded as one vector, for which the processor
 * waits until s->p has left its queue of stores, a fifth of the time of small objects. */
static enum list_walk_taken take_near(struct walk *w, unsigned b)
{
	const struct list_walk *list = w->list;
	struct cursor c = { w->s->p, w->s->end, NULL, false };
	const unsigned char *from = c.p;
	int64_t offset = scan_offset(w->s);
	enum list_walk_taken taken = LIST_WALK_TAKEN;
	size_t n = w->n[b];

	while (n < LIST_WALK_MAX && (w->is_at_object || find_near(w, &c))) {
		const unsigned char *object = c.p;

		taken = list->take(list->ctx, b, n, &c, offset + (object - from));
		if (taken != LIST_WALK_TAKEN) {
			c.p = object;
			break;
		}
		w->is_at_object = false;
		n++;
	}
	w->n[b] = n;
	w->s->p = c.p;
	return taken;
}

/* Fill a batch; while it is empty, read what cannot be taken. */
static void fill(struct walk *w, unsigned b)
{
	struct scan *s = w->s;
	bool is_again = false;

	w->n[b] = 0;
	if (w->list->begin)
		w->list->begin(w->list->ctx, b, w->pipeline && !pipeline_is_busy(w->pipeline));
	for (;;) {
		enum list_walk_taken taken = take_near(w, b);
		size_t have = (size_t)(s->end - s->p);
		struct str ahead;

		if (w->n[b] > 0)
			return;
		if (taken == LIST_WALK_CUT && !is_again && have <= STREAM_KEPT) {
			w->is_last = !scan_window(s, have + 1, &ahead);
			is_again = true;
		} else {
			w->is_last = !read_odd(w);
			is_again = false;
		}
		if (w->is_last)
			return;
	}
}

static bool keep_item(void *ctx, unsigned b)
{
	struct walk *w = ctx;

	return w->list->keep(w->list->ctx, b, w->n[b]);
}

static bool help_read(void *ctx)
{
	return stream_help(((struct walk *)ctx)->s->stream);
}

/* Do both steps on this thread until a second one pays. Returns whether the list goes on. */
static bool walk_alone(struct walk *w)
{
	int64_t start = scan_offset(w->s);

	while (!w->s->stream || !stream_leaves_room(w->s->stream, scan_offset(w->s) - start)) {
		fill(w, 0);
		if (!keep_item(w, 0) || w->is_last)
			return false;
	}
	return true;
}

bool list_walk(const struct list_walk *list)
{
	struct walk w = { .list = list, .s = list->s, .is_first = true, .own = ERROR_INIT };

	if (walk_alone(&w)) {
		w.shared = w.s->err;
		w.pipeline = pipeline_start(keep_item, help_read, &w);
		if (w.pipeline)
			w.s->err = &w.own;
		do
			fill(&w, w.pipeline ? pipeline_next(w.pipeline) : 0);
		while ((w.pipeline ? pipeline_pass(w.pipeline) : keep_item(&w, 0)) && !w.is_last);
		pipeline_stop(w.pipeline);
		w.s->err = w.shared;
		if (w.shared->kind == ERR_NONE)
			*w.shared = w.own;
	}
	return w.s->err->kind == ERR_NONE;
}
