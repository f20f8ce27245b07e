/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of a trace, one after another. An event is taken apart in the scanner's window, where it lies; one that
 * crosses the end of the window is tried again with more of it. Events are taken apart by the batch, then sent
 * to those who keep them; of a long text a second thread does the latter while the next batch is taken
 * apart. What that rests on:
 * 1. A batch holds slices of one window. The window moves only while a batch is empty, and by one stretch of the
 *    stream at most, which keeps as many stretches as there are batches (STREAM_STRETCHES).
 * 2. Where it may move further, or to the scanner's own buffer, all batches are worked off first.
 * 3. Until relay_drain(), all of struct trace but `s` is the second thread's. */
#include "config.h"

#include "reader/trace.h"

#include "base/alloc.h"
#include "base/relay.h"

#include <assert.h>
#include <stdlib.h>

/* An event may hold a whole profile, or a picture. */
#define EVENT_MOST ((size_t)512 << 20)

#define BATCH_MOST 256u

static_assert(STREAM_STRETCHES >= RELAY_ITEMS, "the stream keeps what a batch points to");

enum odd { ODD_NONE, ODD_ELEMENT, ODD_SIZE };

struct batch {
	struct event events[BATCH_MOST];
	size_t n;
	enum odd odd;             /* instead of events: something that is none, passed over */
	int64_t odd_offset, odd_end;
	bool is_last;             /* the list ends here, or reading failed */
};

struct walk {
	struct trace *t;
	struct scan *s;
	bool is_bare;
	bool is_first;
	bool is_at_event;         /* s->p stands before the '{' of the next one */
	struct relay *relay;      /* NULL: one step after the other */
	struct batch *batches;
};

/* ---- taking apart ---- */

static const unsigned char *pass_blanks(const unsigned char *p)
{
	while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')
		p++;
	return p;
}

/* Go on to the next event if it begins in the window, with nothing odd before it. */
static bool find_near(struct walk *w)
{
	const unsigned char *p = pass_blanks(w->s->p);

	if (!w->is_first && *p == ',')
		p = pass_blanks(p + 1);
	else if (!w->is_first && !w->is_bare)
		return false;
	if (*p != '{')
		return false;
	w->s->p = p;
	w->is_first = false;
	return w->is_at_event = true;
}

/* Go on to the next event, reading on; false: there is none, or `odd` is set. */
static bool find_far(struct walk *w, struct batch *b)
{
	struct scan *s = w->s;

	if (w->is_bare) {
		if (!w->is_first && scan_peek(s) == ',')
			s->p++;
		b->is_last = scan_peek(s) != '{';
	} else {
		b->is_last = !scan_element(s, &w->is_first);
	}
	w->is_first = false;
	if (b->is_last)
		return false;
	if (scan_peek(s) == '{')
		return w->is_at_event = true;
	b->odd = ODD_ELEMENT;
	b->odd_offset = scan_offset(s);
	b->is_last = !scan_skip(s);
	b->odd_end = scan_offset(s);
	return false;
}

static void drain(struct walk *w)
{
	if (w->relay)
		relay_drain(w->relay);
}

/* The event at s->p is cut off by the end of the window, in which it has all `have` bytes: have more of it, a little first. */
static bool widen(struct walk *w, size_t have, bool is_again)
{
	struct scan *s = w->s;
	struct slice ahead;
	int64_t offset = scan_offset(s);

	if (is_again || have > STREAM_KEPT)
		drain(w);
	if (!scan_window(s, is_again || have > STREAM_KEPT ? have * 2 : have + 1, &ahead))
		return false;
	if (ahead.len > have)
		return true;
	s->is_cut = true;
	return error_set(s->err, ERR_SYNTAX, offset + (int64_t)have, "the file ends inside an event");
}

static void pass_huge(struct walk *w, struct batch *b)
{
	b->odd = ODD_SIZE;
	b->odd_offset = scan_offset(w->s);
	w->is_at_event = false;
	b->is_last = !scan_skip(w->s);
	b->odd_end = scan_offset(w->s);
}

