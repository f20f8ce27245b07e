/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was recorded and how the time was spent, the findings (of slices, what stands out), self
 * time by category and package, the heaviest functions, the heaviest stack, and the warnings about
 * the files. Several lanes share one page, with a table of the lanes. A truncated list says so. */
#include "config.h"

#include "write/report/page_body.h"

#include "analyse/event_order.h"
#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "draw/standout.h"
#include "model/profile.h"
#include "write/report/gates.h"
#include "write/report/gather.h"
#include "write/report/page.h"
#include "write/report/report_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct report_out page_out(struct page *page)
{
	return (struct report_out){ .g = page->g,
				    .profile = page->g->profile,
				    .options = page->g->options,
				    .page = page,
				    .rows_max = (size_t)page->g->options->top };
}

/* ==== page header ====
 *
 * The files, the lanes, the scope, and how the time was spent. The lines are text with names in
 * visible form; a line that would be too long loses a part of its name, or goes on in the next line
 * after two blanks. */

static void add_path(struct buf *out, const struct profile *p, uint32_t input, int room)
{
	const struct input *in = &p->inputs[input];

	text_fit_end(out, profile_text(p, in->path), intern_len(&p->strings, in->path), room);
}

static void add_counted(struct buf *out, uint64_t n, const char *what)
{
	buf_addf(out, "%s %s%s", units_count(n, UNITS_ROOM), what, n == 1 ? "" : "s");
}

/* The depth of a lane; it is not known if only a part of the lane was loaded. */
static void end_facts(const struct gathered *g, struct buf *out)
{
	const struct lane *lane = g->lanes[0];

	if (lane->n_left && !lane->n_rows)
		buf_adds(out, ", not all of them loaded\n");
	else
		buf_addf(out, ", %d deep\n",
			 lane_rows_joined(lane, lane_count_joined(lane, lane + g->n_lanes)));
}

/* The number of slices of all lanes, after transforms. */
static void add_slices(const struct gathered *g, struct buf *out)
{
	bool is_known = true;
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->n_lanes; i++) {
		n += g->lanes[i]->n_spans;
		is_known &= !g->lanes[i]->n_left || scope_is_untouched(&g->options->scope);
	}
	if (is_known)
		add_counted(out, n, "slice");
	else
		buf_adds(out, "slices");
}

/* How long the only lane is, and how it was sampled. */
static void add_lane_facts(const struct gathered *g, struct buf *out)
{
	const struct lane *lane = g->lanes[0];
	const struct samples *s = &lane->samples;

	buf_addf(out, ": %s, ", profile_value(g->profile, lane->t1 - lane->t0, UNITS_ROOM));
	if (lane->kind != LANE_SAMPLES) {
		add_slices(g, out);
		end_facts(g, out);
		return;
	}
	if (!lane->has_timeline) {
		add_counted(out, lane->n_file_nodes, "node");
		buf_adds(out,
			 lane->value.type ? amount_is_time(&g->profile->unit)
					 ? ", no times of samples: sums of "
					 : ", no order: sums of "
					  : ", no samples: from ");
		lane_value_text(g->profile, lane, out);
		if (lane->hit_ns) {
			buf_adds(out, ", ");
			/* The samples are made from the hits. */
			add_counted(out,
				    s->n ? (uint64_t)((samples_time(s, s->n) - samples_time(s, 0)) /
						      lane->hit_ns)
					 : 0,
				    "hit");
		}
		buf_addc(out, '\n');
		return;
	}
	add_counted(out, lane->n_samples, "sample");
	if (lane->interval_ns)
		buf_addf(out, " every %s",
			 profile_value(g->profile, lane->interval_ns, UNITS_ROOM));
	end_facts(g, out);
}

static void add_many_lanes(const struct gathered *g, struct buf *out)
{
	uint64_t n_samples = 0;

	for (uint32_t i = 0; i < g->n_lanes; i++)
		n_samples += g->lanes[i]->n_samples;
	add_counted(out, g->n_originals, "lane");
	buf_addf(out, " on %s: ", profile_value(g->profile, g->profile->t1, UNITS_ROOM));
	if (g->lanes[0]->value.type && !g->lanes[0]->has_timeline) {
		buf_adds(out,
			 amount_is_time(&g->profile->unit) ? "no times of samples: sums of "
							   : "no order: sums of ");
		lane_value_text(g->profile, g->lanes[0], out);
	} else if (g->lanes[0]->kind == LANE_SAMPLES) {
		add_counted(out, n_samples, "sample");
	} else {
		add_slices(g, out);
	}
	buf_addc(out, '\n');
}

