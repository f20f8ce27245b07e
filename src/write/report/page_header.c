/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines are text with names in visible form; a line that would be too long loses a part of its
 * name, or goes on in the next line after two blanks. */
#include "config.h"

#include "write/report/page_header.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/units.h"
#include "model/profile.h"
#include "model/lane_name.h"
#include "write/report/page_body.h"

#include <stdlib.h>
#include <string.h>

static void add_path(struct buf *out, const struct profile *p, uint32_t input, int room)
{
	const struct input *in = &p->inputs[input];

	text_fit_end(out, profile_text(p, in->path), intern_len(&p->strings, in->path), room);
}

static void add_counted(struct buf *out, uint64_t n, const char *what)
{
	char text[UNITS_MAX];

	units_count(n, text);
	buf_addf(out, "%s %s%s", text, what, n == 1 ? "" : "s");
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

/* The time of all hits, which is that of samples made from them. */
static int64_t hits_ns(const struct lane *lane)
{
	const struct samples *s = &lane->samples;

	return s->n ? samples_time(s, s->n) - samples_time(s, 0) : 0;
}

/* How long the only lane is, and how it was sampled. */
static void add_lane_facts(const struct gathered *g, struct buf *out)
{
	const struct lane *lane = g->lanes[0];
	char length[UNITS_MAX], interval[UNITS_MAX];

	profile_value(g->profile, lane->t1 - lane->t0, length);
	buf_addf(out, ": %s, ", length);
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
			add_counted(out, (uint64_t)(hits_ns(lane) / lane->hit_ns), "hit");
		}
		buf_addc(out, '\n');
		return;
	}
	add_counted(out, lane->n_samples, "sample");
	if (lane->interval_ns) {
		profile_value(g->profile, lane->interval_ns, interval);
		buf_addf(out, " every %s", interval);
	}
	end_facts(g, out);
}

/* The only lane: its name, and these. */
static void add_one_lane(const struct gathered *g, int room, struct buf *out)
{
	struct buf facts = { 0 };

	add_lane_facts(g, &facts);
	lane_name_fit(g->scoped->original, g->originals[0],
		      room - text_cells(buf_text(&facts), facts.len - 1), out);
	buf_add(out, facts.data, facts.len);
	buf_done(&facts);
}

static void add_many_lanes(const struct gathered *g, struct buf *out)
{
	uint64_t n_samples = 0;
	char length[UNITS_MAX];

	for (uint32_t i = 0; i < g->n_lanes; i++)
		n_samples += g->lanes[i]->n_samples;
	add_counted(out, g->n_originals, "lane");
	profile_value(g->profile, g->profile->t1, length);
	buf_addf(out, " on %s: ", length);
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

static void add_part(const struct gathered *g, const struct header_time *part, int64_t whole,
		     struct buf *out)
{
	char time[UNITS_MAX], share[UNITS_MAX];

	profile_value(g->profile, part->ns, time);
	units_percent(part->ns, whole, share);
	buf_addf(out, "%s %s (%s)", part->name, time, share);
}

/* Add those parts that are there, as shares of `whole`, to a line that has begun. */
static void add_parts_of(const struct gathered *g, const struct header_time *parts, size_t n,
			 int64_t whole, int room, struct buf *out)
{
	size_t line = out->len;

	while (line > 0 && out->data[line - 1] != '\n')
		line--;
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		if (!parts[i].ns && !parts[i].is_always)
			continue;
		add_part(g, &parts[i], whole, &text);
		if (out->len - line + text.len + 2 > (size_t)room) {
			line = out->len + 1;
			buf_adds(out, "\n  ");
		}
		buf_addf(out, " %s,", buf_text(&text));
		buf_done(&text);
	}
	out->data[out->len - 1] = '\n';
}