/* Take apart the event at s->p. False: it does not end in the window, and must not be read on for, as there are
 * others before it; or the batch is at its end. */
static bool add_event(struct walk *w, struct batch *b)
{
	struct scan *s = w->s;
	struct event *e = &b->events[b->n];

	for (bool is_again = false; ; is_again = true) {
		struct cursor c = { s->p, s->end, NULL, false };
		size_t have = (size_t)(s->end - s->p);
		enum parsed parsed = event_parse(&c, e);

		if (parsed == PARSED) {
			e->offset = scan_offset(s);
			s->p = c.p;
			e->end = scan_offset(s);
			w->is_at_event = false;
			b->n++;
			return true;
		}
		if (b->n > 0)
			return false;
		if (parsed == PARSED_BAD)
			b->is_last = !error_set(s->err, ERR_SYNTAX, scan_offset(s) + (c.p - s->p), "%s", c.why);
		else if (have > EVENT_MOST)
			pass_huge(w, b);
		else if (widen(w, have, is_again))
			continue;
		else
			b->is_last = true;
		return false;
	}
}

static void fill(struct walk *w, struct batch *b)
{
	b->n = 0;
	b->odd = ODD_NONE;
	b->is_last = false;
	while (b->n < BATCH_MOST) {
		if (!w->is_at_event && !find_near(w)) {
			if (b->n > 0)
				break;
			drain(w);
			if (!find_far(w, b))
				break;
		}
		if (!add_event(w, b))
			break;
	}
}

/* ---- sending ---- */

static bool send(struct trace *t, struct batch *b)
{
	if (b->odd == ODD_ELEMENT)
		builder_warn(t->b, WARN_ODD_EVENT, b->odd_offset);
	else if (b->odd == ODD_SIZE)
		builder_warn_text(t->b, WARN_ODD_EVENT, b->odd_offset, "too large");
	if (b->odd != ODD_NONE && !b->is_last)
		t->good_end = b->odd_end;
	for (size_t i = 0; i < b->n; i++) {
		struct event *e = &b->events[i];

		event_resolve(t, e);
		t->n_events++;
		if (!trace_event(t, e))
			return false;
		t->good_end = e->end;
	}
	return true;
}

static bool send_item(void *ctx, unsigned item)
{
	struct walk *w = ctx;

	return send(w->t, &w->batches[item]);
}

/* ---- both ---- */

/* One after the other, until the stream reads ahead. Returns false at the end. */
static bool read_alone(struct walk *w)
{
	struct batch *b = &w->batches[0];
	bool goes_on = true;

	while (goes_on && !stream_is_ahead(w->s->stream)) {
		fill(w, b);
		goes_on = send(w->t, b) && !b->is_last;
	}
	return goes_on;
}

/* At the same time. The scanner has an error of its own meanwhile: what came before it may be wrong as well. */
static void read_together(struct walk *w)
{
	struct error own = ERROR_INIT, *both = w->s->err;
	struct batch *b;

	w->relay = relay_start(send_item, w);
	w->s->err = &own;
	do {
		b = &w->batches[w->relay ? relay_next(w->relay) : 0];
		fill(w, b);
	} while ((w->relay ? relay_pass(w->relay) : send(w->t, b)) && !b->is_last);
	relay_stop(w->relay);
	w->s->err = both;
	if (both->kind == ERR_NONE)
		*both = own;
	else
		w->s->is_cut = false;
}

bool trace_events_read(struct trace *t, bool is_bare)
{
	struct walk w = { .t = t, .s = t->s, .is_bare = is_bare, .is_first = true, .batches = xmalloc(RELAY_ITEMS * sizeof *w.batches) };

	t->has_events = true;
	t->good_end = scan_offset(t->s);
	if (read_alone(&w))
		read_together(&w);
	free(w.batches);
	return t->err->kind == ERR_NONE;
}