static bool has_samples(const struct gathered *g)
{
	return g->n_lanes && g->lanes[0]->kind == LANE_SAMPLES;
}

static void add_inputs(const struct gathered *g, int room, struct buf *out)
{
	const struct profile *p = g->profile, *original = g->scoped->original;
	const char *clock = original->has_own_zero
		? original->is_one_clock ? ", each from 0" : ", clocks differ: each from 0"
		: original->is_clock_assumed ? ", clock assumed"
					     : "";
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		bool is_used = false;

		for (uint32_t k = 0; k < g->n_lanes; k++)
			is_used |= g->lanes[k]->input == i;
		if (is_used && n++ == 0)
			first = i;
	}
	add_path(out, p, first, room - 20 - (int)strlen(clock));
	if (n > 1)
		buf_addf(out, " and %u other%s%s", (unsigned)(n - 1), n == 2 ? "" : "s", clock);
	else if (p->inputs[first].format)
		buf_addf(out, " (%s)", p->inputs[first].format);
	buf_addc(out, '\n');
}

struct header_time {
	const char *name;
	int64_t ns;
	bool is_always;
};

/* Add those parts that are there, as shares of `whole`, to a line that has begun. */
static void add_parts_of(const struct gathered *g, const struct header_time *parts, size_t n,
			 int64_t whole, int room, struct buf *out)
{
	size_t line = out->len;

	while (line > 0 && out->data[line - 1] != '\n')
		line--;
	for (size_t i = 0; i < n; i++) {
		BUF_LOCAL text = { 0 };

		if (!parts[i].ns && !parts[i].is_always)
			continue;
		buf_addf(&text, "%s %s (%s)", parts[i].name,
			 profile_value(g->profile, parts[i].ns, UNITS_ROOM),
			 units_percent(parts[i].ns, whole, UNITS_ROOM));
		if (out->len - line + text.len + 2 > (size_t)room) {
			line = out->len + 1;
			buf_adds(out, "\n  ");
		}
		buf_addf(out, " %s,", buf_text(&text));
	}
	out->data[out->len - 1] = '\n';
}

/* Whether there are samples, and all of them are (root). Of a range, only its samples may have been
 * loaded. */
static bool is_all_root(const struct gathered *g)
{
	const struct scope *scope = &g->options->scope;
	bool has_samples = false;

	if (scope->t0 > 0 || scope->t1 < g->scoped->original->t1)
		return false;

	for (uint32_t i = 0; i < g->n_originals; i++) {
		const struct lane *lane = g->originals[i];

		if (lane->kind != LANE_SAMPLES || !lane->has_timeline)
			return false;
		for (size_t k = 0; k < lane->samples.n; k++)
			if (lane->samples.leaf[k] != NODE_ROOT)
				return false;
		has_samples |= lane->n_samples > 0;
	}
	return has_samples;
}

/* `of 3.68 s: busy 1.45 s (39.5 %), idle …`: the parts of the range, for all lanes together; then
 * `of 1.45 s busy: gc …`. */
static void add_parts(const struct gathered *g, int room, struct buf *out)
{
	int64_t busy = g->totals.sampled_ns - g->totals.idle_ns;
	int64_t gc = summary_gc(g->functions);
	bool is_slices = g->lanes[0]->kind == LANE_SLICES;
	const struct header_time parts[] = {
		{ "busy", busy, true },
		{ "idle", g->totals.idle_ns, !is_slices },
		{ is_slices ? "no slice" : "not sampled", g->unsampled_ns, false },
		{ "left out", g->dropped_ns, false },
	};
	const struct header_time of_sums[] = {
		{ "in scope", busy, true },
		{ "left out", g->dropped_ns, false },
	};
	const struct header_time of_busy[] = {
		{ "gc", gc, !is_slices },
		{ "program", summary_program(&g->totals), false },
	};

	/* Bytes and counts are all of calls. */
	if (!amount_is_time(&g->profile->unit)) {
		if (!g->dropped_ns)
			return;
		buf_addf(out, "of %s:", profile_value(g->profile, g->range_ns, UNITS_ROOM));
		add_parts_of(g, of_sums, ARRAY_LEN(of_sums), g->range_ns, room, out);
		return;
	}
	if (g->n_originals == 1 && g->originals[0]->is_unmeasured) {
		buf_adds(out, "length not measured: each sample counts 1 ms\n");
		return;
	}
	buf_addf(out, "of %s%s:", profile_value(g->profile, g->range_ns, UNITS_ROOM),
		 g->n_originals > 1 ? " (all lanes)" : "");
	add_parts_of(g, parts, ARRAY_LEN(parts), g->range_ns, room, out);
	if (is_all_root(g))
		buf_adds(out, "all samples are (root): no function is known\n");
	if (busy <= 0 || (is_slices && gc <= 0))
		return;
	buf_addf(out, "of %s busy:", profile_value(g->profile, busy, UNITS_ROOM));
	add_parts_of(g, of_busy, ARRAY_LEN(of_busy), busy, room, out);
}