static bool has_function(const struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->leaf[i] != NODE_ROOT)
			return true;
	return false;
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

		if (lane->kind != LANE_SAMPLES || !lane->has_timeline ||
		    has_function(&lane->samples))
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
		{ "program", summary_category(&g->totals, CATEGORY_PROGRAM), false },
	};
	char length[UNITS_MAX];

	/* Bytes and counts are all of calls. */
	if (!amount_is_time(&g->profile->unit)) {
		if (!g->dropped_ns)
			return;
		profile_value(g->profile, g->range_ns, length);
		buf_addf(out, "of %s:", length);
		add_parts_of(g, of_sums, ARRAY_LEN(of_sums), g->range_ns, room, out);
		return;
	}
	if (g->n_originals == 1 && g->originals[0]->is_unmeasured) {
		buf_adds(out, "length not measured: each sample counts 1 ms\n");
		return;
	}
	profile_value(g->profile, g->range_ns, length);
	buf_addf(out, "of %s%s:", length, g->n_originals > 1 ? " (all lanes)" : "");
	add_parts_of(g, parts, ARRAY_LEN(parts), g->range_ns, room, out);
	if (is_all_root(g))
		buf_adds(out, "all samples are (root): no function is known\n");
	if (busy <= 0 || (is_slices && gc <= 0))
		return;
	profile_value(g->profile, busy, length);
	buf_addf(out, "of %s busy:", length);
	add_parts_of(g, of_busy, ARRAY_LEN(of_busy), busy, room, out);
}

static void add_scope(const struct gathered *g, int room, struct buf *out)
{
	const struct scope *scope = &g->options->scope;
	const struct profile *p = g->scoped->original;
	char a[UNITS_MAX], b[UNITS_MAX], length[UNITS_MAX];
	struct buf text = { 0 };

	if (scope->t0 > 0 || scope->t1 < p->t1) {
		profile_value(g->profile, scope->t0, a);
		profile_value(g->profile, scope->t1, b);
		profile_value(g->profile, scope->t1 - scope->t0, length);
		buf_addf(out, "range: %s, from %s to %s\n", length, a, b);
	}
	if (scope->is_lane)
		buf_addf(out, "lanes: %u of %u\n", (unsigned)g->profile->n_lanes,
			 (unsigned)p->n_lanes);
	scope_describe(scope, p, &text);
	if (text.len) {
		buf_adds(out, "scope: ");
		text_fit(out, text.data, text.len, room - 7);
		buf_addc(out, '\n');
	}
	buf_done(&text);
}

static void add_lines(const struct gathered *g, int room, struct buf *out)
{
	char whole[UNITS_MAX];

	add_inputs(g, room, out);
	if (g->n_originals == 1)
		add_one_lane(g, room, out);
	else
		add_many_lanes(g, out);
	page_slices_note(g, out);
	add_scope(g, room, out);
	add_parts(g, room, out);
	profile_value(g->profile, g->whole_ns, whole);
	buf_addf(out, "below, 100 %% = %s", whole);
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

/* ---- warnings ---- */

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

static bool is_same(const struct message *a, const struct message *b)
{
	return a->text == b->text && a->what == b->what;
}

static bool is_before_by_words(const void *a, const void *b, const void *ctx)
{
	const struct message *x = a, *y = b;

	(void)ctx;
	return x->text != y->text ? x->text < y->text : strcmp(x->what, y->what) < 0;
}

static bool is_before_by_order(const void *a, const void *b, const void *ctx)
{
	(void)ctx;
	return ((const struct message *)a)->order < ((const struct message *)b)->order;
}

/* Join equal messages of several files, in the order of the first ones. */
static void join_equal(struct messages *m)
{
	size_t n = 0;

	if (m->n < 2)
		return;
	sort_stable(m->list, m->n, sizeof *m->list, is_before_by_words, NULL);
	for (size_t i = 0; i < m->n; i++) {
		if (n && is_same(&m->list[n - 1], &m->list[i])) {
			m->list[n - 1].n += m->list[i].input != m->list[i - 1].input;
			m->list[n - 1].count += m->list[i].count;
		} else {
			m->list[n++] = m->list[i];
		}
	}
	m->n = n;
	sort_stable(m->list, m->n, sizeof *m->list, is_before_by_order, NULL);
}

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
	join_equal(m);
}

/* ---- */

void page_header(struct page *page)
{
	struct buf lines = { 0 };

	add_lines(page->g, page->form->cells, &lines);
	page->form->lines(page, NULL, buf_text(&lines));
	buf_done(&lines);
}

void page_header_warnings(struct page *page)
{
	const struct profile *p = page->g->scoped->original;
	size_t top = (size_t)page->g->options->top, n_left = 0;
	size_t notes = top, losses = top > LOSSES ? top : LOSSES;
	struct messages m = { 0 };
	struct buf lines = { 0 };

	find_messages(p, &m);
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
	buf_done(&lines);
	free(m.list);
}
