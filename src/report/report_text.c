/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `report`: a page short enough for a message: what was recorded and how the time was spent, the
 * findings (of slices, what stands out), self time by category and package, the heaviest functions,
 * the heaviest stack, and the warnings about the files. Several lanes share one page, with a table
 * of the lanes. A truncated list says so. */
#include "config.h"

#include "report/line_table.h"
#include "report/page.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/units.h"
#include "layout/standout.h"
#include "model/input_place.h"
#include "model/lane_name.h"
#include "report/page_events.h"
#include "report/page_findings.h"
#include "report/page_slices.h"

#include <stdlib.h>
#include <string.h>

#define HALF_CELLS 50
#define PACKAGES_LEAST 5

/* ---- header ---- */

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

/* How long the only lane is, and how it was sampled. */
static void add_lane_facts(const struct gathered *g, struct buf *out)
{
	const struct lane *lane = g->lanes[0];
	char length[UNITS_MAX], interval[UNITS_MAX];

	units_time(lane->t1 - lane->t0, length);
	buf_addf(out, ": %s, ", length);
	if (lane->kind != LANE_SAMPLES) {
		add_slices(g, out);
		end_facts(g, out);
		return;
	}
	if (!lane->has_timeline) {
		add_counted(out, lane->n_file_nodes, "node");
		buf_adds(out, ", no samples: from hit counts\n");
		return;
	}
	add_counted(out, lane->n_samples, "sample");
	if (lane->interval_ns) {
		units_time(lane->interval_ns, interval);
		buf_addf(out, " every %s", interval);
	}
	end_facts(g, out);
}

/* The only lane: its name, and these. */
static void add_one_lane(const struct gathered *g, struct buf *out)
{
	struct buf facts = { 0 };

	add_lane_facts(g, &facts);
	lane_name_fit(g->scoped->original, g->originals[0],
		      PAGE_CELLS - text_cells(buf_text(&facts), facts.len - 1), out);
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
	units_time(g->profile->t1, length);
	buf_addf(out, " on %s: ", length);
	if (g->lanes[0]->kind == LANE_SAMPLES)
		add_counted(out, n_samples, "sample");
	else
		add_slices(g, out);
	buf_addc(out, '\n');
}

static void add_inputs(const struct gathered *g, struct buf *out)
{
	const struct profile *p = g->profile;
	uint32_t n = 0, first = 0;

	for (uint32_t i = 0; i < p->n_inputs; i++) {
		bool is_used = false;

		for (uint32_t k = 0; k < g->n_lanes; k++)
			is_used |= g->lanes[k]->input == i;
		if (is_used && n++ == 0)
			first = i;
	}
	add_path(out, p, first, PAGE_CELLS - 20);
	if (n > 1)
		buf_addf(out, " and %u other%s", (unsigned)(n - 1), n == 2 ? "" : "s");
	else if (p->inputs[first].format)
		buf_addf(out, " (%s)", p->inputs[first].format);
	buf_addc(out, '\n');
}

struct part {
	const char *name;
	int64_t ns;
	bool is_always;
};

static void add_part(const struct part *part, int64_t whole, struct buf *out)
{
	char time[UNITS_MAX], share[UNITS_MAX];

	units_time(part->ns, time);
	units_percent(part->ns, whole, share);
	buf_addf(out, "%s %s (%s)", part->name, time, share);
}

/* Add those parts that are there, as shares of `whole`, to a line that begins at `line`. */
static void add_parts_of(const struct part *parts, size_t n, int64_t whole, size_t line,
			 struct buf *out)
{
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		if (!parts[i].ns && !parts[i].is_always)
			continue;
		add_part(&parts[i], whole, &text);
		if (out->len - line + text.len + 2 > PAGE_CELLS) {
			line = out->len + 1;
			buf_adds(out, "\n  ");
		}
		buf_addf(out, " %s,", buf_text(&text));
		buf_done(&text);
	}
	out->data[out->len - 1] = '\n';
}

/* `of 3.68 s: busy 1.45 s (39.5 %), idle …`: the parts of the range, for all lanes together; then
 * `of 1.45 s busy: gc …`. */
