/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page goes from the particular to the general: the span, its flows, the event of the file that
 * stated it, its lane, the file with its input notes. The text of an event is read from the file
 * again, because it is not kept in memory. That can take any time: until the text is there, the
 * page says that it is being read, and asks again every PANES_WAIT_MS. */
#include "config.h"

#include "ui/pane/details_page.h"

#include "analyse/label_share.h"
#include "base/buf.h"
#include "base/text.h"
#include "base/units.h"
#include "draw/chart.h"
#include "draw/details.h"
#include "draw/flame/label.h"
#include "draw/lines.h"
#include "model/blocks.h"
#include "model/event_stack.h"
#include "model/lane.h"
#include "model/profile.h"
#include "model/request.h"
#include "ui/chart/select.h"
#include "ui/pane/panes.h"
#include "ui/state.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ==== details lines ====
 *
 * Values begin in one column. Wrapped lines go on below the value. */

/* Borrows all. */
struct details_lines {
	struct app *app;
	struct lines *lines;
	int cols;
};

#define VALUE_MAX 65536 /* bytes of a value that are shown */
#define KEY_CELLS 14

/* Add a heading. */
static void details_lines_head(struct details_lines *p, const char *text)
{
	if (p->lines->n)
		lines_add(p->lines, "", 0, p->cols, 0, false);
	lines_add(p->lines, text, strlen(text), p->cols, 0, true);
}

/* Add `key  value`; the value may be any bytes. The rest of a very long one is counted. */
static void details_lines_pair(struct details_lines *p, const char *key, const char *value,
			       size_t len)
{
	size_t shown = len < VALUE_MAX ? len : VALUE_MAX;
	BUF_LOCAL line = { 0 };

	buf_adds(&line, key);
	for (int i = (int)strlen(key); i < KEY_CELLS; i++)
		buf_addc(&line, ' ');
	/* Not inside a character. */
	for (int i = 0; i < 3 && shown < len && ((unsigned char)value[shown] & 0xC0) == 0x80; i++)
		shown--;
	text_visible(&line, value, shown);
	if (shown < len)
		buf_addf(&line, "\342\200\246 %s more bytes", units_count(len - shown, UNITS_ROOM));
	lines_add(p->lines, buf_text(&line), line.len, p->cols, KEY_CELLS, false);
}

/* The same of a text; nothing if it is empty. */
static void details_lines_text(struct details_lines *p, const char *key, const char *value)
{
	if (*value)
		details_lines_pair(p, key, value, strlen(value));
}

static void details_lines_time(struct details_lines *p, const char *key, int64_t ns)
{
	details_lines_text(p, key, profile_exact(p->app->s.profile, ns, UNITS_ROOM));
}

static void details_lines_count(struct details_lines *p, const char *key, uint64_t n)
{
	details_lines_text(p, key, units_count(n, UNITS_ROOM));
}

/* Add text of several lines, with their indentation. */
static void details_lines_block(struct details_lines *p, const struct buf *text)
{
	const char *at = buf_text(text), *end = at + text->len;

	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((stop ? stop : end) - at);
		int indent = 0;

		while ((size_t)indent < len && at[indent] == ' ')
			indent++;
		lines_add(p->lines, at, len, p->cols, indent + 4, false);
		at += len + 1;
	}
}

/* ==== details event ====
 *
 * An event comes as text, with the stacks that it names. Their frames are in the profile. The steps
 * of a slice are events of their own; each event takes a reading of the file, so that only the
 * first steps have theirs. The others have it when they are selected. */

#define STACK_MAX 200
#define STEPS_SHOWN 8         /* steps of a slice with their events; of others the time */
#define STEPS_MAX 100         /* steps that are listed */
#define STEPS_LOOKED_AT 10000 /* children among which they are found */
#define STEPS_BYTES 65536     /* of events; further steps have none */

/* The frame of an input with an id. Of several the last one counts. */
static const struct stack_frame *find_frame(const struct profile *profile, uint32_t input,
					    struct str id)
{
	for (size_t i = profile->n_stack_frames; i-- > 0;) {
		const struct stack_frame *f = &profile->stack_frames[i];

		if (f->input == input && intern_len(&profile->strings, f->id) == id.len &&
		    memcmp(profile_text(profile, f->id), id.p, id.len) == 0)
			return f;
	}
	return NULL;
}

static const struct stack_frame *caller_of(const struct profile *profile,
					   const struct stack_frame *frame)
{
	for (size_t i = profile->n_stack_frames; i-- > 0;) {
		const struct stack_frame *f = &profile->stack_frames[i];

		if (f->input == frame->input && f->id == frame->parent)
			return f;
	}
	return NULL;
}

