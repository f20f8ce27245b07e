/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of the text report, for programs: all lanes of calls in the scope, taken together. */
#include "config.h"

#include "write/report/json_summary.h"

#include "draw/standout.h"
#include "write/report/json_out.h"
#include "write/report/page_tables.h"
#include "write/report/report.h"

#include <stdlib.h>

/* ==== json findings ====
 *
 * Members that do not apply are null. Shares and scores have six decimals. */

static void add_function(struct json_writer *w, const struct profile *p, const char *name,
			 frame_id frame)
{
	json_put(w, json_line(3),
		 frame == FRAME_NONE ? json_raw(name, "null") : json_begin(name, "{"));
	if (frame == FRAME_NONE)
		return;
	json_out_frame(w, p, &p->frames.frames[frame]);
	json_put(w, json_end("}"));
}

static void add_finding(struct json_writer *w, const struct profile *p, const struct finding *f)
{
	json_put(w, json_begin(NULL, "{"), json_string("kind", findings_kind_name(f->kind)),
		 json_integer("lane", f->lane->id), json_out_member(p, "start", f->t0),
		 json_out_member(p, "duration", f->t1 - f->t0), json_out_member(p, "time", f->ns),
		 json_decimals("share", f->whole > 0 ? (double)f->ns / (double)f->whole : 0, 6),
		 json_decimals("score", f->score / 1e6, 6), json_line(3),
		 json_string("text", f->text));
	add_function(w, p, "function", f->function);
	add_function(w, p, "under", f->under);
	json_put(w, json_line(3), json_string("mechanism", f->mechanism), json_begin("notes", "["));
	for (uint32_t i = 0; i < f->n_notes; i++)
		json_put(w, json_string(NULL, f->notes[i]));
	json_put(w, json_end("]}"));
}

static void json_findings(struct json_writer *w, const struct gathered *g)
{
	const struct findings_all *all = &g->findings;

	json_put(w, json_line(1), json_begin("findings", "["));
	for (uint32_t i = 0; i < all->n; i++) {
		json_put(w, json_line(2));
		add_finding(w, g->profile, all->list[i]);
	}
	json_put(w, json_end("]"));
	if (all->n_left)
		json_put(w, json_line(1), json_integer("findings_lanes_left_out", all->n_left));
}

/* ==== json summary ==== */

#define STRETCHES_MAX 10
#define LINES_MAX 20

/* The keys of labels; nothing where there are none. */
static void add_labels(struct json_writer *w, const struct profile *p)
{
	if (!p->labels.n_keys)
		return;
	json_put(w, json_line(1), json_begin("labels", "["));
	for (uint32_t i = 0; i < p->labels.n_keys; i++)
		json_put(w, json_string(NULL, profile_text(p, p->labels.keys[i].name)));
	json_put(w, json_end("]"));
}

static void add_scope(struct json_writer *w, const struct gathered *g)
{
	const struct scope *scope = &g->options->scope;
	struct buf text = { 0 };

	json_put(w, json_line(1), json_begin("scope", "{"), json_begin("transforms", "["));
	for (size_t i = 0; i < scope->n_transforms; i++) {
		transform_describe(g->scoped->original, &scope->transforms[i], &text);
		json_put(w, json_text(NULL, buf_text(&text), text.len));
		buf_clear(&text);
	}
	json_put(w, json_end("]"));
	view_group_format(g->scoped->original, scope->group, &text);
	json_put(w, json_text("group", buf_text(&text), text.len));
	buf_done(&text);
	json_put(w, json_boolean("idle", scope->has_idle), json_string("filter", scope->filter),
		 json_integer("lanes", g->profile->n_lanes),
		 json_integer("of_lanes", g->scoped->original->n_lanes), json_end("}"));
	add_labels(w, g->profile);
}

static void add_times(struct json_writer *w, const struct gathered *g)
{
	int64_t gc = summary_gc(g->functions),
		program = summary_category(&g->totals, CATEGORY_PROGRAM);

	json_put(w, json_line(1), json_begin("summary", "{"), json_begin("lanes", "["));
	for (uint32_t i = 0; i < g->n_lanes; i++)
		json_put(w, json_integer(NULL, g->lanes[i]->id));
	json_put(w, json_end("]"), json_out_member(g->profile, "range", g->range_ns),
		 json_out_member(g->profile, "sampled", g->totals.sampled_ns),
		 json_out_member(g->profile, "dropped", g->dropped_ns),
		 json_out_member(g->profile, "unsampled", g->unsampled_ns),
		 json_out_member(g->profile, "busy",
				 g->totals.sampled_ns - g->totals.idle_ns - gc - program),
		 json_out_member(g->profile, "idle", g->totals.idle_ns),
		 json_out_member(g->profile, "program", program),
		 json_out_member(g->profile, "gc", gc),
		 json_out_member(g->profile, "whole", g->whole_ns));
}

static void add_shares(struct json_writer *w, const struct gathered *g, enum summary_by by,
		       const char *name)
{
	struct share *list;
	size_t n = summary_shares(g->functions, by, &list);

	json_put(w, json_line(2), json_begin(name, "["));
	for (size_t i = 0; i < n; i++)
		json_put(w, json_begin(NULL, "{"),
			 json_out_string("name", g->profile,
					 by == SUMMARY_CATEGORY || list[i].is_named ? list[i].name
										    : 0),
			 json_string("category", category_name(list[i].category)),
			 json_integer("functions", list[i].n_frames),
			 json_out_member(g->profile, "self", list[i].self), json_end("}"));
	json_put(w, json_end("]"));
	free(list);
}