static void add_parts(const struct gathered *g, struct buf *out)
{
	int64_t busy = g->totals.sampled_ns - g->totals.idle_ns;
	bool is_slices = g->lanes[0]->kind == LANE_SLICES;
	const struct part parts[] = {
		{ "busy", busy, true },
		{ "idle", g->totals.idle_ns, !is_slices },
		{ is_slices ? "no slice" : "not sampled", g->unsampled_ns, false },
		{ "left out", g->dropped_ns, false },
	};
	const struct part of_busy[] = {
		{ "gc", summary_category(&g->totals, CATEGORY_GC), true },
		{ "program", summary_category(&g->totals, CATEGORY_PROGRAM), false },
	};
	char length[UNITS_MAX];
	size_t line = out->len;

	if (g->n_originals == 1 && g->originals[0]->is_unmeasured) {
		buf_adds(out, "length not measured: each sample counts 1 ms\n");
		return;
	}
	units_time(g->range_ns, length);
	buf_addf(out, "of %s%s:", length, g->n_originals > 1 ? " (all lanes)" : "");
	add_parts_of(parts, ARRAY_LEN(parts), g->range_ns, line, out);
	if (is_slices || busy <= 0)
		return;
	line = out->len;
	units_time(busy, length);
	buf_addf(out, "of %s busy:", length);
	add_parts_of(of_busy, ARRAY_LEN(of_busy), busy, line, out);
}

static void add_scope(const struct gathered *g, struct buf *out)
{
	const struct scope *scope = &g->options->scope;
	const struct profile *p = g->scoped->original;
	char a[UNITS_MAX], b[UNITS_MAX], length[UNITS_MAX];
	struct buf text = { 0 };

	if (scope->t0 > 0 || scope->t1 < p->t1) {
		units_time(scope->t0, a);
		units_time(scope->t1, b);
		units_time(scope->t1 - scope->t0, length);
		buf_addf(out, "range: %s, from %s to %s\n", length, a, b);
	}
	if (scope->is_lane)
		buf_addf(out, "lanes: %u of %u\n", (unsigned)g->profile->n_lanes,
			 (unsigned)p->n_lanes);
	scope_describe(scope, p, &text);
	if (text.len) {
		buf_adds(out, "scope: ");
		text_fit(out, text.data, text.len, PAGE_CELLS - 7);
		buf_addc(out, '\n');
	}
	buf_done(&text);
}

static void add_header(const struct gathered *g, struct buf *out)
{
	char whole[UNITS_MAX];

	add_inputs(g, out);
	if (g->n_originals == 1)
		add_one_lane(g, out);
	else
		add_many_lanes(g, out);
	page_slices_note(g, out);
	add_scope(g, out);
	add_parts(g, out);
	units_time(g->whole_ns, whole);
	buf_addf(out, "below, 100 %% = %s: %s%s", whole,
		 g->totals.self_ns != g->totals.sampled_ns
			 ? "self time of all slices, also of those that overlap"
			 : "all sampled time",
		 g->dropped_ns ? " that is not left out" : "");
	if (g->totals.idle_ns || !g->dropped_ns)
		buf_addf(out, ", idle time %s",
			 g->options->scope.has_idle ? "included" : "excluded");
	buf_addc(out, '\n');
}

/* ---- what stands out ---- */

static void add_standouts(const struct gathered *g, struct buf *out)
{
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);

	if (n)
		buf_adds(out, "\nwhat stands out\n");
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, "  ");
		standout_format(g->profile, &list[i], g->n_originals > 1, PAGE_CELLS - 2, out);
		buf_addc(out, '\n');
	}
}

/* ---- shares ---- */

static void add_share(const struct gathered *g, const struct share *s, int room, struct buf *out)
{
	page_time(out, s->self);
	page_share(out, s->self,
		   s->category == CATEGORY_IDLE && !g->options->scope.has_idle ? 0 : g->whole_ns);
	buf_adds(out, "  ");
	page_cell(out, profile_text(g->profile, s->name), intern_len(&g->profile->strings, s->name),
		  room);
}

/* Only named packages: the table of categories beside it has the rest. */
static size_t find_packages(const struct gathered *g, struct share **list)
{
	size_t all = summary_shares(g->functions, SUMMARY_PACKAGE, list), n = 0;

	for (size_t i = 0; i < all; i++)
		if ((*list)[i].is_named && (*list)[i].self > 0)
			(*list)[n++] = (*list)[i];
	return n;
}