static void add_frame(struct details_lines *p, const struct stack_frame *f)
{
	const struct profile *profile = p->app->s.profile;
	BUF_LOCAL line = { 0 };

	buf_adds(&line, profile_text(profile, f->name));
	if (f->category)
		buf_addf(&line, "  (%s)", profile_text(profile, f->category));
	details_lines_pair(p, "", buf_text(&line), line.len);
}

static bool is_among(const struct stack_frame *const *frames, size_t n,
		     const struct stack_frame *frame)
{
	while (n-- > 0)
		if (frames[n] == frame)
			return true;
	return false;
}

/* The frames of a stack from f on, innermost first; is_missing: f would be one, but the file lacks
 * it. */
static void add_callers(struct details_lines *p, const struct stack_frame *f, bool is_missing)
{
	const struct profile *profile = p->app->s.profile;
	const struct stack_frame *seen[STACK_MAX] = { NULL };
	size_t n = 0;

	while (f && n < STACK_MAX && !is_among(seen, n, f)) {
		bool has_caller = f->parent != 0;

		add_frame(p, f);
		seen[n++] = f;
		f = has_caller ? caller_of(profile, f) : NULL;
		is_missing = has_caller && !f;
	}
	if (is_missing)
		details_lines_text(p, "?", "the file has no such stack frame");
	else if (f && n < STACK_MAX)
		details_lines_text(p, "", "\342\200\246 its callers form a cycle");
	else if (f)
		details_lines_text(p, "", "\342\200\246 and further");
}

/* A list has names, or ids of frames; the outermost frame may have callers of its own. */
static void add_list(struct details_lines *p, uint32_t input, const struct buf *stacks,
		     const struct event_stack *stack)
{
	const struct profile *profile = p->app->s.profile;
	size_t least = stack->n > STACK_MAX ? stack->n - STACK_MAX : 0;
	const struct stack_frame *f = NULL;

	for (size_t i = stack->n; i-- > least;) {
		struct str name = event_stack_text(stacks, stack, i);

		f = find_frame(profile, input, name);
		if (f)
			add_frame(p, f);
		else
			details_lines_pair(p, "", name.p, name.len);
	}
	if (least)
		details_lines_text(p, "", "\342\200\246 and further");
	else if (f && f->parent)
		add_callers(p, caller_of(profile, f), !caller_of(profile, f));
}

/* The stacks that an event names; is_end: the event is that of the end of a slice. */
static void add_stacks(struct details_lines *p, uint32_t input, const struct buf *stacks,
		       bool is_end)
{
	const struct stack_frame *f;
	struct event_stack stack;

	for (size_t at = 0; event_stack_next(stacks, &at, &stack);) {
		if (!stack.n)
			continue;
		details_lines_head(p,
				   stack.is_at_end || is_end ? "Stack at its end, innermost first"
							     : "Stack, innermost first");
		if (!stack.is_id) {
			add_list(p, input, stacks, &stack);
			continue;
		}
		f = find_frame(p->app->s.profile, input, event_stack_text(stacks, &stack, 0));
		add_callers(p, f, !f);
	}
}

static void add_event(struct details_lines *p, const struct lane *lane, int64_t offset,
		      const char *title, bool is_end)
{
	const struct event_source *from = &p->app->events;
	BUF_LOCAL text = { 0 }, stacks = { 0 };

	if (offset < 0 || !from->read)
		return;
	if (!from->read(from->ctx, p->app->s.profile, lane->input, offset, &text, &stacks)) {
		p->app->details.is_waiting = true;
		buf_adds(&text, "reading the file\342\200\246");
	}
	details_lines_head(p, title);
	details_lines_block(p, &text);
	add_stacks(p, lane->input, &stacks, is_end);
}

/* Add a step of a slice: its event with name and time as the heading, or a line. */
static void add_step(struct details_lines *p, const struct lane *lane, const struct span *step,
		     int64_t offset)
{
	const struct profile *profile = p->app->s.profile;
	const struct frame *frame = profile_node_frame(profile, lane, step->node);
	BUF_LOCAL title = { 0 };

	text_visible(&title, profile_text(profile, frame->name),
		     intern_len(&profile->strings, frame->name));
	buf_addf(&title, ", at %s", profile_exact(profile, step->t0, UNITS_ROOM));
	if (offset >= 0)
		add_event(p, lane, offset, buf_text(&title), false);
	else
		details_lines_text(p, "", buf_text(&title));
}

/* The steps of an async slice, or the snapshots of an object: the marks of the row below, without
 * those whose event is that of an end of the slice. */