static void add_scope(const struct gathered *g, int room, struct buf *out)
{
	const struct scope *scope = &g->options->scope;
	const struct profile *p = g->scoped->original;
	BUF_LOCAL text = { 0 };

	if (scope->t0 > 0 || scope->t1 < p->t1)
		buf_addf(out, "range: %s, from %s to %s\n",
			 profile_value(g->profile, scope->t1 - scope->t0, UNITS_ROOM),
			 profile_value(g->profile, scope->t0, UNITS_ROOM),
			 profile_value(g->profile, scope->t1, UNITS_ROOM));
	if (scope->is_lane)
		buf_addf(out, "lanes: %u of %u\n", (unsigned)g->profile->n_lanes,
			 (unsigned)p->n_lanes);
	scope_describe(scope, p, &text);
	if (text.len) {
		buf_adds(out, "scope: ");
		text_fit(out, text.data, text.len, room - 7);
		buf_addc(out, '\n');
	}
}

static void add_whole(const struct gathered *g, struct buf *out)
{
	buf_addf(out, "below, 100 %% = %s", profile_value(g->profile, g->whole_ns, UNITS_ROOM));
	if (!amount_is_time(&g->profile->unit)) {
		buf_addf(out, "%s\n", g->dropped_ns ? ", what is not left out" : "");
		return;
	}
	buf_addf(out, ": %s%s",
		 g->totals.self_ns != g->totals.sampled_ns
			 ? "self time of all slices, also of those that overlap"
			 : "all sampled time",
		 g->dropped_ns ? " that is not left out" : "");
	if (g->totals.idle_ns || !g->dropped_ns)
		buf_addf(out, ", idle time %s",
			 g->options->scope.has_idle ? "included" : "excluded");
	buf_addc(out, '\n');
}

static void page_header(struct page *page)
{
	const struct gathered *g = page->g;
	int room = page->form->cells;
	BUF_LOCAL lines = { 0 }, facts = { 0 };
	bool is_one;
	uint32_t all = 0;

	add_inputs(g, room, &lines);
	if (g->n_originals == 1) {
		add_lane_facts(g, &facts);
		lane_name_fit(g->scoped->original, g->originals[0],
			      room - text_cells(buf_text(&facts), facts.len - 1), &lines);
		buf_add(&lines, facts.data, facts.len);
	} else {
		add_many_lanes(g, &lines);
	}
	/* `4 of 128 lanes have samples; tables are about them`; nothing if the tables are about all
	 * lanes. */
	is_one = g->n_originals == 1;
	for (uint32_t i = 0; i < g->profile->n_lanes; i++)
		all += !g->profile->lanes[i].is_joined;
	if (all > g->n_originals)
		buf_addf(&lines, "%" PRIu32 " of %" PRIu32 " lanes %s; tables are about %s\n",
			 g->n_originals, all,
			 has_samples(g)   ? is_one ? "has samples" : "have samples"
				 : is_one ? "has slices"
					  : "have slices",
			 is_one ? "it" : "them");
	add_scope(g, room, &lines);
	add_parts(g, room, &lines);
	standout_pages(g->scoped->original, &(struct place_clock){ 0 }, false, &lines);
	add_whole(g, &lines);
	page->form->lines(page, NULL, buf_text(&lines));
}

/* ==== page warnings ====
 *
 * The warnings and notes about the files; nothing if there are none. */

#define LOSSES 10 /* are listed in any case: short tables may not hide what is missing */

