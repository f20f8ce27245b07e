/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of the text report, for programs: all lanes of calls in the scope, taken together. */
#include "config.h"

#include "write/report/json_summary.h"

#include "base/text.h"
#include "draw/standout.h"
#include "write/report/json_out.h"
#include "write/report/page_tables.h"
#include "write/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== json findings ====
 *
 * Members that do not apply are null. Shares and scores have six decimals. */

static void add_text(struct buf *out, const char *text)
{
	if (text)
		json_out_text(out, text, strlen(text));
	else
		buf_adds(out, "null");
}

static void add_function(struct buf *out, const struct profile *p, const char *name, frame_id frame)
{
	buf_addf(out, ",\n   \"%s\": ", name);
	if (frame == FRAME_NONE) {
		buf_adds(out, "null");
		return;
	}
	buf_addc(out, '{');
	json_out_frame(out, p, &p->frames.frames[frame]);
	buf_addc(out, '}');
}

static void add_finding(struct buf *out, const struct profile *p, const struct finding *f)
{
	double share = f->whole > 0 ? (double)f->ns / (double)f->whole : 0;

	buf_addf(out, "{\"kind\": \"%s\", \"lane\": %u", findings_kind_name(f->kind),
		 (unsigned)f->lane->id);
	json_out_member(out, p, ", \"start", f->t0);
	json_out_member(out, p, ", \"duration", f->t1 - f->t0);
	json_out_member(out, p, ", \"time", f->ns);
	buf_addf(out, ", \"share\": %.6f, \"score\": %.6f,\n   \"text\": ", share, f->score / 1e6);
	add_text(out, f->text);
	add_function(out, p, "function", f->function);
	add_function(out, p, "under", f->under);
	buf_adds(out, ",\n   \"mechanism\": ");
	add_text(out, f->mechanism);
	buf_adds(out, ", \"notes\": [");
	for (uint32_t i = 0; i < f->n_notes; i++) {
		buf_adds(out, i ? ", " : "");
		add_text(out, f->notes[i]);
	}
	buf_adds(out, "]}");
}

/* Append `"findings": [...],`. */
static void json_findings(struct buf *out, const struct gathered *g)
{
	const struct findings_all *all = &g->findings;

	buf_adds(out, " \"findings\": [");
	for (uint32_t i = 0; i < all->n; i++) {
		buf_adds(out, i ? ",\n  " : "\n  ");
		add_finding(out, g->profile, all->list[i]);
	}
	buf_adds(out, "],\n");
	if (all->n_left)
		buf_addf(out, " \"findings_lanes_left_out\": %" PRIu32 ",\n", all->n_left);
}

/* ==== json summary ==== */

#define STRETCHES_MAX 10
#define LINES_MAX 20

/* The keys of labels; nothing where there are none. */
static void add_labels(struct buf *out, const struct profile *p)
{
	if (!p->labels.n_keys)
		return;
	buf_adds(out, " \"labels\": [");
	for (uint32_t i = 0; i < p->labels.n_keys; i++) {
		const char *name = profile_text(p, p->labels.keys[i].name);

		buf_adds(out, i ? ", " : "");
		json_out_text(out, name, strlen(name));
	}
	buf_adds(out, "],\n");
}

static void add_scope(struct buf *out, const struct gathered *g)
{
	const struct scope *scope = &g->options->scope;

	struct buf group = { 0 };

	buf_adds(out, " \"scope\": {\"transforms\": [");
	for (size_t i = 0; i < scope->n_transforms; i++) {
		struct buf text = { 0 };

		transform_describe(g->scoped->original, &scope->transforms[i], &text);
		buf_adds(out, i ? ", " : "");
		json_out_text(out, buf_text(&text), text.len);
		buf_done(&text);
	}
	buf_adds(out, "], \"group\": ");
	view_group_format(g->scoped->original, scope->group, &group);
	json_out_text(out, buf_text(&group), group.len);
	buf_done(&group);
	buf_addf(out, ", \"idle\": %s, \"filter\": ", scope->has_idle ? "true" : "false");
	if (scope->filter)
		json_out_text(out, scope->filter, strlen(scope->filter));
	else
		buf_adds(out, "null");
	buf_addf(out, ", \"lanes\": %u, \"of_lanes\": %u},\n", (unsigned)g->profile->n_lanes,
		 (unsigned)g->scoped->original->n_lanes);
	add_labels(out, g->profile);
}