static void add_steps(struct details_lines *p, const struct lane *lane, const struct span *span,
		      size_t slice)
{
	int64_t own = slice_offset(&lane->slices, slice),
		end = slice_end_offset(&lane->slices, slice);
	size_t before = p->lines->text.len, from = span->first;
	bool has_list = false;
	int n = 0, looked = 0;
	struct span step;

	for (; looked < STEPS_LOOKED_AT && n < STEPS_MAX &&
	     span_next(&lane->samples, &lane->tree, span->depth + 1, from, &step) &&
	     step.first < span->end;
	     from = step.end, looked++) {
		size_t at = slice_of_span(lane, &step);
		int64_t offset = at == SIZE_MAX ? -1 : slice_offset(&lane->slices, at);

		if (!profile_is_mark(p->app->s.profile, lane, step.node) ||
		    (offset >= 0 && (offset == own || offset == end)))
			continue;
		if (!has_list && (n >= STEPS_SHOWN || p->lines->text.len - before > STEPS_BYTES)) {
			details_lines_head(p, "Further steps");
			has_list = true;
		}
		n++;
		add_step(p, lane, &step, has_list ? -1 : offset);
	}
	if (n == STEPS_MAX || looked == STEPS_LOOKED_AT)
		details_lines_text(p, "", "\342\200\246 and further");
}

/* Add the events of a span; nothing if the file states none. While they are being read, a line says
 * so, and app->details.is_waiting is set. */
static void details_event_add(struct details_lines *p, const struct lane *lane,
			      const struct span *span)
{
	bool is_object = lane->kind == LANE_OBJECTS &&
		!profile_is_mark(p->app->s.profile, lane, span->node);
	size_t slice = slice_of_span(lane, span);
	unsigned flags;

	if (slice == SIZE_MAX)
		return;
	flags = slice_flags(&lane->slices, slice);
	if (is_object) {
		if (flags & SLICE_NOT_CREATED)
			details_lines_text(p, "not created", "the file does not say when");
		if (flags & SLICE_UNFINISHED)
			details_lines_text(p, "not deleted", "the file does not say when");
		flags = 0;
	}
	if (flags & SLICE_UNFINISHED)
		details_lines_text(
			p, "unfinished",
			"there is no end in the file: drawn until the recording, or what "
			"contains it, ends");
	if (flags & SLICE_CUT)
		details_lines_text(p, "cut",
				   "its end was missing: closed by the end of a slice around it");
	if (flags & SLICE_OVERLAPS)
		details_lines_text(p, "overlaps",
				   "begins inside a slice that it outlasts: on rows of its own");
	add_event(p, lane, slice_offset(&lane->slices, slice),
		  is_object ? "Event of its creation" : "Event", false);
	if (lane->n_marks)
		add_steps(p, lane, span, slice);
	add_event(p, lane, slice_end_offset(&lane->slices, slice),
		  is_object ? "Event of its deletion" : "Event of its end", true);
}

/* ==== details page ==== */

#define TICKS_MAX 8
#define VALUES_MAX 8  /* of a label */
#define NAMED_MAX 100 /* names without events */
#define INPUTS_MAX 50 /* files other than that of the lane */

static void forget_events(struct app *app)
{
	if (app->events.forget)
		app->events.forget(app->events.ctx);
}

/* Stop waiting for texts of events; the page asks for them again when it is shown. */
static void details_page_leave(struct app *app)
{
	if (!app->details.is_waiting)
		return;
	forget_events(app);
	app->details.is_waiting = app->details.has_lines = false;
}

static void forget(struct app *app)
{
	app->details.has_lines = false;
}

static void done(struct app *app)
{
	forget_events(app);
	lines_done(&app->details.lines);
	app->details = (struct details_page){ 0 };
}

/* ---- the selection ---- */

static void add_ticks(struct details_lines *p, const struct lane *lane, node_id node)
{
	BUF_LOCAL text = { 0 };
	int n = 0, more = 0;

	for (size_t i = 0; i < lane->n_ticks; i++) {
		if (lane->ticks[i].node != node)
			continue;
		if (n++ >= TICKS_MAX) {
			more++;
			continue;
		}
		buf_addf(&text, "%sline %" PRId32, n > 1 ? ", " : "", lane->ticks[i].line);
		if (lane->ticks[i].column)
			buf_addf(&text, ":%" PRId32, lane->ticks[i].column);
		buf_addf(&text, ": %" PRIu32, lane->ticks[i].ticks);
	}
	if (more)
		buf_addf(&text, ", and %d more lines", more);
	if (n)
		details_lines_pair(p, "ticks", buf_text(&text), text.len);
}