/* Only of traces whose slices have event categories. */
static void add_event_cats(struct json_writer *w, const struct gathered *g)
{
	struct event_cat_share *list;
	size_t n = gather_event_cats(g, &list);

	for (size_t i = 0; i < n; i++)
		json_put(w, json_if(!i, json_line(2)),
			 json_if(!i, json_begin("event_categories", "[")), json_begin(NULL, "{"),
			 json_out_string("name", g->profile, list[i].name),
			 json_out_member(g->profile, "self", list[i].self),
			 json_end(i + 1 < n ? "}" : "}]"));
	free(list);
}

static void add_stack(struct json_writer *w, const struct gathered *g)
{
	node_id *stack;
	size_t n = summary_stack(&g->totals, &stack);

	json_put(w, json_line(2), json_begin("stack", "["));
	for (size_t i = 0; i < n; i++) {
		json_put(w, json_line(3), json_begin(NULL, "{"));
		json_out_frame(w, g->profile, &g->view.frames[g->view.tree->frame[stack[i]]]);
		json_put(w, json_out_member(g->profile, "self", g->totals.self[stack[i]]),
			 json_out_member(g->profile, "total", g->totals.total[stack[i]]),
			 json_end("}"));
	}
	json_put(w, json_end("]"));
	free(stack);
}

static struct json_item name_of(const char *key, const struct gathered *g, frame_id frame)
{
	return json_out_string(key, g->profile,
			       frame == FRAME_NONE ? 0 : g->profile->frames.frames[frame].name);
}

static void add_stretches(struct json_writer *w, const struct gathered *g, bool is_busy)
{
	const struct summary_range range = { g->scoped->original, g->originals, g->n_originals,
					     g->options->scope.t0, g->options->scope.t1 };
	struct stretch *list;
	size_t all, n = summary_stretches(&range, is_busy, STRETCHES_MAX, &list, &all);

	json_put(w, json_line(2), json_integer(is_busy ? "busy_stretches" : "pauses", (int64_t)all),
		 json_begin(is_busy ? "longest_busy" : "longest_pauses", "["));
	for (size_t i = 0; i < n; i++)
		json_put(w, json_begin(NULL, "{"), json_integer("lane", list[i].lane->id),
			 json_out_member(g->profile, "start", list[i].t0),
			 json_out_member(g->profile, "duration", list[i].t1 - list[i].t0),
			 json_if(is_busy, name_of("outer", g, list[i].outer)),
			 is_busy ? name_of("leaf", g, list[i].leaf)
				 : json_boolean("sampled", list[i].is_sampled),
			 json_end("}"));
	json_put(w, json_end("]"));
	free(list);
}

static void add_lines(struct json_writer *w, const struct gathered *g)
{
	struct hot_line *list;
	size_t n = summary_lines(g->scoped->original, g->originals, g->n_originals,
				 g->options->scope.t0, g->options->scope.t1, &list);

	json_put(w, json_line(2), json_integer("lines", (int64_t)n),
		 json_begin("hottest_lines", "["));
	for (size_t i = 0; i < n && i < LINES_MAX; i++) {
		const struct frame *f = &g->profile->frames.frames[list[i].frame];

		json_put(w, json_begin(NULL, "{"), json_out_string("function", g->profile, f->name),
			 json_out_string("url", g->profile, f->url),
			 json_integer("line", list[i].line),
			 json_integer("ticks", (int64_t)list[i].ticks),
			 json_out_member(g->profile, "about", list[i].about_ns));
		line_table_member(g, &list[i], w);
		json_put(w, json_end("}"));
	}
	json_put(w, json_end("]"));
	free(list);
}

static void add_standouts(struct json_writer *w, const struct gathered *g)
{
	struct standout list[STANDOUT_COUNT];
	size_t n = gather_standouts(g, list);
	struct buf text = { 0 };

	json_put(w, json_line(2), json_begin("standouts", "["));
	for (size_t i = 0; i < n; i++) {
		standout_format(g->profile, &list[i], g->n_originals > 1, 1000,
				&(struct place_clock){ 0 }, &text);
		json_put(w, json_begin(NULL, "{"), json_string("kind", standout_name(list[i].kind)),
			 json_text("text", buf_text(&text), text.len), json_end("}"));
		buf_clear(&text);
	}
	json_put(w, json_end("]"));
	buf_done(&text);
}

static void add_recursion(struct json_writer *w, const struct gathered *g)
{
	frame_id frame;
	uint32_t count = summary_recursion(&g->totals, &frame);

	json_put(w, json_line(2), json_begin("recursion", "{"), json_integer("times", count),
		 name_of("function", g, frame), json_end("}"));
}

void json_summary(struct json_writer *w, const struct scoped *scoped,
		  const struct report_options *options)
{
	struct gathered g;

	gather_init_findings(&g, scoped, options);
	json_findings(w, &g);
	add_scope(w, &g);
	add_times(w, &g);
	add_shares(w, &g, SUMMARY_CATEGORY, "categories");
	add_event_cats(w, &g);
	add_shares(w, &g, SUMMARY_PACKAGE, "packages");
	add_shares(w, &g, SUMMARY_FILE, "files");
	add_stack(w, &g);
	add_stretches(w, &g, true);
	add_stretches(w, &g, false);
	add_recursion(w, &g);
	add_lines(w, &g);
	add_standouts(w, &g);
	json_put(w, json_end("}"));
	gather_done(&g);
}