/* What one file says, or several with equal words. */
struct message {
	const char *what; /* `warning: ` */
	str_id text;
	uint32_t input; /* the first file, */
	uint32_t n;     /* number of files */
	int64_t offset; /* in that file; -1: no place */
	uint64_t count; /* of all of them */
	size_t order;   /* of the first one */
	bool is_loss;   /* something is missing or guessed */
};

struct messages {
	struct message *list;
	size_t n, cap;
};

static void keep(struct messages *m, const struct message *message)
{
	m->list = xgrow(m->list, &m->cap, m->n + 1, sizeof *m->list);
	m->list[m->n] = *message;
	m->list[m->n].order = m->n;
	m->list[m->n++].n = 1;
}

SORT_BEFORE(is_before_by_words, struct message,
	    x->text != y->text ? x->text < y->text : strcmp(x->what, y->what) < 0)

SORT_BEFORE(is_before_by_order, struct message, x->order < y->order)

static void add_message(struct buf *out, const struct profile *p, const struct message *message)
{
	buf_adds(out, message->what);
	if (message->n > 1) {
		buf_addf(out, "%u files: ", (unsigned)message->n);
	} else if (p->n_inputs > 1) {
		add_path(out, p, message->input, 60);
		buf_adds(out, ": ");
	}
	text_visible(out, profile_text(p, message->text), intern_len(&p->strings, message->text));
	if (message->count > 1)
		buf_addf(out, " (%llu times)", (unsigned long long)message->count);
	if (message->n > 1) {
		buf_adds(out, ", first in ");
		add_path(out, p, message->input, 60);
	}
	if (message->count)
		input_place_add_first(p, &p->inputs[message->input], message->offset, out);
	buf_addc(out, '\n');
}

static void find_messages(const struct profile *p, struct messages *m)
{
	static const char *const words[] = { "warning: ", "note: ", "not shown: " };
	size_t n = 0;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		for (size_t k = 0; k < in->n_warnings; k++) {
			const struct warning *w = &in->warnings[k];

			keep(m,
			     &(struct message){ words[w->is_note ? 1 : 0], w->text, i, 1, w->offset,
						w->count, 0, !w->is_note });
		}
		for (size_t k = 0; k < in->n_notes; k++)
			if (in->notes[k].is_loss)
				keep(m,
				     &(struct message){ words[2], in->notes[k].text, i, 1, -1, 0, 0,
							true });
	}
	/* Join equal messages of several files, in the order of the first ones. */
	if (m->n < 2)
		return;
	sort_stable(m->list, m->n, sizeof *m->list, is_before_by_words, NULL);
	for (size_t i = 0; i < m->n; i++) {
		if (n && m->list[n - 1].text == m->list[i].text &&
		    m->list[n - 1].what == m->list[i].what) {
			m->list[n - 1].n += m->list[i].input != m->list[i - 1].input;
			m->list[n - 1].count += m->list[i].count;
		} else {
			m->list[n++] = m->list[i];
		}
	}
	m->n = n;
	sort_stable(m->list, m->n, sizeof *m->list, is_before_by_order, NULL);
}

static void page_warnings(struct page *page)
{
	const struct profile *p = page->g->scoped->original;
	size_t top = (size_t)page->g->options->top, n_left = 0;
	size_t notes = top, losses = top > LOSSES ? top : LOSSES;
	struct messages m = { 0 };
	BUF_LOCAL lines = { 0 };

	find_messages(p, &m);
	notes_lines(p, &lines);
	for (size_t i = 0; i < m.n; i++) {
		size_t *left = m.list[i].is_loss ? &losses : &notes;

		if (*left > 0)
			add_message(&lines, p, &m.list[i]);
		n_left += *left == 0;
		*left -= *left > 0;
	}
	if (n_left)
		buf_addf(&lines, "\342\200\246 %zu more (--top=N)\n", n_left);
	if (lines.len)
		page->form->lines(page, "warnings and notes", buf_text(&lines));
	free(m.list);
}

/* ==== page findings ====
 *
 * Each finding is a sentence; its notes stand below it. */

static void add_finding(struct page *page, const struct findings_joined *joined)
{
	const struct gathered *g = page->g;
	const struct finding *f = joined->f;
	bool has_lane = g->n_originals > 1 || g->findings.n_results > 1;
	BUF_LOCAL text = { 0 };

	findings_tell_joined(&g->findings, joined, has_lane ? g->profile : NULL, &text);
	page_item(page, 1, buf_text(&text), text.len);
	for (uint32_t i = 0; i < f->n_notes; i++)
		page_item(page, 2, f->notes[i], strlen(f->notes[i]));
}