static void add_notes(struct details_lines *p)
{
	const struct chart *chart = &p->app->s.chart;
	BUF_LOCAL text = { 0 };

	for (int i = 0; details_note(chart, &i, &text);)
		details_lines_pair(p, "note", buf_text(&text), text.len);
}

#define CHAIN_MAX 12 /* arrows of a chain that are listed */

/* Where an arrow comes from or goes to: `setTimeout app.js:13, 4.2 ms before, at 448 ms on M`. */
static void add_flow_end(struct details_lines *p, const struct flow_link *link, bool is_next,
			 const char *what)
{
	const struct profile *profile = p->app->s.profile;
	const struct flow_point *to = is_next ? link->to : link->from;
	const struct lane *lane = &profile->lanes[to->lane];
	BUF_LOCAL text = { 0 };

	if (is_next) {
		label_text(profile, profile_node_frame(profile, lane, to->span.node), &text);
		buf_addf(&text, ", %s after",
			 profile_value(profile, link->to->t - link->from->t, UNITS_ROOM));
	} else {
		label_flow(profile, link, false, &text);
	}
	buf_addf(&text, ", at %s on ", profile_exact(profile, to->t, UNITS_ROOM));
	lane_name(profile, lane, true, &text);
	details_lines_pair(p, what, buf_text(&text), text.len);
}

/* The arrow that a user would follow, and those behind it; then the others of the span. */
static void add_chain(struct details_lines *p, const struct span *span, bool is_next)
{
	static const char *const words[][2] = { { "comes from", "goes to" },
						{ "before that", "after that" } };
	const struct profile *profile = p->app->s.profile;
	uint32_t lane = (uint32_t)p->app->s.chart.lane;
	size_t first, n = profile_flows_of(profile, lane, span, &first);
	struct flow_link link, last, chosen = { NULL, NULL };

	for (int i = 0; i < CHAIN_MAX &&
	     ((!is_next && flow_link_cause(profile, lane, span, &link)) ||
	      flow_link_find(profile, lane, span, is_next, &link));
	     i++) {
		/* What is around a slice may have the very arrow that leads to it. */
		if (i == 0)
			chosen = link;
		else if (link.from == last.from ||
			 (is_next ? link.from->t < last.to->t : link.to->t > last.from->t))
			break;
		last = link;
		add_flow_end(p, &link, is_next, words[i > 0][is_next]);
		lane = is_next ? link.to->lane : link.from->lane;
		span = is_next ? &link.to->span : &link.from->span;
	}
	for (size_t i = 0; i < n; i++) {
		size_t at = profile->flows_by_lane[first + i];
		const struct flow_point *from = &profile->flows[at - (!is_next && at > 0)];

		link = (struct flow_link){ from, from + 1 };
		if ((is_next ? at + 1 < profile->n_flows : at > 0) && from->flow == from[1].flow &&
		    from != chosen.from)
			add_flow_end(p, &link, is_next, words[0][is_next]);
	}
}

static void add_flows(struct details_lines *p, const struct span *span)
{
	const struct profile *profile = p->app->s.profile;
	uint32_t lane = (uint32_t)p->app->s.chart.lane;
	struct flow_link link;
	bool has_back = flow_link_find(profile, lane, span, false, &link);

	if (!has_back && !flow_link_find(profile, lane, span, true, &link))
		return;
	details_lines_head(p,
			   has_back ? "Flows ({ and } follow them, Enter goes back)"
				    : "Flows ({ and } follow them)");
	add_chain(p, span, false);
	add_chain(p, span, true);
}

struct gc {
	const struct profile *profile;
	const struct lane *lane;
	node_id but; /* itself is no part of itself */
	int64_t ns;
};

static void add_gc(void *ctx, node_id leaf, int64_t ns)
{
	struct gc *gc = ctx;

	if (leaf != gc->but && leaf != NODE_ROOT &&
	    profile_node_frame(gc->profile, gc->lane, leaf)->category == CATEGORY_GC)
		gc->ns += ns;
}

BLOCKS_MANY(add_gcs, add_gc)

/* How much of the time of a span is garbage collection on top of it. */
static int64_t gc_ns(const struct profile *profile, const struct lane *lane,
		     const struct span *span)
{
	struct gc gc = { profile, lane, span->node, 0 };

	blocks_each(&lane->samples, span->t0, span->t1,
		    &(struct blocks_visitor){ &gc, add_gcs, add_gc, NULL });
	return gc.ns;
}