static void add_times(struct buf *out, const struct gathered *g)
{
	int64_t gc = summary_gc(g->functions),
		program = summary_category(&g->totals, CATEGORY_PROGRAM);

	buf_adds(out, " \"summary\": {\"lanes\": [");
	for (uint32_t i = 0; i < g->n_lanes; i++)
		buf_addf(out, "%s%u", i ? ", " : "", (unsigned)g->lanes[i]->id);
	buf_addc(out, ']');
	json_out_member(out, g->profile, ", \"range", g->range_ns);
	json_out_member(out, g->profile, ", \"sampled", g->totals.sampled_ns);
	json_out_member(out, g->profile, ", \"dropped", g->dropped_ns);
	json_out_member(out, g->profile, ", \"unsampled", g->unsampled_ns);
	json_out_member(out, g->profile, ", \"busy",
			g->totals.sampled_ns - g->totals.idle_ns - gc - program);
	json_out_member(out, g->profile, ", \"idle", g->totals.idle_ns);
	json_out_member(out, g->profile, ", \"program", program);
	json_out_member(out, g->profile, ", \"gc", gc);
	json_out_member(out, g->profile, ", \"whole", g->whole_ns);
	buf_addc(out, ',');
}

static void add_shares(struct buf *out, const struct gathered *g, enum summary_by by,
		       const char *name)
{
	struct share *list;
	size_t n = summary_shares(g->functions, by, &list);

	buf_addf(out, "\n  \"%s\": [", name);
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ", {\"name\": " : "{\"name\": ");
		json_out_string(out, g->profile,
				by == SUMMARY_CATEGORY || list[i].is_named ? list[i].name : 0);
		buf_addf(out, ", \"category\": \"%s\", \"functions\": %u",
			 category_name(list[i].category), (unsigned)list[i].n_frames);
		json_out_member(out, g->profile, ", \"self", list[i].self);
		buf_addc(out, '}');
	}
	buf_adds(out, "],");
	free(list);
}

/* Only of traces whose slices have event categories. */
static void add_event_cats(struct buf *out, const struct gathered *g)
{
	struct event_cat_share *list;
	size_t n = gather_event_cats(g, &list);

	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ", {\"name\": " : "\n  \"event_categories\": [{\"name\": ");
		json_out_string(out, g->profile, list[i].name);
		json_out_member(out, g->profile, ", \"self", list[i].self);
		buf_addc(out, '}');
	}
	buf_adds(out, n ? "]," : "");
	free(list);
}

static void add_stack(struct buf *out, const struct gathered *g)
{
	node_id *stack;
	size_t n = summary_stack(&g->totals, &stack);

	buf_adds(out, "\n  \"stack\": [");
	for (size_t i = 0; i < n; i++) {
		buf_adds(out, i ? ",\n   {" : "\n   {");
		json_out_frame(out, g->profile, &g->view.frames[g->view.tree->frame[stack[i]]]);
		json_out_member(out, g->profile, ", \"self", g->totals.self[stack[i]]);
		json_out_member(out, g->profile, ", \"total", g->totals.total[stack[i]]);
		buf_addc(out, '}');
	}
	buf_adds(out, "],");
	free(stack);
}

static void add_name(struct buf *out, const struct gathered *g, frame_id frame)
{
	json_out_string(out, g->profile,
			frame == FRAME_NONE ? 0 : g->profile->frames.frames[frame].name);
}