/* Append the section; nothing if there are no findings, or if calls are grouped by something else
 * than functions. Returns whether they say more than that there are few samples. */
static bool page_findings(struct page *page)
{
	const struct gathered *g = page->g;
	const struct findings_all *all = &g->findings;
	uint32_t top = (uint32_t)g->options->top, n = all->n_joined < top ? all->n_joined : top;
	bool is_enough = false;
	char more[UNITS_MAX], title[64];

	snprintf(title, sizeof title, "findings, in percent of %s%s",
		 amount_is_time(&page->unit) ? "busy time" : "the time",
		 g->n_originals > 1 || all->n_results > 1 ? " of the lane" : "");
	if (all->n_joined)
		page_section(page, title, NULL);
	for (uint32_t i = 0; i < n; i++)
		add_finding(page, &all->joined[i]);
	snprintf(more, sizeof more, "\342\200\246 %u more (--top=N)",
		 (unsigned)(all->n_joined - n));
	if (n < all->n_joined)
		page_item(page, 1, more, strlen(more));
	if (all->n_joined && all->n_left) {
		BUF_LOCAL text = { 0 };

		/* Say how many lanes were not looked at. */
		buf_addf(&text,
			 "these are of the %s busiest lanes; %s less busy one%s not looked at",
			 units_count(all->n_results, UNITS_ROOM),
			 units_count(all->n_left, UNITS_ROOM),
			 all->n_left == 1 ? " was" : "s were");
		page_item(page, 1, buf_text(&text), text.len);
	}
	for (uint32_t i = 0; i < all->n_joined; i++)
		is_enough |= all->joined[i].f->kind != FINDING_FEW;
	return is_enough;
}

/* ==== page events ====
 *
 * Marks have no length and counters no calls, so no table of times is about them. The page counts
 * them, and lists the first marks of all lanes by time. */

/* A mark to list. */
struct mark {
	int64_t t;
	const struct lane *lane;
	frame_id frame;
};

struct marks {
	struct mark *list; /* by time; of equal times, in the order of the lanes */
	size_t n, most, n_all;
};

/* Keep the first marks by time. */
static void keep_mark(struct marks *marks, struct mark mark)
{
	size_t at = marks->n;

	marks->n_all++;
	while (at > 0 && marks->list[at - 1].t > mark.t)
		at--;
	if (at >= marks->most)
		return;
	if (marks->n < marks->most)
		marks->n++;
	for (size_t i = marks->n - 1; i > at; i--)
		marks->list[i] = marks->list[i - 1];
	marks->list[at] = mark;
}

/* The number of events of a lane in the range; its marks are kept. */
static uint64_t walk(const struct gathered *g, const struct lane *lane, struct marks *marks)
{
	const struct scope *scope = &g->options->scope;
	/* What stands at the very end of the profile is in the range. */
	int64_t end = scope->t1 + (scope->t1 == g->profile->t1);
	struct mark mark = { .lane = lane };
	struct event_at at;
	struct span span;
	uint64_t n = 0;

	for (uint32_t i = 0; i < lane->n_series; i++)
		n += lane->series[i].n;
	if (lane->kind == LANE_COUNTER || !events_first(lane, scope->t0, &at))
		return n;
	do {
		if (!events_span(lane, &at, &span) || span.t0 >= end)
			break;
		n++;
		mark.t = span.t0;
		mark.frame = lane->tree.frame[span.node];
		if (profile_is_mark(g->profile, lane, span.node))
			keep_mark(marks, mark);
	} while (events_next(lane, &at));
	return n;
}

static void add_count(struct buf *out, uint64_t n, const char *what, bool *is_first)
{
	if (!n)
		return;
	buf_addf(out, "%s%s %s%s", *is_first ? "" : ", ", units_count(n, UNITS_ROOM), what,
		 n == 1 ? "" : "s");
	*is_first = false;
}

static void find_name(const struct gathered *g, const struct lane *lane, struct buf *name)
{
	buf_clear(name);
	lane_name(g->scoped->original, scoped_original(g->scoped, lane), true, name);
}