/* The total time is the own time, that of callees, and garbage collection on top of both. */
static void add_parts(struct details_lines *p, const struct lane *lane, const struct span *span)
{
	/* That of the selection may be of calls in one row. */
	int64_t self = chart_is_folded(&p->app->s.chart, p->app->s.chart.lane)
		? span_find_self_ns(lane, span)
		: p->app->s.self_ns,
		gc = gc_ns(p->app->s.profile, lane, span);
	int64_t hit_ns = lane_value_hit_ns(p->app->base);
	size_t slice = lane->slices.n_cpu ? slice_of_span(lane, span) : SIZE_MAX;

	if (slice != SIZE_MAX && slice_cpu(&lane->slices, slice) >= 0)
		details_lines_time(p, "CPU", slice_cpu(&lane->slices, slice));
	details_lines_time(p, "self", self);
	details_lines_time(p, "callees", slice_time_of_span(lane, span) - self - gc);
	if (lane->kind == LANE_SAMPLES)
		details_lines_time(p, "GC", gc);
	if (hit_ns)
		details_lines_count(p, "hits", (uint64_t)(self / hit_ns));
}

/* Both sides of a call. */
static void add_sides(struct details_lines *p, const struct sides *s, node_id node)
{
	for (int of_total = 0; of_total < 2; of_total++) {
		int64_t *const *of = of_total ? s->total : s->self;
		const int64_t ns[SIDES] = { of[SIDE_BEFORE][node], of[SIDE_AFTER][node] };
		BUF_LOCAL text = { 0 };

		change_text(&s->unit, ns, &text);
		details_lines_text(p, of_total ? "total" : "self", buf_text(&text));
	}
	for (enum side side = SIDE_BEFORE; side < SIDES; side++)
		details_lines_text(p, sides_word(&s->unit, side), s->name[side]);
}

static const char *span_title(const struct profile *profile, const struct lane *lane,
			      const struct span *span)
{
	return profile_is_mark(profile, lane, span->node) ? "Mark"
		: lane->kind == LANE_SAMPLES              ? "Span"
		: lane->kind == LANE_OBJECTS              ? "Object"
							  : "Slice";
}

/* The value of a label, or some that are left out, with their time if there are others. */
static void add_label(struct details_lines *p, const struct label_share *s,
		      const struct label_part *part, size_t n_left)
{
	const struct profile *profile = p->app->s.profile;
	const struct label_key *key = &profile->labels.keys[s->key];
	BUF_LOCAL text = { 0 };

	buf_addf(&text, "%s: ", profile_text(profile, key->name));
	if (n_left)
		buf_addf(&text, "%s others", units_count(n_left, UNITS_ROOM));
	else
		buf_adds(&text, profile_text(profile, part->value ? part->value : key->none));
	if (s->n > 1)
		buf_addf(&text, "  %s  %s", profile_value(profile, part->ns, UNITS_ROOM),
			 units_percent(part->ns, s->all_ns, UNITS_ROOM));
	details_lines_pair(p, "label", buf_text(&text), text.len);
}

/* The labels of the samples of a span: the values of each key, most time first. */
static void add_labels(struct details_lines *p, const struct lane *lane, const struct span *span)
{
	const struct profile *profile = p->app->s.profile;
	struct label_share *shares;
	size_t n = label_share_find(profile, lane, span->first, span->end, &shares);

	for (size_t i = 0; i < n; i++) {
		const struct label_share *s = &shares[i];
		size_t shown = s->n > VALUES_MAX ? VALUES_MAX - 1 : s->n;
		struct label_part rest = { 0 };

		for (size_t k = 0; k < s->n; k++)
			if (k < shown)
				add_label(p, s, &s->parts[k], 0);
			else
				rest.ns += s->parts[k].ns;
		if (shown < s->n)
			add_label(p, s, &rest, s->n - shown);
	}
	label_share_free(shares, n);
}

/* The row of the chart, if it stands for calls of several functions. */
static void add_row(struct details_lines *p)
{
	const struct chart *chart = &p->app->s.chart;
	const struct lane *lane = chart->lanes[chart->lane].lane;
	const struct span *row = &chart->selected;
	BUF_LOCAL text = { 0 };

	if (!chart_is_run(chart, lane, row->node))
		return;
	buf_addf(&text, "%s, %s; this is the call with most self time in it, Space shows all",
		 profile_text(chart->profile,
			      profile_node_frame(chart->profile, lane, row->node)->name),
		 profile_exact(chart->profile, row->t1 - row->t0, UNITS_ROOM));
	details_lines_pair(p, "row", buf_text(&text), text.len);
}

/* The place of a function, and the name and place that it has by its source, or else by its script:
 * `e  bundle.js:1:133`. */