/* End a line without trailing blanks. */
static void end_line(struct buf *out)
{
	while (out->len && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	buf_addc(out, '\n');
}

static void add_shares(const struct gathered *g, struct buf *out)
{
	struct share *categories, *packages;
	size_t n_categories = summary_shares(g->functions, SUMMARY_CATEGORY, &categories),
	       n = find_packages(g, &packages);
	size_t most = (size_t)g->options->top, rows;

	while (n_categories && categories[n_categories - 1].self == 0)
		n_categories--;
	/* Without --top, packages do not make the page longer. */
	if (!g->options->has_top)
		most = n_categories > PACKAGES_LEAST ? n_categories : PACKAGES_LEAST;
	most = n < most ? n : most;
	rows = n_categories > most ? n_categories : most;
	if (rows) {
		buf_addc(out, '\n');
		page_cell(out, "self time by category", 21, HALF_CELLS);
		buf_adds(out, n ? "self time by package" : "");
		end_line(out);
	}
	for (size_t i = 0; i < rows; i++) {
		if (i < n_categories)
			add_share(g, &categories[i], HALF_CELLS - 20, out);
		else
			page_cell(out, "", 0, HALF_CELLS);
		if (i < most)
			add_share(g, &packages[i], PAGE_CELLS - HALF_CELLS - 20, out);
		end_line(out);
	}
	page_more(out, n - most, "package", "packages");
	free(categories);
	free(packages);
}

/* Of slices; where there are samples, the page is about them. */
static void add_event_cats(const struct gathered *g, struct buf *out)
{
	const struct profile *p = g->profile;
	struct event_cat_share *list;
	size_t n = g->lanes[0]->kind == LANE_SLICES ? gather_event_cats(g, &list) : 0, most;

	most = n < (size_t)g->options->top ? n : (size_t)g->options->top;
	if (n)
		buf_adds(out, "\nself time by event category\n");
	for (size_t i = 0; i < most; i++) {
		str_id name = list[i].name ? list[i].name : p->no_event_cat;

		page_time(out, list[i].self);
		page_share(out, list[i].self, g->whole_ns);
		buf_adds(out, "  ");
		text_fit(out, profile_text(p, name), intern_len(&p->strings, name),
			 PAGE_CELLS - 20);
		buf_addc(out, '\n');
	}
	page_more(out, n - most, "event category", "event categories");
	if (g->lanes[0]->kind == LANE_SLICES)
		free(list);
}

/* ---- warnings ---- */

static void add_message(struct buf *out, const struct profile *p, uint32_t input, const char *what,
			str_id text)
{
	buf_adds(out, what);
	if (p->n_inputs > 1) {
		add_path(out, p, input, 60);
		buf_adds(out, ": ");
	}
	text_visible(out, profile_text(p, text), intern_len(&p->strings, text));
}

static void add_warnings(struct buf *out, const struct profile *p)
{
	for (uint32_t i = 0; i < p->n_inputs; i++) {
		const struct input *in = &p->inputs[i];

		for (size_t k = 0; k < in->n_warnings; k++) {
			const struct warning *w = &in->warnings[k];

			add_message(out, p, i, w->is_note ? "note: " : "warning: ", w->text);
			if (w->count > 1)
				buf_addf(out, " (%llu times)", (unsigned long long)w->count);
			input_place_add_first(p, in, w->offset, out);
			buf_addc(out, '\n');
		}
		for (size_t k = 0; k < in->n_notes; k++) {
			if (!in->notes[k].is_loss)
				continue;
			add_message(out, p, i, "not shown: ", in->notes[k].text);
			buf_addc(out, '\n');
		}
	}
}

/* ---- the page ---- */

static void add_page(const struct gathered *g, struct buf *out)
{
	const struct report_options *o = g->options;

	add_header(g, out);
	if (line_table_is_wanted(o)) {
		line_table_page(g, out);
		return;
	}
	if (!page_findings(g, out))
		add_standouts(g, out);
	if (g->n_originals > 1)
		page_lanes(g, out);
	page_slices(g, out);
	if (g->scoped->original->n_inputs > 1)
		page_inputs(g, out);
	add_shares(g, out);
	add_event_cats(g, out);
	if (!o->is_sorted || o->sort == ROWS_BY_SELF)
		page_functions(g, ROWS_BY_SELF, out);
	if (!o->is_sorted || o->sort == ROWS_BY_TOTAL)
		page_functions(g, ROWS_BY_TOTAL, out);
	if (o->is_sorted && o->sort == ROWS_BY_NAME)
		page_functions(g, ROWS_BY_NAME, out);
	page_stack(g, out);
}

static uint64_t text_write(const struct scoped *scoped, const struct report_options *options,
			   struct sink *sink)
{
	struct buf *out = sink_buf(sink);
	struct gathered g;
	size_t start;

	gather_init(&g, scoped, options);
	if (g.n_lanes)
		add_page(&g, out);
	else
		page_events(&g, out);
	buf_addc(out, '\n');
	start = out->len;
	add_warnings(out, scoped->original);
	if (out->len == start)
		out->data[--out->len] = '\0';
	gather_done(&g);
	return 0;
}

const struct report report_text = { "text", "a short page for people", text_write };