static void add_header(struct page *page, const uint64_t sums[])
{
	const struct gathered *g = page->g;
	BUF_LOCAL out = { 0 };
	bool is_first = false;
	const struct profile *p = g->scoped->original;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		text_fit_end(&out, profile_text(p, in->path), intern_len(&p->strings, in->path),
			     page->form->cells - 20);
		if (in->format)
			buf_addf(&out, " (%s)", in->format);
		buf_addc(&out, '\n');
	}
	buf_adds(&out, "no samples and no slices");
	add_count(&out, sums[LANE_MARKS], "mark", &is_first);
	add_count(&out, sums[LANE_ASYNC], "async span", &is_first);
	add_count(&out, sums[LANE_OBJECTS], "object", &is_first);
	add_count(&out, sums[LANE_COUNTER], "counter", &is_first);
	add_count(&out, g->scoped->original->n_named, "name", &is_first);
	buf_addc(&out, '\n');
	page->form->lines(page, NULL, buf_text(&out));
}

/* A lane with the number of its events, or a mark. */
struct event_row {
	const struct lane *lane;
	uint64_t n;
	int64_t t;
	str_id mark;
	struct buf name; /* of the lane */
};

#define EVENT_LANES(X)                                                                             \
	X(ID, REPORT_PAGE, "", "Lane", 0, 6, .n = row->lane->id)                                   \
	X(WORDS, REPORT_PAGE, "", "Kind", 2, 9, .text = lane_name_kind(row->lane->kind))           \
	X(COUNT, REPORT_PAGE, "", "Events", 0, 10, .n = (int64_t)row->n)                           \
	X(WORDS, REPORT_PAGE, "", "Name", 2, 0, .text = buf_text(&row->name))

#define MARKS(X)                                                                                   \
	X(VALUE, REPORT_PAGE, "", "At", 0, 10, .n = row->t)                                        \
	X(BRIEF, REPORT_PAGE, "", "Mark", 2, 40, .string = row->mark)                              \
	X(WORDS, REPORT_PAGE, "", "Lane", 2, 0, .text = buf_text(&row->name))

REPORT_TABLE(event_lanes, EVENT_LANES, struct event_row, .title = "lanes", .lead = "")
REPORT_TABLE(event_marks, MARKS, struct event_row, .title = "marks, in the order of time",
	     .lead = "        at  mark", .one = "mark", .many = "marks")

static void add_marks(struct page *page, const struct marks *marks)
{
	struct report_out out = page_out(page);
	struct event_row row = { 0 };

	if (!marks->n_all)
		return;
	report_table_begin(&out, &event_marks);
	for (size_t i = 0; i < marks->n; i++) {
		const struct mark *mark = &marks->list[i];

		row.t = mark->t;
		row.mark = profile_frame(page->g->profile, mark->frame)->name;
		find_name(page->g, mark->lane, &row.name);
		report_table_row(&out, &row);
	}
	out.n_left = marks->n_all - marks->n;
	report_table_end(&out);
	buf_done(&row.name);
}

static void add_named(struct page *page)
{
	const struct profile *p = page->g->scoped->original;
	size_t most = (size_t)page->g->options->top, n = p->n_named < most ? p->n_named : most;
	BUF_LOCAL name = { 0 };

	if (p->n_named)
		page_section(page, "names without events", NULL);
	for (size_t i = 0; i < n; i++) {
		BUF_LOCAL text = { 0 };

		buf_clear(&name);
		lane_name_of_named(p, &p->named[i], &name);
		text_fit(&text, buf_text(&name), name.len, page->form->cells - 2);
		page_item(page, 1, buf_text(&text), text.len);
	}
	page_more(page, p->n_named - n, "name", "names");
}

/* Append the files, the numbers of marks, async spans and counters in the scope, the lanes, the
 * first marks, and the threads and processes that only have names. */