static void add_places(struct details_lines *p, frame_id id)
{
	const struct profile *profile = p->app->s.profile;
	const struct frame *other = other_names_of(profile, id);
	BUF_LOCAL place = { 0 };

	profile_location(profile, profile_frame(profile, id), true, &place);
	details_lines_text(p, "location", buf_text(&place));
	buf_clear(&place);
	if (other) {
		buf_addf(&place, "%s  ", profile_text(profile, other->name));
		profile_location(profile, other, true, &place);
	}
	details_lines_text(p, other_names_shows_source(profile) ? "in script" : "in source",
			   buf_text(&place));
}

/* Date and time of day when a span begins: `2025-05-10 13:46:25.123456`. */
static void add_wall_clock(struct details_lines *p, const struct lane *lane, int64_t t)
{
	char date[DATE_MAX], clock[DATE_MAX], text[2 * DATE_MAX];
	int64_t at_zero;

	if (!wall_clock_find(p->app->s.profile, lane, &at_zero))
		return;
	date_format((t + at_zero) / NS_PER_S, ' ', date);
	date_clock(t + at_zero, 6, clock);
	snprintf(text, sizeof text, "%.*s %s", (int)strcspn(date, " "), date, clock);
	details_lines_text(p, "wall clock", text);
}

/* Of a request: what became of it, what was asked for, how long that took; then the rest. */
static void add_request(struct details_lines *p, const struct request *r)
{
	static const char *const phases[REQUEST_PHASES] = {
		"redirected", "queued", "stalled", "proxy",  "DNS",
		"connecting", "TLS",    "sent",    "server", "download",
	};
	const struct profile *profile = p->app->s.profile;
	char bytes[UNITS_MAX], decoded[UNITS_MAX];
	BUF_LOCAL text = { 0 };

	details_lines_head(p, "Request");
	if (r->status)
		buf_addf(&text, "%" PRId64 " ", r->status);
	buf_adds(&text, r->has_failed ? "failed" : r->is_finished ? "" : "not finished");
	details_lines_text(p, "status", buf_text(&text));
	details_lines_text(p, "url", profile_text(profile, r->url));
	details_lines_time(p, "waited", r->first_byte_ns);
	details_lines_time(p, "received", r->total_ns - r->first_byte_ns);
	details_lines_text(p, "method", profile_text(profile, r->method));
	details_lines_text(p, "type", profile_text(profile, r->type));
	details_lines_text(p, "content", profile_text(profile, r->mime));
	details_lines_text(p, "protocol", profile_text(profile, r->protocol));
	buf_clear(&text);
	if (r->first_priority != r->priority)
		buf_addf(&text, "%s \342\206\222 ", profile_text(profile, r->first_priority));
	buf_adds(&text, profile_text(profile, r->priority));
	details_lines_text(p, "priority", buf_text(&text));
	details_lines_text(p, "rendering", profile_text(profile, r->blocking));
	units_bytes(r->bytes, bytes);
	units_bytes(r->decoded, decoded);
	buf_clear(&text);
	buf_addf(&text, "%s transferred, %s decoded%s", bytes, decoded,
		 r->is_from_memory           ? ", from the memory cache"
			 : r->is_from_worker ? ", from a service worker"
			 : r->is_from_disk   ? ", from the disk cache"
					     : "");
	if (r->bytes >= 0)
		details_lines_text(p, "size", buf_text(&text));
	buf_clear(&text);
	buf_addf(&text, "%s  %s", profile_text(profile, r->initiator),
		 profile_text(profile, r->initiator_url));
	if (r->initiator_line)
		buf_addf(&text, ":%" PRId64, r->initiator_line);
	if (r->initiator)
		details_lines_text(p, "initiator", buf_text(&text));
	if (r->n_redirects)
		details_lines_count(p, "redirects", r->n_redirects);
	for (int i = 0; i < REQUEST_PHASES; i++)
		if (r->phase_ns[i])
			details_lines_time(p, phases[i], r->phase_ns[i]);
}