static void add_stretches(struct buf *out, const struct gathered *g, bool is_busy)
{
	const struct summary_range range = { g->scoped->original, g->originals, g->n_originals,
					     g->options->scope.t0, g->options->scope.t1 };
	struct stretch *list;
	size_t all, n = summary_stretches(&range, is_busy, STRETCHES_MAX, &list, &all);

	buf_addf(out, "\n  \"%s\": %zu, \"%s\": [", is_busy ? "busy_stretches" : "pauses", all,
		 is_busy ? "longest_busy" : "longest_pauses");
	for (size_t i = 0; i < n; i++) {
		buf_addf(out, "%s{\"lane\": %u", i ? ", " : "", (unsigned)list[i].lane->id);
		json_out_member(out, g->profile, ", \"start", list[i].t0);
		json_out_member(out, g->profile, ", \"duration", list[i].t1 - list[i].t0);
		if (is_busy) {
			buf_adds(out, ", \"outer\": ");
			add_name(out, g, list[i].outer);
			buf_adds(out, ", \"leaf\": ");
			add_name(out, g, list[i].leaf);
		} else {
			buf_addf(out, ", \"sampled\": %s", list[i].is_sampled ? "true" : "false");
		}
		buf_addc(out, '}');
	}
	buf_adds(out, "],");
	free(list);
}

static void add_lines(struct buf *out, const struct gathered *g)
{
	struct hot_line *list;
	size_t n = summary_lines(g->scoped->original, g->originals, g->n_originals,
				 g->options->scope.t0, g->options->scope.t1, &list);

	buf_addf(out, "\n  \"lines\": %zu, \"hottest_lines\": [", n);
	for (size_t i = 0; i < n && i < LINES_MAX; i++) {
		const struct frame *f = &g->profile->frames.frames[list[i].frame];

		buf_adds(out, i ? ", {\"function\": " : "{\"function\": ");
		json_out_string(out, g->profile, f->name);
		buf_adds(out, ", \"url\": ");
		json_out_string(out, g->profile, f->url);
		buf_addf(out, ", \"line\": %d, \"ticks\": %" PRIu64, (int)list[i].line,
			 list[i].ticks);
		json_out_member(out, g->profile, ", \"about", list[i].about_ns);
		line_table_member(g, &list[i], out);
		buf_addc(out, '}');
	}
	buf_adds(out, "],");
	free(list);
}

static void add_standouts(struct buf *out, const struct gathered *g)
{
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);

	buf_adds(out, "\n  \"standouts\": [");
	for (size_t i = 0; i < n; i++) {
		struct buf text = { 0 };

		standout_format(g->profile, &list[i], g->n_originals > 1, 1000,
				&(struct place_clock){ 0 }, &text);
		buf_addf(out, "%s{\"kind\": \"%s\", \"text\": ", i ? ", " : "",
			 standout_name(list[i].kind));
		json_out_text(out, buf_text(&text), text.len);
		buf_addc(out, '}');
		buf_done(&text);
	}
	buf_adds(out, "]");
}

static void add_recursion(struct buf *out, const struct gathered *g)
{
	frame_id frame;
	uint32_t count = summary_recursion(&g->totals, &frame);

	buf_addf(out, "\n  \"recursion\": {\"times\": %u, \"function\": ", (unsigned)count);
	add_name(out, g, frame);
	buf_adds(out, "},");
}

void json_summary(struct buf *out, const struct scoped *scoped,
		  const struct report_options *options)
{
	struct gathered g;

	gather_init_findings(&g, scoped, options);
	json_findings(out, &g);
	add_scope(out, &g);
	add_times(out, &g);
	add_shares(out, &g, SUMMARY_CATEGORY, "categories");
	add_event_cats(out, &g);
	add_shares(out, &g, SUMMARY_PACKAGE, "packages");
	add_shares(out, &g, SUMMARY_FILE, "files");
	add_stack(out, &g);
	add_stretches(out, &g, true);
	add_stretches(out, &g, false);
	add_recursion(out, &g);
	add_lines(out, &g);
	add_standouts(out, &g);
	buf_adds(out, "},\n");
	gather_done(&g);
}