static void page_events(struct page *page)
{
	uint64_t sums[] = { 0, 0, 0, 0, 0, 0 };
	const struct profile *p = page->g->profile;
	struct marks marks = { .most = (size_t)page->g->options->top };
	const struct gathered *g;
	struct report_out out;
	struct event_row row = { 0 };
	struct marks none = { 0 };

	marks.list = xcalloc(marks.most, sizeof *marks.list);
	for (uint32_t i = 0; i < p->n_lanes; i++) {
		size_t before = marks.n_all;
		uint64_t n = walk(page->g, &p->lanes[i], &marks), n_marks = marks.n_all - before;

		sums[p->lanes[i].kind] += p->lanes[i].kind == LANE_COUNTER ? 1 : n - n_marks;
		sums[LANE_MARKS] += n_marks;
	}
	add_header(page, sums);
	/* One line for each lane. */
	g = page->g;
	out = page_out(page);
	if (g->profile->n_lanes) {
		out.rows_max = SIZE_MAX;
		report_table_begin(&out, &event_lanes);
		for (uint32_t i = 0; i < g->profile->n_lanes; i++) {
			row.lane = &g->profile->lanes[i];
			row.n = walk(g, row.lane, &none);
			find_name(g, row.lane, &row.name);
			report_table_row(&out, &row);
		}
		report_table_end(&out);
		buf_done(&row.name);
	}
	add_marks(page, &marks);
	add_named(page);
	free(marks.list);
}

/* ==== page slices ====
 *
 * The tables of the report are about samples, if there are any. Then this part accounts for all
 * other lanes: those of slices in a table, async operations, counters and marks by their number.
 * Times are read off the lanes, without call trees: there may be many lanes. */

struct slice_row {
	const struct lane *lane;
	int64_t busy, range;
	char count[UNITS_MAX + 4]; /* of slices that begin in the range, also of joined lanes */
};

SORT_ORDER(page_first, struct slice_row, lane_page_compare(x->lane, x->busy, y->lane, y->busy))

/* The number of slices that begin in [t0, t1). The last instant of the profile belongs to the range
 * that ends there. */
static uint64_t count_slices(const struct profile *p, const struct lane *lane, int64_t t0,
			     int64_t t1)
{
	const struct samples *s = &lane->samples;
	uint64_t n = 0;

	for (size_t i = s->n ? samples_find(s, t0 - 1) : 0;
	     i < s->n && (samples_time(s, i) < t1 || t1 == p->t1); i++)
		if (samples_time(s, i) >= t0)
			n += lane_opens(lane, i);
	return n;
}

/* The row of lane i and those joined to it; *end: the lane after them. */
static struct slice_row measure(const struct gathered *g, uint32_t i, uint32_t *end)
{
	const struct profile *p = g->profile;
	struct slice_row row = { .lane = &p->lanes[i] };
	int64_t t0, t1;
	uint64_t n = 0;

	*end = i + lane_count_joined(row.lane, p->lanes + p->n_lanes);
	if (gather_range(g->options, row.lane, &t0, &t1)) {
		row.range = t1 - t0;
		row.busy = gather_covered(row.lane, t0, t1);
		for (uint32_t k = i; k < *end; k++)
			n += count_slices(p, &p->lanes[k], t0, t1);
	}
	snprintf(row.count, sizeof row.count, "%s%s", row.lane->n_left ? "\342\211\245" : "",
		 units_count(n, UNITS_ROOM));
	return row;
}

#define SLICES(X)                                                                                  \
	X(ID, REPORT_PAGE, "", "Lane", 0, 6, .n = row->lane->id)                                   \
	X(VALUE, REPORT_PAGE, "", "Busy", 0, 10, .n = row->busy)                                   \
	X(SHARE, REPORT_PAGE, "", "Busy%", 0, 8, .n = row->busy, .whole = row->range)              \
	X(SHORT, REPORT_PAGE, "", "Slices", 0, 10, .text = row->count)                             \
	X(VALUE, REPORT_PAGE, "", "Length", 0, 10, .n = row->range)                                \
	X(LANE, REPORT_PAGE, "", "Thread", 2, 0, .lane = row->lane)

REPORT_TABLE(slices, SLICES, struct slice_row, .title = "slices by thread, busiest first",
	     .note = "(% of the lane's part of the range)", .lead = "", .one = "thread",
	     .many = "threads")

/* The lanes of the scope of one kind, without joined ones. */
static uint32_t count_lanes(const struct profile *p, enum lane_kind kind)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->n_lanes; i++)
		n += p->lanes[i].kind == kind && !p->lanes[i].is_joined;
	return n;
}