static void add_span(struct details_lines *p, const struct lane *lane, const struct span *span)
{
	const struct profile *profile = p->app->s.profile;
	const struct frame *frame = profile_node_frame(profile, lane, span->node);
	bool is_mark = profile_is_mark(profile, lane, span->node);
	const struct request *request = request_of(profile, lane, span);
	BUF_LOCAL name = { 0 };
	struct span around;

	if (request)
		add_request(p, request);
	details_lines_head(p, span_title(profile, lane, span));
	add_row(p);
	profile_add_name(profile, frame, &name);
	details_lines_pair(p, "name", buf_text(&name), name.len);
	add_notes(p);
	if (is_mark &&
	    span_of_sample(&lane->samples, &lane->tree, span->first, span->depth - 1, &around))
		details_lines_text(
			p, "of",
			profile_text(profile,
				     profile_node_frame(profile, lane, around.node)->name));
	add_places(p, lane->tree.frame[span->node]);
	if (frame->category != CATEGORY_SLICE)
		details_lines_text(p, "category", category_name(frame->category));
	if (frame->event != frame->name)
		details_lines_text(p, "event", profile_text(profile, frame->event));
	details_lines_text(p, "package", profile_text(profile, frame->package));
	details_lines_text(p, "script id", profile_text(profile, frame->script));
	if (!p->app->s.chart.is_merged) {
		details_lines_time(p, "start", span->t0);
		details_lines_time(
			p, "file's time",
			span->t0 + (profile->has_own_zero ? lane->zero_ns : profile->origin_ns));
		add_wall_clock(p, lane, span->t0);
	}
	if (p->app->s.chart.sides) {
		add_sides(p, p->app->s.chart.sides, span->node);
	} else if (lane->kind == LANE_OBJECTS && !is_mark) {
		details_lines_time(p, "alive", span->t1 - span->t0);
	} else if (!is_mark) {
		details_lines_time(p, "total", slice_time_of_span(lane, span));
		if (!request)
			add_parts(p, lane, span);
	}
	if (lane->kind == LANE_SAMPLES && !p->app->s.chart.is_merged)
		details_lines_count(p, "samples", span->end - span->first);
	if (lane->kind == LANE_SAMPLES && !p->app->s.chart.is_merged)
		add_labels(p, lane, span);
	if (lane->deopt)
		details_lines_text(p, "deopt", profile_text(profile, lane->deopt[span->node]));
	add_ticks(p, lane, span->node);
	add_flows(p, span);
	details_event_add(p, lane, span);
}

/* ---- lane and file ---- */

static void add_lane(struct details_lines *p, const struct lane *lane)
{
	BUF_LOCAL text = { 0 };

	details_lines_head(p, "Lane");
	lane_name(p->app->s.profile, lane, true, &text);
	details_lines_pair(p, "name", buf_text(&text), text.len);
	details_lines_text(p, "page", profile_text(p->app->s.profile, lane->page));
	if (lane->thread_title)
		details_lines_text(p, "thread", profile_text(p->app->s.profile, lane->thread_name));
	buf_clear(&text);
	if (!p->app->s.chart.sides) {
		label_lane_facts(p->app->s.profile, lane, p->app->s.chart.is_merged, &text);
		details_lines_pair(p, "holds", buf_text(&text), text.len);
	}
	for (uint32_t i = 0; i < lane->n_series; i++) {
		buf_clear(&text);
		buf_adds(&text, profile_text(p->app->s.profile, lane->series[i].name));
		buf_adds(&text, ": ");
		counter_format(&lane->series[i], lane->series[i].least, &text);
		buf_adds(&text, " to ");
		counter_format(&lane->series[i], lane->series[i].most, &text);
		details_lines_pair(p, "series", buf_text(&text), text.len);
	}
}

static void add_warning(struct details_lines *p, const struct input *in, const struct warning *w)
{
	const struct profile *profile = p->app->s.profile;
	BUF_LOCAL text = { 0 };

	buf_addf(&text, "%s \303\227 %s", units_count(w->count, UNITS_ROOM),
		 profile_text(profile, w->text));
	input_place_add_first(profile, in, w->offset, &text);
	details_lines_pair(p, w->is_note ? "note" : "warning", buf_text(&text), text.len);
}

static void add_input(struct details_lines *p, const struct input *in)
{
	const struct profile *profile = p->app->s.profile;
	BUF_LOCAL recorded = { 0 }, labels = { 0 };

	details_lines_head(p, "File");
	details_lines_pair(p, "path", profile_text(profile, in->path),
			   intern_len(&profile->strings, in->path));
	details_lines_text(p, "format", in->format ? in->format : "");
	details_lines_text(p, "packed", in->compression ? in->compression : "");
	if (in->bytes >= 0)
		details_lines_count(p, "bytes", (uint64_t)in->bytes);
	wall_clock_recorded(profile, in, &recorded);
	details_lines_text(p, "recorded", buf_text(&recorded));
	labels_add(&profile->labels, &profile->strings, in->labels, &labels);
	details_lines_text(p, "labels", buf_text(&labels));
	if (in->seq >= 0)
		details_lines_count(p, "sequence", (uint64_t)in->seq);
	for (size_t i = 0; i < in->n_warnings; i++)
		add_warning(p, in, &in->warnings[i]);
	for (size_t i = 0; i < in->n_notes; i++)
		details_lines_pair(p, in->notes[i].is_loss ? "not shown" : "info",
				   profile_text(profile, in->notes[i].text),
				   intern_len(&profile->strings, in->notes[i].text));
}

/* Threads and processes that have a name and no lane. */
static void add_named(struct details_lines *p)
{
	const struct profile *profile = p->app->s.profile;
	BUF_LOCAL text = { 0 };

	if (profile->n_named)
		details_lines_head(p, "Named, without events");
	for (uint32_t i = 0; i < profile->n_named && i < NAMED_MAX; i++) {
		buf_clear(&text);
		lane_name_of_named(profile, &profile->named[i], &text);
		details_lines_text(p, profile->named[i].tid == LANE_NO_ID ? "process" : "thread",
				   buf_text(&text));
	}
	if (profile->n_named > NAMED_MAX)
		details_lines_count(p, "and more", profile->n_named - NAMED_MAX);
}

/* Make the lines for the selection and the width in app->details. */
static void make_lines(struct app *app)
{
	struct details_page *f = &app->details;
	const struct chart *chart = &app->s.chart;
	const struct lane *lane = state_lane(app);
	struct span span;
	struct details_lines page = { app, &f->lines, f->cols > 4 ? f->cols - 2 : 2 };
	const struct buf *warnings = &app->preferences->warnings;
	const char *at = buf_text(warnings), *end = at + warnings->len;
	uint32_t n = 0; /* files other than that of the lane */

	lines_clear(&f->lines);
	f->has_lines = true;
	f->is_waiting = false;
	if (lane && chart->has_selection)
		span = folds_subject(&app->s);
	if (lane && chart->has_selection)
		add_span(&page, lane, &span);
	if (lane)
		add_lane(&page, lane);
	if (lane)
		add_input(&page, &app->s.profile->inputs[lane->input]);
	for (uint32_t i = 0; i < app->s.profile->n_inputs && n < INPUTS_MAX; i++)
		if (!lane || i != lane->input) {
			add_input(&page, &app->s.profile->inputs[i]);
			n++;
		}
	if (app->s.profile->n_inputs > n + (lane != NULL)) {
		details_lines_head(&page, "Files");
		details_lines_count(&page, "more files",
				    app->s.profile->n_inputs - n - (lane != NULL));
	}
	add_named(&page);
	/* What is wrong with the user's settings. */
	if (at < end)
		details_lines_head(&page, "Settings");
	for (const char *stop; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		details_lines_pair(&page, "warning", at, (size_t)(stop - at));
	}
}

static void bring_up_to_date(struct app *app, int cols)
{
	struct details_page *f = &app->details;
	const struct chart *chart = &app->s.chart;
	size_t first = chart->has_selection ? chart->selected.first : SIZE_MAX;
	int depth = chart->has_selection ? chart->selected.depth : -1;
	bool is_same = f->lane == chart->lane && f->first == first && f->depth == depth;

	if (f->has_lines && is_same && f->cols == cols)
		return;
	if (!is_same)
		forget_events(app);
	f->lane = chart->lane;
	f->cols = cols;
	f->first = first;
	f->depth = depth;
	f->lines.top = 0;
	make_lines(app);
}

/* ---- the pane ---- */

static void update(struct app *app, const struct rect *area, bool is_current)
{
	(void)is_current;
	bring_up_to_date(app, area->cols);
}

static int wait_ms(const struct app *app)
{
	return app->details.is_waiting ? PANES_WAIT_MS : -1;
}

/* Look whether the texts are there. */
static bool work(struct app *app, struct budget *budget)
{
	struct details_page *f = &app->details;
	size_t top = f->lines.top, len = f->lines.text.len;

	(void)budget;
	make_lines(app);
	f->lines.top = top;
	return !f->is_waiting || f->lines.text.len != len;
}

static void draw(const struct app *app, struct pane_picture *picture)
{
	picture->screen->lines = &app->details.lines;
}

static void move(struct app *app, int64_t rows, const struct rect *area)
{
	/* Lines that no picture showed yet can be scrolled, too. */
	bring_up_to_date(app, area->cols);
	lines_scroll(&app->details.lines, rows, area->rows);
}

/* Go to the initiator of a request, or along the flow to another slice. */
static void show(struct app *app)
{
	if (select_initiator(app))
		buf_clear(&app->message);
}

const struct pane_kind details_page_pane = { .title = "8 Details",
					     .has_no_scope = true,
					     .command = CMD_DETAILS,
					     .table = PANE_TABS,
					     .head_rows = 1,
					     .update = update,
					     .draw = draw,
					     .wait_ms = wait_ms,
					     .work = work,
					     .leave = details_page_leave,
					     .forget = forget,
					     .done = done,
					     .move = move,
					     .show = show };