/* `also 12 lanes of async operations, 3 of counters`. */
static void add_others(struct page *page)
{
	static const struct {
		enum lane_kind kind;
		const char *name;
	} others[] = { { LANE_ASYNC, "async operations" },
		       { LANE_OBJECTS, "objects" },
		       { LANE_COUNTER, "counters" },
		       { LANE_MARKS, "marks" } };
	BUF_LOCAL text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		uint32_t n = count_lanes(page->g->profile, others[i].kind);
		const char *unit = text.len ? "" : n == 1 ? " lane" : " lanes";

		if (n)
			buf_addf(&text, "%s%" PRIu32 "%s of %s", text.len ? ", " : "also ", n, unit,
				 others[i].name);
	}
	if (text.len) {
		buf_adds(&text, " (--table=lanes lists all)");
		page->form->remark(page, buf_text(&text));
	}
}

/* The slices by thread, if the other tables are about samples; then the number of lanes that are in
 * no table. */
static void page_slices(struct page *page)
{
	const struct profile *p = page->g->profile;
	struct report_out out = page_out(page);
	uint32_t n_lanes = has_samples(page->g) ? p->n_lanes : 0;
	ALLOC_LOCAL struct slice_row *rows = xcalloc(n_lanes, sizeof *rows);
	struct report_table table = slices;
	size_t n = 0;

	for (uint32_t i = 0, end; i < n_lanes; i = end) {
		end = i + 1;
		if (p->lanes[i].kind == LANE_SLICES)
			rows[n++] = measure(page->g, i, &end);
	}
	if (n) {
		qsort(rows, n, sizeof *rows, page_first);
		if (rows->lane->is_page_main)
			table.title = "slices by thread, pages first, busiest first";
		report_table_write(&out, &table, rows, n, sizeof *rows);
	}
	add_others(page);
}

/* ==== page body ==== */

/* The header with the findings; of a file without calls, all except warnings. */
static void page_body_begin(struct page *page)
{
	if (!page->g->n_lanes) {
		page_events(page);
		gates_page(page);
		return;
	}
	page_header(page);
	gates_page(page);
	if (!report_lists_is_alone(page->g->options) && !page_findings(page)) {
		const struct gathered *g = page->g;
		struct standout list[STANDOUT_COUNT];
		size_t n = gather_standouts(g, list);

		/* Append the section of what stands out, for pages without findings. */
		if (n)
			page_section(page, "what stands out", NULL);
		for (size_t i = 0; i < n; i++) {
			BUF_LOCAL text = { 0 };

			standout_format(g->profile, &list[i], g->n_originals > 1,
					page->form->cells - 2, &(struct place_clock){ 0 }, &text);
			page_item(page, 1, buf_text(&text), text.len);
		}
	}
}

static void page_body_tables(struct page *page)
{
	const struct gathered *g = page->g;
	const struct report_options *o = g->options;
	struct report_out out = page_out(page);
	/* They are not in lanes of samples or slices. */
	bool has_served = g->scoped->original->served.n > 0;

	if (report_lists_is_alone(o)) {
		if (g->n_lanes || (has_served && report_lists_is_served(o->table)))
			report_lists_write(&out, (enum report_list)o->table);
		return;
	}
	if (g->scoped->original->stalls.n)
		report_lists_write(&out, REPORT_LIST_STALLS);
	if (g->n_lanes && g->n_originals > 1)
		report_lists_write(&out, REPORT_LIST_LANES);
	if (has_served) {
		report_lists_write(&out, REPORT_LIST_ROUTES);
		report_lists_write(&out, REPORT_LIST_WAITS);
	}
	if (!g->n_lanes)
		return;
	page_slices(page);
	if (!page->form->has_all && g->scoped->original->n_inputs > 1)
		report_lists_write(&out, REPORT_LIST_INPUTS);
	report_lists_write(&out, REPORT_LIST_KINDS);
	report_lists_write(&out, REPORT_LIST_CATEGORIES);
	report_lists_write(&out, REPORT_LIST_EVENT_CATS);
	report_lists_write(&out, REPORT_LIST_ORIGINS);
	out.sort = o->is_sorted ? o->sort : ROWS_BY_SELF;
	report_lists_write(&out, REPORT_LIST_FUNCTIONS);
	out.sort = ROWS_BY_TOTAL;
	if (!o->is_sorted && !page->form->has_all)
		report_lists_write(&out, REPORT_LIST_FUNCTIONS);
	report_lists_write(&out, REPORT_LIST_STACK);
}

void page_body(struct page *page)
{
	page_body_begin(page);
	if (page->chart)
		page->chart(page);
	page_body_tables(page);
	if (page->trees)
		page->trees(page);
	page_warnings(page);
}
